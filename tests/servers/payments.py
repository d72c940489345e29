"""What the stand-ins for payment providers share: they keep what they were told, honour idempotency keys, and fail on
request: with a status, or by doing it and hanging up without an answer.
"""

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Call:
    """One request as the stand-in saw it."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any
    raw: bytes


class Answer(Exception):  # noqa: N818  (what a route answers out of turn)
    """A status with a body."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(status)
        self.status, self.body = status, body


class Handler(BaseHTTPRequestHandler):
    """Finds the route and sends JSON."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: a test reads `calls` instead."""

    def _any(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        call = Call(
            method=self.command,
            path=parts.path,
            query=dict(parse_qsl(parts.query)),
            headers={name.lower(): value for name, value in self.headers.items()},
            body=read(raw, self.headers.get("Content-Type", "")),
            raw=raw,
        )
        try:
            status, body = self.server.stand_in.answer(call)
        except TimeoutError:
            self.close_connection = True
            return
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self._any()

    def do_POST(self) -> None:
        self._any()


def read(raw: bytes, content_type: str) -> Any:
    """A body: JSON, or a form with `a[b][0]` in its names."""
    if "json" in content_type:
        return json.loads(raw or b"{}")
    found: dict[str, Any] = {}
    for name, value in parse_qsl(raw.decode(), keep_blank_values=True):
        steps = [name.partition("[")[0], *re.findall(r"\[([^\]]*)\]", name)]
        here = found
        for step in steps[:-1]:
            here = here.setdefault(step, {})
        here[steps[-1]] = value
    return found


class Server(ThreadingHTTPServer):
    daemon_threads = True
    stand_in: "StandIn"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up early is no news."""


Route = Callable[[Any, Call, tuple[str, ...]], Any]


@dataclass
class StandIn:
    """A running server. `troubles` are taken one a call: a status, or `lost` to do it and hang up without an answer."""

    calls: list[Call] = field(default_factory=list)
    troubles: list[int | str] = field(default_factory=list)
    keys: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    routes: ClassVar[dict[str, Route]] = {}
    key_header: ClassVar[str] = ""

    def __enter__(self) -> Self:
        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.stand_in = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, call: Call) -> tuple[int, Any]:
        """What a call gets."""
        with self.lock:
            self.calls.append(call)
            trouble = self.troubles.pop(0) if self.troubles else None
            if isinstance(trouble, int):
                return trouble, {"error": {"message": "no", "type": "api_error"}}
            try:
                status, body = 200, self._routed(call)
            except Answer as other:
                status, body = other.status, other.body
        if trouble == "lost":
            raise TimeoutError
        return status, body

    def _routed(self, call: Call) -> Any:
        key = call.headers.get(self.key_header, "") if self.key_header else ""
        if key in self.keys:
            asked, answer = self.keys[key]
            if asked != call.body:
                raise Answer(400, {"error": {"type": "idempotency_error", "message": "other parameters"}})
            return answer
        for pattern, route in self.routes.items():
            if found := re.fullmatch(pattern, f"{call.method} {call.path}"):
                answer = route(self, call, found.groups())
                if key:
                    self.keys[key] = (call.body, json.loads(json.dumps(answer)))
                return answer
        raise Answer(404, {"error": {"type": "invalid_request_error", "message": "no such thing"}})

    def count(self, pattern: str) -> int:
        """How many calls there were."""
        return sum(1 for call in self.calls if re.fullmatch(pattern, f"{call.method} {call.path}"))
