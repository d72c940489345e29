"""Cached answers of public reads: bodies stay in the process for seconds, Redis says which of them are out of date.

A stamp in Redis stands for a body of data (`core.cache.changed`). An answer is good for as long as the stamps of what
it is made of are the ones that were read before it was made, and never for longer than `Public.max_age`: a stamp that
was not renewed because Redis was away can leave nothing old behind for longer than that.
"""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from core.api import throttling
from core.api.bodies import dumps

JSON = "application/json"
MAX_BYTES = 32 * 1024 * 1024  # in each web process
ENTRY_BYTES = 1024  # about what an answer takes beside its body
LIFETIME = 30  # seconds
SLOT_SECONDS = 600  # weeks begin and bought places end without a change that anybody announces


@dataclass(frozen=True, kw_only=True)
class Public:
    """How a public read may be cached. `stamps` names the bodies of data it is made of, except for counters.

    Votes, followers and views renew no stamp: what an answer says of them is up to `max_age` seconds old.
    """

    stamps: tuple[str, ...]
    max_age: int = LIFETIME

    @property
    def header(self) -> str:
        return f"public, max-age={self.max_age}, stale-while-revalidate={self.max_age}"


@dataclass(kw_only=True, slots=True)
class CachedAnswer:
    """An answer as it goes out, the version of the data it was made from, and when (epoch seconds)."""

    version: bytes
    made_at: float
    body: bytes
    etag: str
    links: str


