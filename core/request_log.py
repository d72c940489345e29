"""One line for each request, in JSON, without queries, addresses or secrets."""

import logging
from datetime import UTC, datetime
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse

from core.routes import route_at

logger = logging.getLogger("requests")
WATCHERS = {"/healthz", "/readyz", "/metrics"}
SECRET_PARTS = {"token", "key", "code", "uidb36", "signature"}


def write(
    request: HttpRequest, response: HttpResponse, *, seconds: float, request_id: str, operation: str | None
) -> None:
    """Log a request that was answered. The formatter of this logger prints the line as it is, which is cheap."""
    if not logger.isEnabledFor(logging.INFO):
        return
    line = {
        "event": "request",
        "method": request.method,
        "path": path_of(request),
        "status": response.status_code,
        "seconds": round(seconds, 4),
        "request_id": request_id,
        "operation": operation,
        "timestamp": datetime.now(UTC),
    }
    logger.info(orjson.dumps(line, default=str).decode())


def path_of(request: HttpRequest) -> str:
    """The path, with the parts that are secrets blotted out."""
    path = request.path.encode("utf-8", "replace").decode()
    match: Any = request.resolver_match
    parts = match.kwargs if match else {}
    secrets = [str(parts[name]) for name in SECRET_PARTS & parts.keys() if parts[name]]
    for secret in sorted(secrets, key=len, reverse=True):
        path = path.replace(secret, "[secret]")
    return path


def operation_of(request: HttpRequest) -> str | None:
    """The operation of the API that answers at this address, if one does."""
    found = route_at(request.path_info, method="GET" if request.method == "HEAD" else str(request.method))
    return found[0].spec.name if found else None
