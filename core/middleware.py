"""What every answer carries: a request id and, for the API, the rate limit of its caller."""

import re
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse

from core import throttling
from core.handler import respond

GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}\Z")
ANY_ORIGIN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "ETag, Idempotent-Replayed, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id"
    ),
}
PREFLIGHT = {
    **ANY_ORIGIN,
    "Allow": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "If-None-Match, X-Request-Id",
    "Access-Control-Max-Age": "86400",
}
READING = ("GET", "HEAD", "OPTIONS")
LIMITED = ("/api/", "/mcp", "/oauth/")


class AnswerMiddleware:
    """Outermost: gives each request an id, binds it to the logs, and puts the common headers on its answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request."""
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = given if GIVEN_ID.match(given) else uuid.uuid4().hex
        request.request_id = request_id  # type: ignore[attr-defined]
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            response = self.get_response(request)
        finally:
            structlog.contextvars.clear_contextvars()
        if request.path.startswith(LIMITED) or hasattr(request, "allowance"):
            response = self._tell_limits(request, response)
        response["X-Request-Id"] = request_id
        if not response.streaming and not response.has_header("Content-Length"):
            response["Content-Length"] = str(len(response.content))
        if getattr(request, "is_public_read", False):
            for name, value in ANY_ORIGIN.items():
                response[name] = value
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], _args: Any, _parts: Any
    ) -> HttpResponse | None:
        """Let scripts of any origin read what is public, without credentials; answer their preflight here."""
        if request.method not in READING or not is_public_read(view):
            return None
        if request.method == "OPTIONS":
            return HttpResponse(status=204, headers=PREFLIGHT)
        request.is_public_read = True  # type: ignore[attr-defined]
        return None

    @staticmethod
    def _tell_limits(request: HttpRequest, response: HttpResponse) -> HttpResponse:
        allowance = getattr(request, "allowance", None)
        if allowance is None:  # nothing else counted it, for instance because there is nothing at its address
            allowance = throttling.count("read", caller=throttling.network_caller(request))
            if allowance.is_exceeded:
                response = respond(allowance.error(), request=request)
        for name, value in allowance.headers.items():
            response[name] = value
        return response


def is_public_read(view: Callable[..., Any]) -> bool:
    """Whether a view reads, with GET, what needs no credential."""
    name = getattr(view, "actions", {}).get("get")
    return name is not None and not getattr(view.cls, name).operation.scope  # type: ignore[attr-defined]
