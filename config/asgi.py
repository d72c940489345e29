"""The ASGI application that the web server runs: a request gets one of a few threads once its whole body is here.

Reading costs no thread, so callers that send slowly or not at all keep nobody waiting. Django itself stays
synchronous: the threads bound its database connections. Whether the process lives is answered without a thread.
"""

import asyncio
import contextlib
import ctypes
import signal
import sys
import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.conf import settings

from config import wsgi
from config.health import ALIVE, NOT_READY, check_apart
from config.leaving import LEAVE
from config.threads import Threads
from core import logs
from core.api.bodies import dumps
from core.api.errors import ApiError
from core.api.handler import PROBLEM, BodyTimeoutError, UnavailableError, problem

MMAP_THRESHOLD = -3  # of mallopt(3)
LARGE = 1024 * 1024


def give_back_large_pieces() -> None:
    """Have the allocator map them one by one.

    Left alone, glibc learns from the first large piece that is freed to keep such pieces for each thread.
    """
    with contextlib.suppress(AttributeError, OSError):  # another libc, which has no such habit
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)


LIVE, READY = "/healthz", "/readyz"
PROBES = {LIVE, READY}
READY_SECONDS, SHARED_SECONDS = 2.0, 1.0  # within what probes wait for; how long a check is told to others
SMALL_BODY = 64 * 1024
ROOM = 64 * 1024 * 1024  # bytes of larger bodies that are held at a time, in one process

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class DisconnectedError(Exception):
    """The caller went away before the body was complete."""


def _refuse_write(_more: bytes) -> None:
    raise NotImplementedError("The old way to write of PEP 3333, which Django does not go.")


@dataclass
class Answer:
    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""

    def start(
        self, status: str, headers: list[tuple[str, str]], _error: Any = None, /
    ) -> Callable[[bytes], Any]:
        self.status = int(status[:3])
        self.headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return _refuse_write


@dataclass
class Application:
    threads: Threads = field(default_factory=Threads)
    buffered: int = 0
    is_leaving: bool = False
    check: asyncio.Future[tuple[int, dict[str, Any]]] | None = None
    checked_at: float = 0.0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise NotImplementedError(f"There is no {scope['type']} here.")
        answer = await self.answer(scope, receive)
        if answer is None:
            return
        if self.is_leaving:
            answer.headers.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def answer(self, scope: Message, receive: Receive) -> Answer | None:
        """The answer, unless the caller went away."""
        if scope["path"] in PROBES and scope["method"] in {"GET", "HEAD"}:
            is_ready = scope["path"] == READY
            status, state = await self.readiness() if is_ready else (200, ALIVE)
            return from_the_loop(status, state, method=scope["method"])
        body = Body(self)
        try:
            if any(name in {b"content-length", b"transfer-encoding"} for name, _ in scope["headers"]):
                await body.wait(receive)
            environ = environ_of(scope, b"".join(body.pieces))
            return await self.threads.run(partial(call, environ))
        except DisconnectedError:
            return None
        except ApiError as error:
            return refusal(error, path=scope["path"])
        finally:
            self.buffered -= body.counted

    async def readiness(self) -> tuple[int, dict[str, Any]]:
        """What the last check found: whoever asks often, or many at once, has no more threads than a balancer."""
        now = asyncio.get_running_loop().time()
        if self.check is None or (self.check.done() and now >= self.checked_at + SHARED_SECONDS):
            self.check = asyncio.ensure_future(self.threads.run_next(check_apart))
            self.checked_at = now
        try:
            return await asyncio.wait_for(asyncio.shield(self.check), READY_SECONDS)
        except TimeoutError:
            return 503, NOT_READY

    def leave(self, *_signal: Any) -> None:
        """End each connection with its next answer."""
        self.is_leaving = True


@dataclass
class Body:
    """A body as it comes in. What is past the largest that we take is dropped."""

    application: Application
    pieces: list[bytes] = field(default_factory=list)
    size: int = 0
    counted: int = 0

    async def wait(self, receive: Receive) -> None:
        """Take all of it in, within BODY_SECONDS."""
        try:
            async with asyncio.timeout(settings.BODY_SECONDS):
                while self._take(await receive()):
                    pass
        except TimeoutError as error:
            raise BodyTimeoutError(f"The body was not complete after {settings.BODY_SECONDS:g} s.") from error

    def _take(self, message: Message) -> bool:
        if message["type"] == "http.disconnect":
            raise DisconnectedError
        piece = message.get("body", b"")
        if self.size <= wsgi.LARGEST_BODY:
            self.pieces.append(piece)
            self.size += len(piece)
        if self.size - self.counted > SMALL_BODY:
            self.application.buffered += self.size - self.counted
            self.counted = self.size
        if self.application.buffered > ROOM:
            raise UnavailableError(
                "Too many large bodies are on their way here.", headers={"Retry-After": "5"}
            )
        return bool(message.get("more_body"))


def environ_of(scope: Message, body: bytes) -> dict[str, Any]:
    """The request as WSGI has it (PEP 3333). Names with underscores could pass for others, so they are left out."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": wsgi.stream_of(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").upper()
        if "_" not in name:
            key = "HTTP_" + name.replace("-", "_")
            text = value.decode("latin-1")
            environ[key] = f"{environ[key]},{text}" if key in environ else text
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    length = environ.pop("HTTP_CONTENT_LENGTH", "")
    environ["CONTENT_LENGTH"] = length or (str(len(body)) if "HTTP_TRANSFER_ENCODING" in environ else "")
    return environ


def call(environ: dict[str, Any]) -> Answer:
    """Run the WSGI application to its end, in the thread that has the database connection."""
    answer = Answer()
    answered = wsgi.answer(environ, answer.start)
    try:
        answer.body = b"".join(answered)
    finally:
        answered.close()
    return answer


def refusal(error: ApiError, *, path: str) -> Answer:
    """A problem object from before Django; what is left of the body makes the connection useless."""
    logs.count(path, status=error.status)
    request_id = uuid.uuid4().hex
    headers = {"content-type": PROBLEM, "connection": "close", "x-request-id": request_id, **error.headers}
    return Answer(
        status=error.status,
        headers=[(name.lower().encode(), value.encode()) for name, value in headers.items()],
        body=dumps(problem(error, instance=path, request_id=request_id)),
    )


def from_the_loop(status: int, body: dict[str, Any], *, method: str) -> Answer:
    """What a probe is told without a thread."""
    text = dumps(body)
    headers = {
        "content-type": "application/json",
        "content-length": str(len(text)),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-request-id": uuid.uuid4().hex,
    }
    return Answer(
        status=status,
        headers=[(name.encode(), value.encode()) for name, value in headers.items()],
        body=b"" if method == "HEAD" else text,
    )


give_back_large_pieces()
application = Application()
signal.signal(LEAVE, application.leave)