class AnswerCache:
    """The answers of this process, at most so many bytes; those that were not asked for longest go first."""

    def __init__(self, *, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.bytes = 0
        self._answers: OrderedDict[Hashable, CachedAnswer] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> CachedAnswer | None:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def put(self, key: Hashable, answer: CachedAnswer) -> None:
        with self._lock:
            self._forget(key)
            self._answers[key] = answer
            self.bytes += _size(answer)
            while self._answers and (self.bytes > self.max_bytes or self._is_first_old(at=answer.made_at)):
                self._forget(next(iter(self._answers)))

    def _is_first_old(self, *, at: float) -> bool:
        return next(iter(self._answers.values())).made_at < at - LIFETIME

    def clear(self) -> None:
        with self._lock:
            self._answers.clear()
            self.bytes = 0

    def _forget(self, key: Hashable) -> None:
        answer = self._answers.pop(key, None)
        if answer is not None:
            self.bytes -= _size(answer)


def _size(answer: CachedAnswer) -> int:
    return len(answer.body) + ENTRY_BYTES


ANSWERS = AnswerCache(max_bytes=MAX_BYTES)
PARTS: OrderedDict[Hashable, tuple[float, Any]] = OrderedDict()
MOST_PARTS = 4096  # of which the largest, two hundred ids, takes 2 KB
_VERSION: ContextVar[bytes | None] = ContextVar("version", default=None)


def shared(key: Hashable) -> Any:
    """What `share` put under this key while the data was the same, for as long as an answer is cached; else None.

    For what several answers are made of, such as the total of a list that is asked for page by page. Nothing is shared
    where answers are not cached.
    """
    ends_at, value = PARTS.get((_VERSION.get(), key), (0.0, None))
    return value if time.time() < ends_at else None


def share(key: Hashable, value: Any) -> None:
    """Keep a part of this answer, which nobody changes any more, for others that are made of the same data."""
    version = _VERSION.get()
    if version is None:
        return
    PARTS[version, key] = time.time() + LIFETIME, value
    if len(PARTS) > MOST_PARTS:
        PARTS.popitem(last=False)


class PublicResponse(HttpResponse):
    def items(self) -> Any:
        """Names and values, at once: Django looks each up by its name in small letters."""
        return self.headers._store.values()  # noqa: SLF001


def put_headers(response: HttpResponse, headers: Mapping[str, str]) -> None:
    """Headers that we have written ourselves, in ASCII and one line: Django's look at each is most of their cost."""
    store = response.headers._store  # noqa: SLF001
    store.update({name.lower(): (name, value) for name, value in headers.items()})


@dataclass(kw_only=True)
class Lookup:
    """A public read that was counted: the data's version (None while Redis is away) and the answer if it is cached."""

    policy: Public
    allowance: throttling.Allowance
    if_none_match: str
    key: Hashable
    version: bytes | None
    at: float
    cached: CachedAnswer | None

    def respond(self, answer: CachedAnswer) -> HttpResponse:
        """The answer in full, or 304 when the caller has it."""
        headers = {"ETag": answer.etag, "Cache-Control": self.policy.header if self.version else "no-cache"}
        if answer is self.cached:
            headers["Age"] = str(int(self.at - answer.made_at))
        if self.if_none_match and matches(self.if_none_match, answer.etag):
            response = PublicResponse(status=304, content_type="")
            del response["Content-Type"]  # which Django puts there by itself
        else:
            response = PublicResponse(answer.body, content_type=JSON)
            if answer.links:
                response["Link"] = answer.links
        put_headers(response, headers)
        return response

    def respond_with(self, body: bytes, *, links: str) -> HttpResponse:
        """A new answer, which is cached if that can be done."""
        answer = CachedAnswer(
            version=self.version or b"", made_at=self.at, body=body, etag=_etag(body), links=links
        )
        if self.version is not None:
            ANSWERS.put(self.key, answer)
        return self.respond(answer)


def matches(header: str, etag: str) -> bool:
    """Whether an If-None-Match header names this ETag (weak comparison, RFC 9110 section 13.1.2)."""
    return any(candidate.strip().removeprefix("W/") in {etag, "*"} for candidate in header.split(","))


def _etag(body: bytes) -> str:
    return f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'


def fresh(request: HttpRequest, body: bytes, *, media_type: str, headers: Mapping[str, str]) -> HttpResponse:
    """A file as it was just made, with its ETag; 304 when the caller has it."""
    headers = {**headers, "ETag": _etag(body)}
    if matches(request.headers.get("If-None-Match", ""), headers["ETag"]):
        return HttpResponse(status=304, content_type=media_type, headers=headers)
    return HttpResponse(body, content_type=media_type, headers=headers)


def only_declared(request: HttpRequest, names: tuple[str, ...]) -> None:
    """Drop the query parameters that the operation does not know, so that its answer is the one without them."""
    unknown = [name for name in request.GET if name not in names]
    if unknown:
        declared = request.GET.copy()
        for name in unknown:
            del declared[name]
        request.GET = declared  # type: ignore[assignment]


def find_cached(
    request: HttpRequest, *, policy: Public, names: tuple[str, ...], limit: str, caller: str
) -> Lookup:
    """Count a public read, read the version of its data in the same trip to Redis, and see what is cached.

    `limit` names the policy, `names` are the query parameters that the operation declares. Raises SuspiciousOperation
    for a host that is not ours.
    """
    at = time.time()
    params: tuple[tuple[str, Any], ...] = ()
    if request.META.get("QUERY_STRING"):
        only_declared(request, names)
        params = tuple(sorted(request.GET.items()))
    key = (request.get_host(), request.path, params, int(at) // SLOT_SECONDS)
    allowance, version = throttling.count_and_read(limit, caller=caller, stamps=_stamp_keys(policy))
    if any("\ufffd" in value for _, value in params):
        version = None  # stands for bytes that are no text, which the view may refuse
    cached = ANSWERS.get(key)
    is_good = cached is not None and cached.version == version and 0 <= at - cached.made_at < policy.max_age
    return Lookup(
        policy=policy,
        allowance=allowance,
        if_none_match=request.META.get("HTTP_IF_NONE_MATCH", ""),
        key=key,
        version=version,
        at=at,
        cached=cached if is_good else None,
    )


@lru_cache(maxsize=128)
def _stamp_keys(policy: Public) -> tuple[str, ...]:
    return tuple(cache.make_key(f"stamp:{name}") for name in policy.stamps)


@dataclass(kw_only=True)
class Answer:
    """What a read answers, before it is written as JSON."""

    data: Any
    status: int
    headers: Mapping[str, str]


def cached_or_made(lookup: Lookup, make: Callable[[], Answer]) -> HttpResponse:
    if lookup.cached is not None:
        return lookup.respond(lookup.cached)
    token = _VERSION.set(lookup.version)
    try:
        made = make()
    finally:
        _VERSION.reset(token)
    return lookup.respond_with(dumps(made.data), links=made.headers.get("Link", ""))
