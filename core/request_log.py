"""One line for each request, without queries, addresses or secrets."""

import logging
from datetime import UTC, datetime
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from core.api.routes import match_of, operation_at
from core.logs import path_of

logger = logging.getLogger("requests")
WATCHERS = {"/healthz", "/readyz", "/metrics"}


def write(
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


def operation_of(request: HttpRequest) -> str | None:
    """The operation of the API that answers at this address, if one does."""
    match = match_of(request)
    operation = operation_at(match, method=str(request.method)) if match else None
    return operation.name if operation else None
