"""Talk to any server that speaks the chat completions of the OpenAI API, within a fixed time."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import openai

from core.timed import trusted
from drafts.writing.prompt import ModelFailedError, Prompt, Reply, tokens

MAX_BYTES = 4 * 1024 * 1024
LONGEST_PAUSE = 5.0
LEAST_SECONDS = 1.0
REFUSED_PARAMETER = (openai.BadRequestError, openai.UnprocessableEntityError)
AFTER_THOUGHT = "</think>"  # where a server leaves a model's thought before its answer
BUSY = (openai.RateLimitError, openai.InternalServerError, openai.APIConnectionError)
FORMATS = ("json_schema", "json_object", "")


@dataclass
class Habits:
    """What one model of one server takes, as far as it has refused something."""

    limit: str = "max_tokens"
    is_calm: bool = True
    is_streamed: bool = True
    format: str = FORMATS[0]

    def learn(self, error: openai.APIStatusError) -> bool:
        """Leave out what an error names, or else take a simpler form; false when nothing is left to leave out."""
        before = (self.limit, self.is_calm, self.is_streamed, self.format)
        named = f"{error} {getattr(error, 'param', '')}".lower()
        if self.limit and self.limit in named:
            # models that count in this other way take no temperature either
            is_renamed = self.limit == "max_tokens" and "max_completion_tokens" in named
            self.limit, self.is_calm = ("max_completion_tokens" if is_renamed else ""), False
        elif self.is_calm and "temperature" in named:
            self.is_calm = False
        elif self.is_streamed and "stream" in named:
            self.is_streamed = False
        elif self.format:
            self.format = FORMATS[FORMATS.index(self.format) + 1]
            self.is_calm = self.is_calm and bool(self.format)
        return before != (self.limit, self.is_calm, self.is_streamed, self.format)


_habits: dict[tuple[str, str], Habits] = {}


def forget() -> None:
    """Know of no server any longer what it refuses."""
    _habits.clear()


class OpenAIModel:
    """Asks for a strict schema first, then for any JSON object, then for plain text, as the server allows.

    What a server refuses is left out from then on, in this process. The SDK's own retries are off: they wait as long
    as the server says, and its time-out is per read.
    """

    def __init__(
        self, *, api_key: str, base_url: str, model: str, output_tokens: int, is_streamed: bool = False
    ) -> None:
        self.name = model
        self.output_tokens = output_tokens
        self._key, self._base_url = api_key, base_url or None
        self._habits = _habits.setdefault((base_url, model), Habits(is_streamed=is_streamed))

    def ask(self, prompt: Prompt, *, ends_at: float) -> Reply:
        http = openai.DefaultHttpxClient(verify=trusted(trust_env=True))
        with openai.OpenAI(
            api_key=self._key, base_url=self._base_url, max_retries=0, http_client=http
        ) as client:
            while True:
                try:
                    return self._insist(client, prompt, ends_at=ends_at)
                except REFUSED_PARAMETER as error:
                    if not self._habits.learn(error):
                        raise ModelFailedError("rejected") from error
                except openai.APIError as error:
                    raise ModelFailedError("rejected") from error

    def _wishes(self, prompt: Prompt) -> dict[str, Any]:
        habits = self._habits
        wishes: dict[str, Any] = {"temperature": 0} if habits.is_calm else {}
        if habits.limit:
            wishes[habits.limit] = self.output_tokens
        if habits.is_streamed:
            wishes |= {"stream": True, "stream_options": {"include_usage": True}}
        if habits.format == "json_schema":
            strict = {"name": "profile", "strict": True, "schema": prompt.schema}
            wishes["response_format"] = {"type": "json_schema", "json_schema": strict}
        elif habits.format:
            wishes["response_format"] = {"type": habits.format}
        return wishes

    def _insist(self, client: openai.OpenAI, prompt: Prompt, *, ends_at: float) -> Reply:
        """Ask, and once more when the server is busy and time is left. One that was busy first is not silent."""
        may_wait, late = True, "timeout"
        while True:
            try:
                return self._send(client, prompt, ends_at=ends_at)
            except openai.APITimeoutError as error:
                raise ModelFailedError(late) from error
            except BUSY as error:
                pause = _pause(error)
                is_busy = isinstance(error, openai.APIStatusError)
                if not may_wait or ends_at - time.monotonic() < pause + LEAST_SECONDS:
                    raise ModelFailedError("busy" if is_busy else "unreachable") from error
                may_wait, late = False, "busy" if is_busy else late
                time.sleep(pause)

    def _send(self, client: openai.OpenAI, prompt: Prompt, *, ends_at: float) -> Reply:
        """One request. Its body is read by the clock: a server that drips would otherwise go on for ever."""
        left = ends_at - time.monotonic()
        if left < LEAST_SECONDS:
            raise ModelFailedError("timeout")
        create = client.chat.completions.with_streaming_response.create
        messages = _messages(prompt, with_schema=self._habits.format != "json_schema")
        body = b""
        try:
            with create(model=self.name, messages=messages, timeout=left, **self._wishes(prompt)) as response:  # type: ignore[arg-type]
                for piece in response.iter_bytes():
                    body += piece
                    if time.monotonic() > ends_at:
                        raise ModelFailedError("timeout")
                    if len(body) > MAX_BYTES:
                        raise ModelFailedError("garbage")
        except httpx2.TimeoutException as error:
            raise ModelFailedError("timeout") from error
        except httpx2.HTTPError as error:
            raise ModelFailedError("unreachable") from error
        return _reply(body, prompt)


def _messages(prompt: Prompt, *, with_schema: bool) -> list[dict[str, str]]:
    system = prompt.system
    if with_schema:
        system += f"\nThe answer follows this JSON schema: {json.dumps(prompt.schema, separators=(',', ':'))}"
    rows = [{"role": "system", "content": system}, {"role": "user", "content": prompt.user}]
    for role, text in zip(("assistant", "user"), prompt.repair, strict=False):
        rows.append({"role": role, "content": text})
    return rows


def _pause(error: openai.APIError) -> float:
    response = getattr(error, "response", None)
    try:
        stated = float(response.headers.get("retry-after", "")) if response is not None else 0.5
    except ValueError:
        stated = 0.5
    return min(max(0.1, stated), LONGEST_PAUSE)  # in this order: what is no number is no pause


def _reply(body: bytes, prompt: Prompt) -> Reply:
    """The answer in a body: one object, or events with the pieces of one."""
    try:
        pieces = [json.loads(body)] if body.lstrip()[:1] == b"{" else list(_events(body))
        texts, refusals, finish = [], [], ""
        usage: dict[str, Any] = {}
        for piece in pieces:
            usage = piece.get("usage") or usage
            for choice in piece["choices"][:1]:
                message = choice.get("message") or choice.get("delta") or {}
                texts.append(_text(message.get("content")))
                refusals.append(message.get("refusal") or "")
                finish = choice.get("finish_reason") or finish
        # no column and no second question takes NUL or half an emoji
        text = "".join(texts).replace("\0", "").encode("utf-8", "ignore").decode()
        refusal = "".join(refusals)
        tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFailedError("garbage") from error
    if not texts:
        raise ModelFailedError("garbage")
    return Reply(
        text=text.rpartition(AFTER_THOUGHT)[2],
        finish=str(finish or "stop"),
        refusal=refusal,
        tokens_in=_count(tokens_in, prompt.system + prompt.user),
        tokens_out=_count(tokens_out, text),
    )


def _text(content: Any) -> str:
    """A message's content is a text, or a list of parts of which some are texts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    return content or ""


def _events(body: bytes) -> Iterator[dict[str, Any]]:
    for line in body.splitlines():
        data = line.removeprefix(b"data:").strip()
        if line.startswith(b"data:") and data != b"[DONE]":
            yield json.loads(data)


def _count(count: Any, text: str) -> int:
    """What the server counted, or a guess where it counts nothing."""
    return count if type(count) is int and 0 <= count < 10_000_000 else tokens(text)
