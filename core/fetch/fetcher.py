"""Gets one address of a stranger: checked, pinned, bounded in bytes, hops, time, and in what its body unpacks to."""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from ssl import SSLContext
from types import TracebackType
from typing import Self

import httpcore2
import httpx2
from django.conf import settings

from core.fetch.connecting import PinnedBackend, Servers, deadline, resolve_host, seconds_left
from core.fetch.errors import Fetched, FetchError, InvalidUrlError, UrlNotPublicError
from core.fetch.urls import Resolve, check_url, join_url, raw_host
from core.outages import Bulkhead, ServiceAwayError
from core.timed import trusted

MAX_RATIO = 100
# Below this size a ratio says nothing: short repetitive pages pack very well.
RATIO_FROM = 256 * 1024
WIRE_SLACK = 64 * 1024
SMALL_BODY = 16 * 1024
ENCODINGS = frozenset({"", "identity", "gzip", "deflate"})

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
MAX_BYTES = 2 * 1024 * 1024
TIMEOUT = 20.0
MAX_REDIRECTS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})
ANY_TYPE = ("*/*",)
OTHER_SITES = Bulkhead("Other people's sites", away_seconds=0)  # each is another server

DROPPED = (httpcore2.ReadError, httpcore2.WriteError, httpcore2.RemoteProtocolError)
BROKEN = (httpcore2.NetworkError, httpcore2.ProtocolError, httpx2.DecodingError)


class WireFullError(Exception):
    """More bytes came over the wire than the body may have."""


class Wire(httpx2.SyncByteStream):
    """The undecoded body, counted: packed data that decodes to nothing must end too."""

    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer
        self.received = 0
        self.limit = SMALL_BODY

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._answer.iter_stream():
            self.received += len(chunk)
            if self.received > self.limit:
                raise WireFullError
            yield chunk

    def close(self) -> None:
        """Gives the connection back, or ends it when bytes are left on it."""
        self._answer.close()


def media_type(answer: httpx2.Response) -> tuple[str, str]:
    """The stated content type and charset in lower case; each empty when not stated."""
    stated = answer.headers.get("content-type", "")
    charset = _CHARSET.search(stated)
    return stated.partition(";")[0].strip().lower(), charset[1].lower() if charset else ""


def is_accepted(content_type: str, accept: Sequence[str]) -> bool:
    """Whether an answer of this type may be read; one that states no type may."""
    family = content_type.partition("/")[0] + "/*"
    return not content_type or any(pattern in {"*/*", family, content_type} for pattern in accept)


def is_readable(answer: httpx2.Response) -> bool:
    """Whether the body is packed in a way we asked for."""
    return answer.headers.get("content-encoding", "").strip().lower() in ENCODINGS


def read_body(answer: httpx2.Response, wire: Wire, *, max_bytes: int) -> tuple[bytes, bool]:
    """The decoded body and whether it is whole: reading stops at the caps on size, wire and ratio."""
    wire.limit = max_bytes + WIRE_SLACK
    body = bytearray()
    try:
        for chunk in answer.iter_bytes():
            seconds_left()
            body += chunk
            is_bomb = len(body) > RATIO_FROM and len(body) > MAX_RATIO * wire.received
            if len(body) > max_bytes or is_bomb:
                return bytes(body[:max_bytes]), False
    except WireFullError:
        return bytes(body), False
    return bytes(body), True


def drain(answer: httpx2.Response) -> None:
    """Reads a small body that nobody needs, so that the connection can be used again."""
    stated = answer.headers.get("content-length", "")
    if stated.isascii() and stated.isdigit() and int(stated[:6]) <= SMALL_BODY:
        with suppress(WireFullError):
            for _ in answer.iter_raw():
                pass


@dataclass(frozen=True, kw_only=True)
class _Call:
    method: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, kw_only=True)
class _Trip:
    """What the caller asked for, and where the fetch has been so far."""

    accept: Sequence[str]
    max_bytes: int
    started: float
    hops: list[str]


