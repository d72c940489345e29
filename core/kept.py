"""Gives public answers that are kept, or that the caller has, before anything else is done for a request."""

from collections.abc import Callable
from dataclasses import dataclass

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse

from core import throttling
from core.caching import Read, look
from core.operations import Operation
from core.rendering import accepts_json
from core.routes import operation_at

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


KNOWN: dict[tuple[str, str], Common] = {}


class KeptAnswers:
    """Asks Redis once for the caller's rate limit and for the answer. Whoever sends a credential is left to the view.

    What is not kept goes the usual way, with what is known of it as `request.public_read`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request."""
        operation = asked_publicly(request)
        if operation is None or operation.cache is None:
            return self.get_response(request)
        caller = throttling.caller_of(request)
        try:
            read = look(request, policy=operation.cache, limit=operation.policy, caller=caller)
        except SuspiciousOperation:  # which the view refuses
            return self.get_response(request)
        return self._answer(request, operation, read=read)

    def _answer(self, request: HttpRequest, operation: Operation, *, read: Read) -> HttpResponse:
        request.public_read = read  # type: ignore[attr-defined]
        request.allowance = read.allowance  # type: ignore[attr-defined]
        kind = (operation.name, request.scheme or "")
        common = KNOWN.get(kind)
        if common and not read.allowance.is_exceeded and (ready := _ready(read, common=common)):
            request.is_public_read = True  # type: ignore[attr-defined]
            return ready
        response = self.get_response(request)
        if common is None and _is_typical(request, response, read=read):
            KNOWN[kind] = Common.of(response)
        return response


def asked_publicly(request: HttpRequest) -> Operation | None:
    """The operation, if it reads for everybody and nobody in particular asks, in a way that JSON can answer."""
    told = request.META
    if request.method not in {"GET", "HEAD"} or "HTTP_AUTHORIZATION" in told:
        return None
    operation = operation_at(request.path_info, method="GET")
    if operation is None or operation.scope or not accepts_json(told.get("HTTP_ACCEPT", "")):
        return None
    return operation


def _ready(read: Read, *, common: Common) -> HttpResponse | None:
    if read.is_held or (read.asks_whether_any and read.body is not None):
        return HttpResponse(status=304, headers={**common.without, **read.headers})
    if read.body is None:
        return None
    links = {"Link": read.links} if read.links else {}
    return HttpResponse(read.body, headers={**common.with_body, **links, **read.headers})


def _is_typical(request: HttpRequest, response: HttpResponse, *, read: Read) -> bool:
    """Whether nothing but the operation and the settings decided the headers."""
    is_whole = response.status_code == 200 and response.get("ETag") == read.etag
    return is_whole and "HTTP_COOKIE" not in request.META and not response.cookies
