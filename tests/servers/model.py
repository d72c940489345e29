"""A stand-in for a model's server on loopback: it can be faithful, inventive, obedient or broken."""

import json
import re
import threading
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import pytest

from drafts.writing.openai_model import forget

KEY = "sk-stand-in-do-not-log"
Facts = Mapping[str, Any]


def completion(
    text: str, *, finish: str = "stop", refusal: str | None = None, tokens: tuple[int, int] = (1000, 100)
) -> dict[str, Any]:
    """An answer in the shape of chat completions."""
    message = {"role": "assistant", "content": None if refusal else text, "refusal": refusal}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "stand-in",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
    }


class Handler(BaseHTTPRequestHandler):
    """Lets the model's behaviour answer."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: a test reads `requests` instead."""

    def do_POST(self) -> None:
        """One call."""
        model = self.server.model
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model.requests.append(body)
        model.keys.append(self.headers.get("Authorization", ""))
        try:
            model.behave(self, body)
        except OSError:
            self.close_connection = True

    def send(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        """One whole answer."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        stated = {"Content-Type": "application/json", "Content-Length": str(len(data))}
        for name, value in {**stated, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


Behaviour = Callable[[Handler, dict[str, Any]], None]


class Server(ThreadingHTTPServer):
    """Knows which model it serves."""

    daemon_threads = True
    model: "ModelServer"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up early is no news."""


class ModelServer:
    """A running server. `behave` may be changed while it runs."""

    def __init__(self, behave: Behaviour) -> None:
        self.behave = behave
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.stopped = threading.Event()
        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.model = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def base_url(self) -> str:
        """What OPENAI_BASE_URL has to be."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The user messages, read."""
        return [question(body) for body in self.requests]


def question(body: dict[str, Any]) -> dict[str, Any]:
    """What a request asks, read from its first user message: the wanted keys, candidates and lines."""
    text = next(m["content"] for m in body["messages"] if m["role"] == "user")
    head, _, rest = text.partition("\ncandidates:")
    asked: dict[str, Any] = {"candidates": [], "segments": [], "not_this_wording": {}}
    for line in head.splitlines():
        key, _, value = line.partition(": ")
        if key.startswith("not this wording for "):
            asked["not_this_wording"][key.split()[-1]] = json.loads(value)
        else:
            asked[key] = value.split(", ") if key == "wanted" else value
    for line in rest.splitlines():
        if found := re.match(r"(p\d+s\d+) ([^:]*): (.*)", line):
            asked["segments"].append(dict(zip(("id", "mark", "text"), found.groups(), strict=True)))
        elif found := re.match(r"(c\d+) (\w+): (.*)", line):
            value, end = json.JSONDecoder().raw_decode(found[3])
            asked["candidates"].append(
                {"id": found[1], "field": found[2], "value": value, "quotes": [found[3][end:]]}
            )
    return asked


# -- behaviours -------------------------------------------------------------------------------------------


def says(text: str, **options: Any) -> Behaviour:
    """Always the same text."""
    return lambda handler, body: handler.send(200, completion(text, **options))


def fails(status: int, headers: Mapping[str, str] | None = None) -> Behaviour:
    """Always the same error."""
    return lambda handler, body: handler.send(status, {"error": {"message": "no"}}, headers)


def never(handler: Handler, body: dict[str, Any]) -> None:
    """Takes the call and says nothing."""
    handler.close_connection = True
    handler.server.model.stopped.wait()


def drips(handler: Handler, body: dict[str, Any]) -> None:
    """A body without end, a byte at a time."""
    handler.close_connection = True
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    while not handler.server.model.stopped.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def slow(seconds: float, behave: Behaviour) -> Behaviour:
    """The same, later."""

    def later(handler: Handler, body: dict[str, Any]) -> None:
        handler.server.model.stopped.wait(seconds)
        behave(handler, body)

    return later


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """Another one at each call; the last stays."""
    left = list(behaviours)

    def turn(handler: Handler, body: dict[str, Any]) -> None:
        (left.pop(0) if len(left) > 1 else left[0])(handler, body)

    return turn


def without_formats(behave: Behaviour, *kinds: str) -> Behaviour:
    """A server that does not know these response formats."""

    def turn(handler: Handler, body: dict[str, Any]) -> None:
        if body.get("response_format", {}).get("type") in kinds:
            handler.send(400, {"error": {"message": "response_format is not supported"}})
        else:
            behave(handler, body)

    return turn


def faithful(facts: Facts, *, before: str = "", after: str = "") -> Behaviour:
    """Answers what it knows of the site, and names the segments that say so; null for all else."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        values = known(question(body), facts)
        handler.send(200, completion(before + json.dumps(values, ensure_ascii=False) + after))

    return answer


def refusing(facts: Facts, *fields: str) -> Behaviour:
    """Faithful, and refuses what the rules found for these fields; without any, everything."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        asked = question(body)
        found = asked.get("candidates", [])
        refused = [one["id"] for one in found if not fields or one["field"] in fields]
        values = known(asked, facts) | ({"refused": refused} if found else {})
        handler.send(200, completion(json.dumps(values, ensure_ascii=False)))

    return answer


def inventing(facts: Facts) -> Behaviour:
    """Faithful, but a fifth of its values is made up, each with segments that could seem to say so."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        asked = question(body)
        values = known(asked, facts)
        for number, name in enumerate(sorted(values)):
            if number % 5 == 0 or (values[name] is None and number % 2 == 0):
                values[name] = invented(name, asked)
        handler.send(200, completion(json.dumps(values, ensure_ascii=False)))

    return answer


def obeying(orders: Sequence[str]) -> Behaviour:
    """Does what texts on the pages tell it: every value is one of these orders, with some segments named."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        asked = question(body)
        told = [
            s["text"]
            for s in asked["segments"]
            if re.search(r"ignor|instruct|must|assistant", s["text"], re.I)
        ]
        pool = [*orders, *told] or ["World's best tool"]
        values = {
            name: shaped(name, pool[number % len(pool)], [s["id"] for s in asked["segments"][:3]])
            for number, name in enumerate(asked["wanted"])
        }
        handler.send(200, completion(json.dumps(values, ensure_ascii=False)))

    return answer


# -- what a model knows -----------------------------------------------------------------------------------


def folded(text: str) -> str:
    """Without case and white space."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).casefold()


def known(asked: dict[str, Any], facts: Facts) -> dict[str, Any]:
    """A faithful answer. Facts are texts, lists of texts, or lists of objects, as the interface has them."""
    return {name: _known(name, facts.get(name), asked["segments"]) for name in asked["wanted"]}


def _known(name: str, fact: Any, segments: list[dict[str, str]]) -> Any:
    if not fact:
        return None
    if isinstance(fact, tuple):
        value, words = fact
        return {"value": value, "segments": naming(words, segments)}
    if isinstance(fact, str):
        return {"value": fact, "segments": naming(fact, segments)}
    items = []
    for item in fact:
        if isinstance(item, dict):
            ids = naming(item.get("question") or item["name"], segments)
            items.append({**({"title": None} if name == "founders" else {}), **item, "segments": ids})
        else:
            value, words = item if isinstance(item, tuple) else (item, item)
            items.append({"value": value, "segments": naming(words, segments)})
    return items


def naming(words: str, segments: list[dict[str, str]]) -> list[str]:
    """The segments in which some words stand, shortest first."""
    found = [s for s in segments if folded(words) in folded(s["text"])]
    return [s["id"] for s in sorted(found, key=lambda s: len(s["text"]))[:3]]


def shaped(name: str, text: str, ids: list[str]) -> Any:
    """A value of the right shape for its field."""
    if name == "founders":
        return [{"name": text, "title": "Founder", "segments": ids}]
    if name == "faqs":
        return [{"question": text, "answer": text, "segments": ids}]
    one = {"value": text, "segments": ids}
    return [one] if name in {"features", "usps", "tags", "keywords", "categories"} else one


MADE_UP = {
    "founded_year": ["2013", "1999", "2017"],
    "country": ["US", "DE", "FR"],
    "city": ["Berlin", "London", "San Francisco"],
    "pricing_model": ["freemium", "subscription", "free"],
    "pricing_summary": ["Starter $19 per month, Pro $49 per month"],
    "contact_email": ["hello@example-mail.net", "sales@acquired.io"],
    "founders": ["Jordan Whitfield", "Alex Romero"],
    "faqs": ["Do you offer refunds within 30 days?"],
    "name": ["Nimbus Suite"],
    "features": ["Blockchain payroll export", "Offline voice dictation"],
}


def invented(name: str, asked: dict[str, Any]) -> Any:
    """A value that no segment states, with the segments that look most like it."""
    texts = MADE_UP.get(name, ["Trusted by 12,000 teams in 40 countries since 2009"])
    cue = {
        "founded_year": "since",
        "founders": "found",
        "pricing_summary": "price",
        "contact_email": "@",
    }.get(name, "")
    segments = [s["id"] for s in asked["segments"] if cue in s["text"].casefold()][:3]
    return shaped(name, texts[len(asked["segments"]) % len(texts)], segments or [asked["segments"][0]["id"]])


@pytest.fixture
def model(settings: Any) -> Iterator[ModelServer]:
    """A model server that the settings point at; it answers an empty object until told otherwise."""
    forget()
    with ModelServer(says("{}")) as running:
        settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = KEY, running.base_url
        settings.AI_MODEL = "stand-in"
        yield running
