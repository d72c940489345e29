"""Conditional and cached reads: an ETag from a version stamp, checked before any row is read."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.response import Response

from core.cache import stamp
from core.rendering import dumps

BODY_SECONDS = 300
SLOT_SECONDS = 600  # weeks begin and bought places end without a change that anybody announces


@dataclass(frozen=True, kw_only=True)
class Public:
    """How a public read may be kept. `stamps` names the bodies of data it is made of (`core.cache.changed`)."""

    stamps: tuple[str, ...]
    max_age: int = 30

    @property
    def header(self) -> str:
        """The Cache-Control value."""
        return f"public, max-age={self.max_age}, stale-while-revalidate={self.max_age}"


def matches(header: str, etag: str) -> bool:
    """Whether an If-None-Match header names this ETag (weak comparison, RFC 9110 section 13.1.2)."""
    return any(candidate.strip().removeprefix("W/") in {etag, "*"} for candidate in header.split(","))


def _etag(request: Request, *, policy: Public) -> str | None:
    stamps = [stamp(name) for name in policy.stamps]
    if None in stamps:
        return None
    query = sorted(request.query_params.items())
    slot = int(time.time()) // SLOT_SECONDS
    what = repr((request.get_host(), request.path, query, stamps, slot))
    digest = hashlib.blake2b(what.encode(), digest_size=12)
    return f'"{digest.hexdigest()}"'


def conditional(policy: Public | None, request: Request, answer: Callable[[], Response]) -> Response:
    """Answer a read: 304 when the caller has it, the kept body when somebody asked before, else a fresh one."""
    if policy is None:
        response = answer()
        response["Cache-Control"] = "private, no-store"
        return response
    etag = _etag(request, policy=policy)
    if etag is None:
        response = answer()
        response["Cache-Control"] = "no-cache"
        return response
    headers = {"ETag": etag, "Cache-Control": policy.header}
    held = request.headers.get("If-None-Match", "")
    asks_whether_any = held.strip() == "*"  # which nobody knows before looking
    if matches(held, etag) and not asks_whether_any:
        return Response(b"", status=304, headers=headers)
    response = _kept(etag) or _fresh(etag, answer)
    if asks_whether_any:
        return Response(b"", status=304, headers=headers)
    for name, value in headers.items():
        response[name] = value
    return response


def _kept(etag: str) -> Response | None:
    kept = cache.get(f"body:{etag}")
    if kept is None:
        return None
    body, links = kept
    return Response(body, headers={"Link": links} if links else None)


def _fresh(etag: str, answer: Callable[[], Response]) -> Response:
    response = answer()
    response.data = dumps(response.data)
    cache.set(f"body:{etag}", (response.data, response.get("Link", "")), BODY_SECONDS)
    return response
