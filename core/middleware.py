"""What every answer carries: a request id and, for the API, the rate limit of its caller."""

import re
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse

from core import throttling

GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}\Z")
LIMITED = ("/api/", "/mcp", "/oauth/")


class AnswerMiddleware:
    """Outermost: gives each request an id, binds it to the logs, and puts the common headers on its answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request."""
        given = request.headers.get("X-Request-Id", "")
        request.request_id = given if GIVEN_ID.match(given) else uuid.uuid4().hex  # type: ignore[attr-defined]
        structlog.contextvars.bind_contextvars(request_id=request.request_id)  # type: ignore[attr-defined]
        try:
            response = self.get_response(request)
        finally:
            structlog.contextvars.clear_contextvars()
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        if not response.streaming and not response.has_header("Content-Length"):
            response["Content-Length"] = str(len(response.content))
        if request.path.startswith(LIMITED):
            self._tell_limits(request, response)
        return response

    @staticmethod
    def _tell_limits(request: HttpRequest, response: HttpResponse) -> None:
        allowance = getattr(request, "allowance", None)
        if allowance is None:
            caller = f"net:{throttling.network(throttling.client_address(request))}"
            allowance = throttling.count("read", caller=caller)
        for name, value in allowance.headers.items():
            response[name] = value