class Fetcher:
    """The only client for strangers' addresses. Keeps connections, never cookies; ignores proxy variables.

    Safe to share between threads. `dial` and `tls` are for tests: what opens a socket to a checked address,
    and whose certificates are trusted.
    """

    def __init__(
        self,
        *,
        user_agent: str | None = None,
        resolve: Resolve | None = None,
        dns_servers: Servers | None = None,
        dial: httpcore2.NetworkBackend | None = None,
        tls: SSLContext | None = None,
        bulkhead: Bulkhead = OTHER_SITES,
    ) -> None:
        self._bulkhead = bulkhead
        self._user_agent = settings.CRAWLER_USER_AGENT if user_agent is None else user_agent
        self._resolve = settings.CRAWL_RESOLVE if resolve is None else resolve
        servers = settings.DNS_SERVERS if dns_servers is None else dns_servers
        self._pool = httpcore2.ConnectionPool(
            ssl_context=tls or trusted(),
            max_connections=20,
            max_keepalive_connections=10,
            keepalive_expiry=15.0,
            network_backend=PinnedBackend(
                resolve=self._resolve,
                resolve_host=lambda host, seconds: resolve_host(host, servers=servers, seconds=seconds),
                dial=dial or httpcore2.SyncBackend(),
            ),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._pool.close()

    def get(
        self,
        url: str,
        *,
        accept: Sequence[str] = ANY_TYPE,
        max_bytes: int = MAX_BYTES,
        timeout: float = TIMEOUT,
        max_redirects: int = MAX_REDIRECTS,
        may_follow: Callable[[str], None] | None = None,
    ) -> Fetched:
        """The answer at `url`, redirects followed. Raises FetchError and nothing else of its own.

        Answers of any status come back; a successful one whose stated type is not in `accept` is refused
        before its body is read. `may_follow` sees each address before it is asked and may raise to stop.
        """
        trip = _Trip(accept=accept, max_bytes=max_bytes, started=time.monotonic(), hops=[])
        with self._place(), deadline(timeout):
            here = self._checked(url, refused="invalid_url")
            while True:
                answer = self._visit(here, trip)
                if isinstance(answer, Fetched):
                    return answer
                trip.hops.append(here)
                here = self._next(here, answer)
                if len(trip.hops) > max_redirects or here in trip.hops:
                    raise FetchError(
                        "too_many_redirects", f"{raw_host(here)} sends visitors round in redirects."
                    )
                if may_follow is not None:
                    may_follow(here)

    def post(
        self, url: str, *, body: bytes, headers: Mapping[str, str], max_bytes: int, timeout: float
    ) -> Fetched:
        """The answer to a body, whatever its status; its first bytes where it is longer. Redirects are not followed.

        Raises FetchError and nothing else of its own.
        """
        started = time.monotonic()
        with self._place(), deadline(timeout):
            here = self._checked(url, refused="invalid_url")
            trip = _Trip(accept=ANY_TYPE, max_bytes=max_bytes, started=started, hops=[])
            call = _Call(method="POST", headers={**headers, "Content-Length": str(len(body))}, body=body)
            with _named_failures(here):
                wire, answer = self._ask(here, call)
                with closing(answer):
                    content = read_body(answer, wire, max_bytes=max_bytes)[0] if is_readable(answer) else b""
                    return _as_fetched(here, answer, content, trip)

    @contextmanager
    def _place(self) -> Iterator[None]:
        try:
            with self._bulkhead.place():
                yield
        except ServiceAwayError as error:
            raise FetchError(
                "busy", "Too many of us wait for other sites just now. Try again in a minute."
            ) from error

    def _checked(self, url: str, *, refused: str) -> str:
        try:
            return check_url(url, resolve=self._resolve)
        except UrlNotPublicError as error:
            raise FetchError("address_not_public", error.detail) from error
        except InvalidUrlError as error:
            raise FetchError(refused, error.detail) from error

    def _next(self, here: str, target: str) -> str:
        there = self._checked(join_url(here, target), refused="redirect_refused")
        if here.startswith("https:") and there.startswith("http:"):
            raise FetchError("redirect_refused", f"{raw_host(here)} redirects from https to http.")
        return there

    def _visit(self, url: str, trip: _Trip) -> Fetched | str:
        with _named_failures(url):
            wire, answer = self._ask(url, _get(trip.accept))
            with closing(answer):
                target = answer.headers.get("location", "")
                if answer.status_code not in REDIRECTS or not target:
                    return _fetched(url, answer, wire, trip)
                drain(answer)
                return target

    def _ask(self, url: str, call: _Call) -> tuple[Wire, httpx2.Response]:
        try:
            return self._send(url, call)
        except DROPPED:
            # An idle connection may have died since its last use, which only shows when it is used.
            return self._send(url, call)

    def _send(self, url: str, call: _Call) -> tuple[Wire, httpx2.Response]:
        target = httpx2.URL(url)
        is_pinned = raw_host(url) in self._resolve
        request = httpcore2.Request(
            method=call.method,
            url=httpcore2.URL(
                scheme=b"http" if is_pinned else target.raw_scheme,
                host=target.raw_host,
                port=target.port,
                target=target.raw_path,
            ),
            headers=[
                (b"Host", target.netloc),
                (b"User-Agent", self._user_agent.encode("ascii")),
                *((name.encode("ascii"), value.encode("ascii")) for name, value in call.headers.items()),
            ],
            content=call.body or None,
            extensions={"timeout": {"pool": seconds_left()}},
        )
        answer = self._pool.handle_request(request)
        wire = Wire(answer)
        return wire, httpx2.Response(answer.status, headers=answer.headers, stream=wire)


def _get(accept: Sequence[str]) -> _Call:
    headers = {
        "Accept": ", ".join(accept),
        "Accept-Language": "en, *;q=0.5",
        "Accept-Encoding": "gzip, deflate",
    }
    return _Call(method="GET", headers=headers)


def _fetched(url: str, answer: httpx2.Response, wire: Wire, trip: _Trip) -> Fetched:
    content_type, _ = media_type(answer)
    if answer.is_success and not is_accepted(content_type, trip.accept):
        head = _as_fetched(url, answer, b"", trip)
        raise FetchError("content_type_refused", f"{url} is of type {content_type}.", partial=head)
    if not is_readable(answer):
        raise FetchError("bad_response", f"{url} is packed in a way we did not ask for.")
    body, is_whole = read_body(answer, wire, max_bytes=trip.max_bytes)
    fetched = _as_fetched(url, answer, body, trip)
    if not is_whole:
        raise FetchError("too_large", f"{url} is larger than we read.", partial=fetched)
    return fetched


def _as_fetched(url: str, answer: httpx2.Response, body: bytes, trip: _Trip) -> Fetched:
    content_type, charset = media_type(answer)
    return Fetched(
        url=url,
        status=answer.status_code,
        headers=dict(answer.headers),
        content_type=content_type,
        charset=charset,
        body=body,
        hops=tuple(trip.hops),
        fetched_at=datetime.now(UTC),
        seconds=time.monotonic() - trip.started,
    )


@contextmanager
def _named_failures(url: str) -> Iterator[None]:
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise FetchError("timeout", f"{raw_host(url)} took too long to answer.") from error
    except httpcore2.ConnectError as error:
        raise FetchError("connect_failed", f"{raw_host(url)} did not take our connection.") from error
    except BROKEN as error:
        raise FetchError(
            "bad_response", f"{raw_host(url)} gave an answer that breaks the rules of HTTP."
        ) from error
