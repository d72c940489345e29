"""A website on the loopback interface with real sockets, as polite or as hostile as a test needs."""

import gzip
import socket
import ssl
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import httpcore2
import pytest

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Request:
    """One request as the server saw it. `at` is the server's own clock."""

    host: str
    path: str
    headers: dict[str, str]
    at: float
    body: bytes = b""


class Handler(BaseHTTPRequestHandler):
    """Looks the path up and lets its reply write to the socket."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: a test reads `requests` instead."""

    def do_POST(self) -> None:
        """The same for what brings a body."""
        self.do_GET(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def do_GET(self, body: bytes = b"") -> None:
        """Answers as the site says."""
        site = self.server.site
        headers = {name.lower(): value for name, value in self.headers.items()}
        site.requests.append(Request(headers.get("host", ""), self.path, headers, time.monotonic(), body))
        reply = site.pages.get(self.path) or site.pages.get(self.path.partition("?")[0]) or site.otherwise
        try:
            reply(self)
        except OSError:
            self.close_connection = True

    def answer(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """One whole answer."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def begin(self, headers: Mapping[str, str] | None = None) -> None:
        """The head of an answer that ends when the connection does."""
        self.close_connection = True
        self.send_response(200)
        for name, value in {"Content-Type": "text/html", "Connection": "close", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()

    def trickle(self, piece: bytes, *, every: float) -> None:
        """The same piece again and again, until the client or the test ends."""
        while not self.server.site.stopped.wait(every):
            self.wfile.write(piece)
            self.wfile.flush()


Reply = Callable[[Handler], None]


class Server(ThreadingHTTPServer):
    """Knows which site it serves."""

    daemon_threads = True
    request_queue_size = 64
    site: "Website"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up early is no news."""


def html(
    text: str | bytes,
    *,
    status: int = 200,
    content_type: str = "text/html; charset=utf-8",
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """A page. An empty content type leaves the header out."""
    body = text.encode() if isinstance(text, str) else text
    stated = {"Content-Type": content_type} if content_type else {}
    return lambda handler: handler.answer(status, body, {**stated, **(headers or {})})


def plain(text: str | bytes, *, status: int = 200) -> Reply:
    """A text file, like robots.txt."""
    return html(text, status=status, content_type="text/plain")


def redirect(location: str, *, status: int = 302) -> Reply:
    """Sends the visitor elsewhere."""
    return lambda handler: handler.answer(status, b"", {"Location": location})


def packed(text: str | bytes, *, content_type: str = "text/html") -> Reply:
    """A page under gzip."""
    body = gzip.compress(text.encode() if isinstance(text, str) else text)
    return html(body, content_type=content_type, headers={"Content-Encoding": "gzip"})


def gzip_bomb(*, megabytes: int, content_type: str = "text/html") -> Reply:
    """Zeros that unpack a thousandfold: a megabyte's block again and again."""
    zeros, packer, check = bytes(1_048_576), zlib.compressobj(wbits=-15), 0
    block = packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(megabytes):
        check = zlib.crc32(zeros, check)
    end = packer.flush() + struct.pack("<II", check, megabytes * len(zeros))
    body = gzip.compress(b"")[:10] + block * megabytes + end
    return html(body, content_type=content_type, headers={"Content-Encoding": "gzip"})


def endless(piece: bytes = b"<p>more text</p>" * 4096, *, headers: Mapping[str, str] | None = None) -> Reply:
    """A body without end, as fast as the client reads."""

    def reply(handler: Handler) -> None:
        handler.begin(headers)
        handler.trickle(piece, every=0)

    return reply


def drip(*, every: float = 0.01, piece: bytes = b"<p>x") -> Reply:
    """A body of a few bytes at a time, so that no single wait is long."""

    def reply(handler: Handler) -> None:
        handler.begin()
        handler.trickle(piece, every=every)

    return reply


def drip_headers(*, every: float = 0.01) -> Reply:
    """A head that never ends."""

    def reply(handler: Handler) -> None:
        handler.close_connection = True
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        handler.trickle(b"X-More: 1\r\n", every=every)

    return reply


def hang() -> Reply:
    """Takes the request and never answers."""

    def reply(handler: Handler) -> None:
        handler.close_connection = True
        handler.server.site.stopped.wait()

    return reply


def slow(seconds: float, reply: Reply) -> Reply:
    """The same answer, later."""

    def later(handler: Handler) -> None:
        handler.server.site.stopped.wait(seconds)
        reply(handler)

    return later


def raw(data: bytes) -> Reply:
    """Bytes as they are, and the end of the connection."""

    def reply(handler: Handler) -> None:
        handler.close_connection = True
        handler.wfile.write(data)

    return reply


def in_turn(*replies: Reply) -> Reply:
    """Another answer on each visit; the last one stays."""
    left = list(replies)

    def reply(handler: Handler) -> None:
        turn = left.pop(0) if len(left) > 1 else left[0]
        turn(handler)

    return reply


NOT_FOUND = html("<h1>Not found</h1>", status=404)


class Website:
    """A running site: `pages` maps paths to replies or plain HTML and may change while it runs."""

    def __init__(
        self,
        pages: Mapping[str, Reply | str] | None = None,
        *,
        otherwise: Reply = NOT_FOUND,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.pages: dict[str, Reply] = {
            path: html(reply) if isinstance(reply, str) else reply for path, reply in (pages or {}).items()
        }
        self.otherwise = otherwise
        self.requests: list[Request] = []
        self.stopped = threading.Event()
        self._server = Server((LOOPBACK, 0), Handler)
        self._server.site = self
        if tls is not None:
            self._server.socket = tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> tuple[str, int]:
        """Where the site listens."""
        return LOOPBACK, self._server.server_address[1]

    @property
    def paths(self) -> list[str]:
        """The paths asked for, in order."""
        return [request.path for request in list(self.requests)]

    def at(self, *hosts: str) -> dict[str, tuple[str, int]]:
        """A CRAWL_RESOLVE value that leads these hosts here."""
        return dict.fromkeys(hosts, self.address)


class Canary:
    """A listener that nobody may reach; it counts who did."""

    def __init__(self) -> None:
        self._socket = socket.create_server((LOOPBACK, 0))
        self._socket.settimeout(0.05)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self.visits = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        self._thread.join()
        self._socket.close()

    @property
    def address(self) -> tuple[str, int]:
        """Where the canary sits."""
        return self._socket.getsockname()[:2]

    def _listen(self) -> None:
        while not self._stopped.is_set():
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            self.visits += 1
            connection.close()


class Detour(httpcore2.NetworkBackend):
    """Opens connections for a Fetcher: the addresses in `known` as they are, all others at `elsewhere`.

    With a canary elsewhere, every attempt to connect anywhere is seen. With a site elsewhere, a public
    address can be served from the loopback interface.
    """

    def __init__(self, elsewhere: tuple[str, int], *known: tuple[str, int]) -> None:
        self.elsewhere = elsewhere
        self.known = frozenset(known)
        self.dialled: list[tuple[str, int]] = []
        self._real = httpcore2.SyncBackend()

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, **wishes: Any) -> Any:
        """A connection to the address, or to the stand-in for it."""
        self.dialled.append((host, port))
        target = (host, port) if (host, port) in self.known else self.elsewhere
        return self._real.connect_tcp(*target, timeout, **wishes)


@pytest.fixture
def canary() -> Iterator[Canary]:
    """A running canary."""
    with Canary() as running:
        yield running


@pytest.fixture
def website() -> Iterator[Website]:
    """A running site without pages; give it some."""
    with Website() as running:
        yield running
