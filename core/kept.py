"""The short way of public reads: kept answers and 304 at once, everything else from the view alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from rest_framework.response import Response

from core import throttling
from core.caching import Read, look
from core.operations import Operation
from core.rendering import accepts_json
from core.routes import Route, route_at

OWN = {"etag", "link"}
OF_A_BODY = {"content-type"}


@dataclass(frozen=True, kw_only=True)
class Common:
    """The headers that an operation's every answer carries, as the rest of the middleware put them."""

    with_body: dict[str, str]
    without: dict[str, str]

    @classmethod
    def of(cls, response: HttpResponse) -> "Common":
        """Learnt from one of them."""
        with_body = {name: value for name, value in response.items() if name.lower() not in OWN}
        without = {name: value for name, value in with_body.items() if name.lower() not in OF_A_BODY}
        return cls(with_body=with_body, without=without)


KNOWN: dict[tuple[str, str | None], Common] = {}


class KeptAnswers:
    """Asks Redis once for the caller's rate limit and for the answer. Whoever sends a credential is left to the view.

    What is not kept is asked of the view, which finds what is known of it in `request.public_read`. The other
    middleware sees an operation's calls until its headers are known; it has nothing else to say about them.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request."""
        asked = asked_publicly(request)
        if asked is None:
            return self.get_response(request)
        route, parts = asked
        operation: Any = route.spec
        caller = throttling.caller_of(request)
        try:
            read = look(request, policy=operation.cache, limit=operation.policy, caller=caller)
        except SuspiciousOperation:  # which the view refuses
            return self.get_response(request)
        told: Any = request
        told.public_read, told.allowance = read, read.allowance
        common = KNOWN.get((operation.name, request.scheme))
        if common is None:
            return self._typical(request, operation, read=read)
        told.is_public_read = True
        ready = None if read.allowance.is_exceeded else _ready(read, common=common)
        return ready or _fresh(route.view(request, **parts), common=common)

    def _typical(self, request: HttpRequest, operation: Operation, *, read: Read) -> HttpResponse:
        response = self.get_response(request)
        is_whole = response.status_code == 200 and response.get("ETag") == read.etag
        if is_whole and not request.META.get("HTTP_COOKIE") and not response.cookies:
            KNOWN[operation.name, request.scheme] = Common.of(response)
        return response


def asked_publicly(request: HttpRequest) -> tuple[Route, dict[str, str]] | None:
    """The operation, if it reads for everybody and nobody in particular asks, in a way that JSON can answer."""
    told = request.META
    if request.method not in {"GET", "HEAD"} or "HTTP_AUTHORIZATION" in told:
        return None
    found = route_at(request.path_info, method="GET")
    if found is None or found[0].spec.cache is None or found[0].spec.scope:
        return None
    return found if accepts_json(told.get("HTTP_ACCEPT", "")) else None


def _fresh(response: HttpResponse, *, common: Common) -> HttpResponse:
    if isinstance(response, Response):
        response.render()
    for name, value in common.without.items():
        response.headers.setdefault(name, value)
    return response


def _ready(read: Read, *, common: Common) -> HttpResponse | None:
    if read.is_held or (read.asks_whether_any and read.body is not None):
        response = HttpResponse(status=304, headers={**common.without, **read.headers})
        del response["Content-Type"]  # which Django puts there by itself
        return response
    if read.body is None:
        return None
    links = {"Link": read.links} if read.links else {}
    return HttpResponse(read.body, headers={**common.with_body, **links, **read.headers})
