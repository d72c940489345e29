"""What every answer carries: a request id and, for the API, the rate limit of its caller and leave for any origin.

Texts are compressed for callers who take gzip, and operations go a short way: a cached answer or 304 at once, what
everybody may read from the operation alone, all the rest from the view alone.
"""

import gzip
import logging
import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any

import orjson
import structlog
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.middleware.security import SecurityMiddleware
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.text import compress_string
from rest_framework.response import Response

from core import logs, outages, replica, traces
from core.api import throttling
from core.api.bodies import accepts_json
from core.api.caching import Lookup, find_cached, put_headers
from core.api.errors import InvalidRequestError
from core.api.handler import respond
from core.api.operations import Operation
from core.logs import path_of
from core.outages import database

SMALLEST = 1024  # bytes
TEXTS = re.compile(r"text/|application/(?:[\w.-]+\+)?(?:json|xml)|application/javascript|image/svg\+xml")
TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
RANDOM_BYTES = 100  # of padding, so that lengths do not tell what a page holds beside a guess (BREACH)
COMPRESSED_CACHED = 64
logger = logging.getLogger("requests")
WATCHERS = {"/healthz", "/readyz", "/metrics"}
SENT_ID = re.compile(r"[A-Za-z0-9._-]{8,64}\Z")
API, MCP = "/api/", "/mcp"
# Scripts of any origin may read what the API answers, and no page may show it.
OF_THE_API = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate,"
        " X-Request-Id"
    ),
}
PREFLIGHT = {
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id",
    "Access-Control-Max-Age": "86400",
}
MOST_COOKIES, LONGEST_ADDRESS = 8 * 1024, 16 * 1024  # characters
ANY_METHOD = ("get", "head", "post", "patch", "delete")
LIMITED = (API, MCP, "/oauth/")


class Middleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response


class TracedRequests(Middleware):
    """Outermost, where traces are on: each request is a span by its operation's name."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        traces.provider()  # says at the start what is missing

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with traces.span(request.method or "", **{"http.request.method": request.method}) as current:
            response = self.get_response(request)
            operation = operation_of(request)
            current.update_name(f"{request.method} {operation.name if operation else 'page'}")
            current.set_attributes(
                {
                    "http.response.status_code": response.status_code,
                    "request.id": getattr(request, "request_id", ""),
                }
            )
        return response


class AnswerMiddleware(Middleware):
    """Outermost: gives each request an id, binds it to the logs, and puts the common headers on its answer."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.monotonic()
        if len(request.META.get("HTTP_COOKIE", "")) > MOST_COOKIES:
            # Python before 3.11.10 and 3.12.6 reads them in a time that grows with the square of their length
            request.META["HTTP_COOKIE"] = ""
        header = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = header if SENT_ID.match(header) else secrets.token_hex(16)
        request.request_id = request_id  # type: ignore[attr-defined]
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            with outages.request():
                response = _too_long(request) or self.get_response(request)
        finally:
            structlog.contextvars.clear_contextvars()
        complete = partial(self._completed, request, response, request_id=request_id)
        response = answered(complete, request=request)
        if database.is_on and _is_done(request, response):
            database.ended()
        if request.path not in WATCHERS:
            seconds, spec = time.monotonic() - began, operation_of(request)
            operation = spec.name if spec else None
            logs.count_request(request, response, seconds=seconds, operation=operation)
            _log(request, response, seconds=seconds, request_id=request_id, operation=operation)
        return response

    @staticmethod
    def _completed(request: HttpRequest, response: HttpResponse, *, request_id: str) -> HttpResponse:
        if request.path.startswith(LIMITED) or hasattr(request, "allowance"):
            response = _tell_limits(request, response)
        headers = {"X-Request-Id": request_id}
        if not response.streaming and not response.has_header("Content-Length"):
            headers["Content-Length"] = str(len(response.content))
        put_headers(response, headers | OF_THE_API if request.path.startswith(API) else headers)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], _args: Any, _parts: Any
    ) -> HttpResponse | None:
        """Answer the API's preflight requests: scripts of any origin may call, with a token and without cookies."""
        if request.method != "OPTIONS" or not request.path.startswith(API):
            return None
        actions = set(getattr(view, "actions", getattr(view, "offers", ANY_METHOD)))
        offered = ", ".join(
            sorted(name.upper() for name in actions | ({"head"} if "get" in actions else set()))
        )
        methods = {"Access-Control-Allow-Methods": offered, "Allow": f"{offered}, OPTIONS"}
        return HttpResponse(status=204, headers=PREFLIGHT | methods)


