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
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import connections

from config import wsgi
from config.health import ALIVE, NOT_READY, check_apart
from config.leaving import LEAVE
from core import logs
from core.api.bodies import dumps
from core.api.errors import ApiError
from core.api.handler import PROBLEM, BodyTimeoutError, UnavailableError, problem

THREADS = 8
REST_SECONDS = 60.0  # after which a thread closes its connections to the database
TICK = 0.05  # a timer may come so much too soon
# Whoever waits longer for a thread has an answer sooner elsewhere or later; half a second's work waits, and what comes
# beyond it is refused at once, so that those who are answered are answered soon. How many that are, the first tells by
# its age, however quick the machine is.
QUEUE, QUEUE_SECONDS, FULL_SECONDS = 128, 1.0, 0.4
Result = TypeVar("Result")
MMAP_THRESHOLD = -3  # of mallopt(3)
LARGE = 1024 * 1024


@dataclass(eq=False)
class RequestThread:
    """One of them, when it worked last by the loop's clock, and whether it may be connected since."""

    executor: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "request"))
    used_at: float = 0.0
    is_connected: bool = False


class Threads:
    """As many threads as may work at once, for as long as the process lives. Used on the event loop alone.

    Whoever worked last works next, so a small site uses one or two; the others rest, and close their connections.
    """

    def __init__(self, count: int = THREADS) -> None:
        self._resting = [RequestThread() for _ in range(count)]
        self._free = asyncio.Semaphore(count)
        self._turn = asyncio.Lock()  # the first of those who wait does so for a free thread
        self._waiting: deque[float] = deque()  # since when, the first one first
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, work: Callable[[], Result]) -> Result:
        """What comes of the work. Whoever gives up waiting leaves the thread busy until the work is over."""
        await self._wait()
        return await self._run(work)

    async def run_next(self, work: Callable[[], Result]) -> Result:
        """The same for a probe, which takes a thread that gets free before all who wait: many callers are no fault.

        One at a time does so.
        """
        await self._free.acquire()
        return await self._run(work)

    async def _run(self, work: Callable[[], Result]) -> Result:
        thread, loop = self._resting.pop(), asyncio.get_running_loop()
        future = thread.executor.submit(work)
        try:
            return await asyncio.wrap_future(future)
        finally:
            if future.done():
                self._release(thread)
            else:
                future.add_done_callback(partial(self._release_later, loop, thread))

    async def _wait(self) -> None:
        if not (self._waiting or self._free.locked()):
            await self._free.acquire()
            return
        busy = UnavailableError("All of us are busy. Try again soon.", headers={"Retry-After": "5"})
        now = asyncio.get_running_loop().time()
        if len(self._waiting) >= QUEUE or (self._waiting and now - self._waiting[0] > FULL_SECONDS):
            raise busy
        self._waiting.append(now)
        try:
            async with asyncio.timeout(QUEUE_SECONDS), self._turn:
                await self._free.acquire()
        except TimeoutError as error:
            raise busy from error
        finally:
            self._waiting.remove(now)

    def _release_later(
        self, loop: asyncio.AbstractEventLoop, thread: RequestThread, _future: Future[Result]
    ) -> None:
        loop.call_soon_threadsafe(self._release, thread)

    def _release(self, thread: RequestThread) -> None:
        loop = asyncio.get_running_loop()
        thread.used_at, thread.is_connected = loop.time(), True
        self._resting.append(thread)
        self._free.release()
        if self._timer is None:
            self._timer = loop.call_later(REST_SECONDS, self._let_rest)

    def _let_rest(self) -> None:
        """Have each thread close its connections that had nothing to do for so long, and come again for the others."""
        loop, self._timer = asyncio.get_running_loop(), None
        rested_at = loop.time() - REST_SECONDS + TICK
        for thread in self._resting:
            if thread.is_connected and thread.used_at <= rested_at:
                thread.executor.submit(connections.close_all)
                thread.is_connected = False
        connected = [thread.used_at for thread in self._resting if thread.is_connected]
        if connected:
            self._timer = loop.call_at(min(connected) + REST_SECONDS, self._let_rest)


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
            return await self.threads.run(partial(call, environ_of(scope, b"".join(body.pieces))))
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
            # With a space, as in RFC 9110's own examples: of what may come once, such as a key, it is no value.
            environ[key] = f"{environ[key]}, {text}" if key in environ else text
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
