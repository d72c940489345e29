"""The service as its web server runs it. A request that asks for a fresh answer finds nothing cached."""

from collections.abc import Callable, Iterable
from typing import Any

from config.wsgi import application as service
from core.api import caching


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer one request."""
    if "HTTP_X_FRESH" in environ:
        caching.ANSWERS.clear()
    return service(environ, start_response)