def answered(make: Callable[[], HttpResponse], *, request: HttpRequest) -> HttpResponse:
    """What is made, or the answer to whatever is wrong with it."""
    try:
        return make()
    except Exception as error:  # noqa: BLE001  (no fault goes without an answer of ours)
        return respond(error, request=request)


def _is_done(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether it shows that changes are taken again: a refusal may need no database, and of MCP it is a 200."""
    return request.method == "POST" and response.status_code < 400 and request.path != MCP


def _too_long(request: HttpRequest) -> HttpResponse | None:
    """The refusal of an address longer than any of ours: caches have it as a key."""
    if len(request.path) + len(request.META.get("QUERY_STRING", "")) <= LONGEST_ADDRESS:
        return None
    return respond(InvalidRequestError("This address is too long."), request=request)


def _tell_limits(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    allowance = getattr(request, "allowance", None)
    if allowance is None:  # nothing else counted it, for instance because there is nothing at its address
        allowance = throttling.count("read", caller=throttling.network_caller(request))
        if allowance.is_exceeded:
            response = respond(allowance.error(), request=request)
    put_headers(response, allowance.headers)
    return response


def _log(
    request: HttpRequest, response: HttpResponse, *, seconds: float, request_id: str, operation: str | None
) -> None:
    """Log a request that was answered. The JSON line is printed as it is, which is cheap."""
    if not logger.isEnabledFor(logging.INFO):
        return
    line: dict[str, Any] = {
        "method": request.method,
        "path": path_of(request),
        "status": response.status_code,
        "seconds": round(seconds, 4),
        "request_id": request_id,
        "operation": operation,
    }
    if settings.LOG_FORMAT != "JSON":
        logger.info("request", extra=line)
        return
    line = {"event": "request", **line, "timestamp": datetime.now(UTC)}
    logger.info(orjson.dumps(line, default=str).decode())


class Compression(Middleware):
    """Compresses texts above 1 KB; their ETags turn weak, since the bytes are others."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reads = request.method in {"GET", "HEAD"}
        if reads:  # no answer but a file has a day of its own, without which it counts for nothing
            request.META.pop("HTTP_IF_UNMODIFIED_SINCE", None)
        asks_for_any = reads and request.META.get("HTTP_IF_NONE_MATCH", "").strip() == "*"
        if asks_for_any:  # only a whole answer shows whether it is compressed, which its tag says
            del request.META["HTTP_IF_NONE_MATCH"]
        response = self.get_response(request)
        if response.status_code == 304 or _is_worth_it(response):
            patch_vary_headers(response, ("Accept-Encoding",))
            if response.status_code == 304:
                _repeat_tag(response, request.META.get("HTTP_IF_NONE_MATCH", ""))
            elif response.content and TAKES_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")):
                _compress(response)
        if asks_for_any and response.status_code == 200 and response.has_header("ETag"):
            request.META["HTTP_IF_NONE_MATCH"] = "*"
            return get_conditional_response(request, etag=response["ETag"], response=response) or response
        return response


def _is_worth_it(response: HttpResponse) -> bool:
    return (
        not response.streaming
        and len(response.content) >= SMALLEST
        and TEXTS.match(response.get("Content-Type", "")) is not None
        and not response.has_header("Content-Encoding")
    )


def _compress(response: HttpResponse) -> None:
    is_public = response.get("Cache-Control", "").startswith("public")
    body = response.content
    response.content = compressed(body) if is_public else compress_string(body, max_random_bytes=RANDOM_BYTES)
    response["Content-Length"] = str(len(response.content))
    response["Content-Encoding"] = "gzip"
    etag = response.get("ETag", "")
    if etag.startswith('"'):
        response["ETag"] = f"W/{etag}"


def _repeat_tag(response: HttpResponse, if_none_match: str) -> None:
    """Who holds the compressed answer has its weak tag, which 304 repeats (RFC 9110 section 15.4.5)."""
    weak = f"W/{response.get('ETag', '')}"
    if weak in if_none_match:
        response["ETag"] = weak


@lru_cache(maxsize=COMPRESSED_CACHED)
def compressed(body: bytes) -> bytes:
    """A public answer compressed; the same ones go out again and again."""
    return gzip.compress(body, mtime=0)


class CachedReads(SecurityMiddleware):
    """Asks Redis once for the caller's rate limit and for the version of the data. Credentials are left to the view.

    It is Django's SecurityMiddleware and stands in its place, ahead of all that pages and people need, which was a
    fifth of a cached answer's cost: operations are answered here, and everything else goes on.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self._headers: dict[bool, dict[str, str]] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: Any = self.process_request(request) or _called(request)
        if response is None:
            response = self.get_response(request)
            return self.process_response(request, response)
        is_secure = bool(self.sts_seconds and request.is_secure())
        if is_secure not in self._headers:  # which are the same for all operations
            bare = HttpResponse()
            del bare["Content-Type"]
            self._headers[is_secure] = dict(self.process_response(request, bare).items())
        put_headers(response, self._headers[is_secure])
        return response


def _called(request: HttpRequest) -> HttpResponse | None:
    """The answer of the operation that is called; None for everything else."""
    spec = operation_of(request)
    if spec is None:
        return None
    if spec.cache is None or not _is_public_read(request, spec):
        return _made(request)
    caller = throttling.network_caller(request)
    try:
        lookup = find_cached(
            request, policy=spec.cache, names=spec.parameters, limit=spec.policy, caller=caller
        )
    except SuspiciousOperation:  # which the view refuses
        return _made(request)
    seen: Any = request
    seen.lookup, seen.allowance = lookup, lookup.allowance
    if lookup.allowance.is_exceeded:
        return _unopened(respond(lookup.allowance.error(), request=request))
    if lookup.cached is not None:
        return _unopened(lookup.respond(lookup.cached))
    match: Any = request.resolver_match  # all that its view asks first has been answered
    operation = getattr(match.func.cls(), match.func.actions["get"])
    read = partial(answered, partial(operation, request, **match.kwargs), request=request)
    return _from_database(read, lookup)


def _from_database(read: Callable[[], HttpResponse], lookup: Lookup) -> HttpResponse:
    """What a database says: the replica where it may, else the primary."""
    if not replica.is_there():
        return read()
    if replica.has_seen(lookup.version):
        response = replica.answered(read)
    else:  # what it says may be older than the stamps, and is not cached under them
        response = replica.answered(partial(_uncached, read, lookup), is_last_resort=True)
    return read() if response is None else response


def _uncached(read: Callable[[], HttpResponse], lookup: Lookup) -> HttpResponse:
    version, lookup.version = lookup.version, None
    try:
        return read()
    finally:
        lookup.version = version


def _unopened(response: HttpResponse) -> HttpResponse:
    """An answer for which nothing was opened: to have files and connections closed is a tenth of what it costs."""
    response.close = lambda: None  # type: ignore[method-assign]
    return response


_match = lru_cache(maxsize=1024)(resolve)  # the same few addresses are asked for again and again


def operation_of(request: HttpRequest) -> Operation | None:
    """The operation that is called, if this is an address of one that offers the method; found once a request."""
    if request.resolver_match is None and request.path_info.startswith(f"{API}v1/"):
        with suppress(Resolver404):
            request.resolver_match = _match(request.path_info)
    view: Any = getattr(request.resolver_match, "func", None)
    name = getattr(view, "actions", {}).get(str(request.method).lower())
    operation: Operation | None = getattr(getattr(view.cls, name), "operation", None) if name else None
    return operation


def _made(request: HttpRequest) -> HttpResponse:
    match: Any = request.resolver_match
    response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    return response.render() if isinstance(response, Response) else response


def _is_public_read(request: HttpRequest, spec: Operation) -> bool:
    """Whether it reads for everybody, and JSON may be the answer."""
    if request.method not in {"GET", "HEAD"} or "HTTP_AUTHORIZATION" in request.META or spec.scope:
        return False
    return accepts_json(request.META.get("HTTP_ACCEPT", ""))
