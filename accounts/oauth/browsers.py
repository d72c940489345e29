"""Cross-origin requests: clients that run in a browser may read what carries no cookie."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

ALLOWED_HEADERS = (
    "Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Idempotency-Key, X-Request-Id"
)
EXPOSED_HEADERS = (
    "WWW-Authenticate, Idempotent-Replayed, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id"
)
View = Callable[..., HttpResponse]


def open_to_browsers(*methods: str) -> Callable[[View], View]:
    """Answer preflight requests, and let any origin read the answers; credentials are never included."""

    def decorate(view: View) -> View:
        @wraps(view)
        def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            is_preflight = request.method == "OPTIONS"
            response = preflight(methods) if is_preflight else view(request, *args, **kwargs)
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
            return response

        return opened

    return decorate


def preflight(methods: tuple[str, ...]) -> HttpResponse:
    allowed = ", ".join([*methods, "OPTIONS"])
    return HttpResponse(
        status=204,
        headers={
            "Allow": allowed,
            "Access-Control-Allow-Methods": allowed,
            "Access-Control-Allow-Headers": ALLOWED_HEADERS,
            "Access-Control-Max-Age": "86400",
        },
    )
