"""Conditional and cached reads: an ETag from version stamps, checked before any row is read."""

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from core import throttling
from core.cache import stamp
from core.redis_scripts import Script
from core.rendering import dumps

JSON = "application/json"
BODY_SECONDS = 300
SLOT_SECONDS = 600  # weeks begin and bought places end without a change that anybody announces

# Counts the call, and tells the version that the stamps make and, in two more lines, the kept answer's links and body,
# if it was made from that version and the caller has it not.
LOOK = Script(
    throttling.COUNTING
    + """
local stamps = redis.call("MGET", unpack(KEYS, 3))
for _, one in ipairs(stamps) do
  if not one then return counted end
end
local version = redis.sha1hex(table.concat(stamps))
local kept = redis.call("HMGET", KEYS[2], "version", "etag", "links", "body")
if kept[1] ~= version or string.find(ARGV[3], kept[2], 1, true) then
  return counted .. " " .. version
end
return counted .. " " .. version .. "\\n" .. kept[3] .. "\\n" .. kept[4]
"""
)
KEEP = Script(
    """
redis.call("HSET", KEYS[1], "version", ARGV[2], "etag", ARGV[3], "links", ARGV[4], "body", ARGV[5])
redis.call("PEXPIRE", KEYS[1], ARGV[1])
"""
)


@dataclass(frozen=True, kw_only=True)
class Public:
    """How a public read may be kept. `stamps` names the bodies of data it is made of (`core.cache.changed`)."""

    stamps: tuple[str, ...]
    max_age: int = 30

    @property
    def header(self) -> str:
        """The Cache-Control value."""
        return f"public, max-age={self.max_age}, stale-while-revalidate={self.max_age}"


@dataclass(frozen=True, kw_only=True)
class Read:
    """A public read: the ETag its answer has now, None if that cannot be told, and its answer if it is kept."""

    policy: Public
    allowance: throttling.Allowance
    held: str = ""
    key: str = ""
    version: bytes = b""
    etag: str | None = None
    links: str = ""
    body: bytes | None = None

    @property
    def is_held(self) -> bool:
        """Whether the caller has the answer already."""
        return not self.asks_whether_any and self.etag is not None and matches(self.held, self.etag)

    @property
    def asks_whether_any(self) -> bool:
        """Whether the caller wants no answer if there is one, which nobody knows before looking."""
        return self.etag is not None and self.held.strip() == "*"

    @property
    def headers(self) -> dict[str, str]:
        """What goes with the answer, in full or not."""
        if self.etag is None:
            return {"Cache-Control": "no-cache"}
        return {"ETag": self.etag, "Cache-Control": self.policy.header}

    def keep(self, body: bytes, *, links: str) -> None:
        """Keep the answer for whoever asks next."""
        if self.etag is not None:
            values = (BODY_SECONDS * 1000, self.version, self.etag, links, body)
            throttling.limiter().shared.scripts.tell(KEEP, keys=[self.key], values=values)


def matches(header: str, etag: str) -> bool:
    """Whether an If-None-Match header names this ETag (weak comparison, RFC 9110 section 13.1.2)."""
    return any(candidate.strip().removeprefix("W/") in {etag, "*"} for candidate in header.split(","))


def look(request: HttpRequest, *, policy: Public, limit: str, caller: str, cost: int = 1) -> Read:
    """Count a public read against a rate limit and see what is known of its answer, in one trip."""
    query = sorted(request.GET.items()) if request.META.get("QUERY_STRING") else []
    slot = int(time.time()) // SLOT_SECONDS
    what = repr((request.get_host(), request.path, query, slot)).encode()
    key = f"kept:{hashlib.blake2b(what, digest_size=16).hexdigest()}"
    held = request.META.get("HTTP_IF_NONE_MATCH", "")
    also = throttling.Also(script=LOOK, keys=(key, *_stamp_keys(policy)), values=(held,))
    allowance, told = throttling.count_and_ask(limit, caller=caller, cost=cost, also=also)
    if told == b"" and None not in [stamp(name) for name in policy.stamps]:
        _, told = throttling.count_and_ask(limit, caller=caller, cost=0, also=also)
    known = _known(what, *told.split(b"\n", 2)) if told else {}
    return Read(policy=policy, allowance=allowance, held=held, key=key, **known)


@lru_cache(maxsize=128)
def _stamp_keys(policy: Public) -> tuple[str, ...]:
    return tuple(cache.make_key(f"stamp:{name}") for name in policy.stamps)


def _known(what: bytes, version: bytes, links: bytes = b"", body: bytes | None = None) -> dict[str, Any]:
    etag = f'"{hashlib.blake2b(what + version, digest_size=12).hexdigest()}"'
    return {"version": version, "etag": etag, "links": links.decode(), "body": body}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a read answers, before it is written as JSON."""

    data: Any
    status: int
    headers: Mapping[str, str]


def conditional(
    policy: Public | None, request: Request, answer: Callable[[], Answer], *, limit: str
) -> HttpResponse:
    """Answer a read: 304 when the caller has it, the kept body when somebody asked before, else a fresh one."""
    if policy is None:
        own = answer()
        private = {**own.headers, "Cache-Control": "private, no-store"}
        return Response(own.data, status=own.status, headers=private)
    asked: Any = request._request  # noqa: SLF001
    read = getattr(asked, "public_read", None) or look(
        asked, policy=policy, limit=limit, caller=throttling.caller_of(request), cost=0
    )
    if read.is_held:
        return Response(b"", status=304, headers=read.headers)
    response = _kept(read) or _fresh(read, answer())
    return Response(b"", status=304, headers=read.headers) if read.asks_whether_any else response


def _kept(read: Read) -> HttpResponse | None:
    if read.body is None:
        return None
    links = {"Link": read.links} if read.links else {}
    return HttpResponse(read.body, content_type=JSON, headers={**links, **read.headers})


def _fresh(read: Read, found: Answer) -> HttpResponse:
    """Bytes that are ready: a Response would look for a renderer."""
    body = dumps(found.data)
    read.keep(body, links=found.headers.get("Link", ""))
    headers = {**found.headers, **read.headers}
    return HttpResponse(body, status=found.status, content_type=JSON, headers=headers)
