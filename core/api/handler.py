"""Turns exceptions into the two error shapes: problem objects (RFC 9457) and the 429 object. Nothing else does."""

import logging
from typing import Any

from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from rest_framework import exceptions
from rest_framework.response import Response

from core import replica
from core.api import throttling
from core.api.bodies import dumps
from core.api.errors import (
    ApiError,
    FieldError,
    InvalidJsonError,
    InvalidRequestError,
    NotFoundError,
    RateLimitedError,
)
from core.api.links import absolute
from core.outages import database, is_outage

logger = logging.getLogger(__name__)
PROBLEM = "application/problem+json"


class MethodNotAllowedError(ApiError, status=405, code="method_not_allowed", title="Method not allowed"):
    """HTTP itself demands 405."""


class NotAcceptableError(ApiError, status=406, code="not_acceptable", title="Only JSON is on offer"):
    """HTTP itself demands 406."""


class UnsupportedMediaTypeError(ApiError, status=415, code="unsupported_media_type", title="Send JSON"):
    """HTTP itself demands 415."""


class InternalError(ApiError, status=500, code="internal_error", title="Something went wrong on our side"):
    """A fault of ours."""


class UnavailableError(ApiError, status=503, code="unavailable", title="Not available right now"):
    """The database is away."""


class BodyTimeoutError(
    ApiError, status=408, code="body_timeout", title="The request took too long to arrive"
):
    """The body came too slowly."""


def problem(error: ApiError, *, instance: str, request_id: str) -> dict[str, Any]:
    return {
        "type": absolute(f"/docs/errors#{error.code}"),
        "title": error.title,
        "status": error.status,
        "code": error.code,
        "detail": error.detail,
        "instance": instance,
        "request_id": request_id,
        "errors": [entry.as_dict() for entry in error.errors],
        **error.extras,
    }


def rate_limited(error: RateLimitedError, *, request_id: str) -> dict[str, Any]:
    return {
        "error": error.code,
        "message": error.detail,
        "retry_after": error.retry_after,
        "limit": error.limit,
        "remaining": 0,
        "window_seconds": error.window_seconds,
        "policy": error.policy,
        "request_id": request_id,
    }


FRAMEWORK: tuple[tuple[tuple[type[Exception], ...], ApiError], ...] = (
    ((Http404, PermissionDenied), NotFoundError("There is nothing at this address.")),
    ((exceptions.MethodNotAllowed,), MethodNotAllowedError("This method is not offered at this address.")),
    (
        (exceptions.NotAcceptable,),
        NotAcceptableError("Answers are JSON; the Accept header leaves no room for it."),
    ),
    (
        (exceptions.UnsupportedMediaType,),
        UnsupportedMediaTypeError("Send JSON, with Content-Type: application/json."),
    ),
    ((exceptions.ParseError,), InvalidJsonError("The body is not JSON.")),
    (
        (RequestDataTooBig, RecursionError),
        InvalidRequestError(
            "The body is too large.", errors=[FieldError(code="too_large", pointer="", message="Too large.")]
        ),
    ),
    ((DisallowedHost,), InvalidRequestError("The Host header names no address of this service.")),
    ((SuspiciousOperation,), InvalidRequestError("The request holds more or other than we read.")),
    (
        (MultiPartParserError,),
        InvalidRequestError("The form cannot be read: its multipart body is malformed."),
    ),
    ((DataError,), InvalidRequestError("A value cannot be stored.")),
)


def _from_framework(error: Exception) -> ApiError:
    for kinds, refusal in FRAMEWORK:
        if isinstance(error, kinds):
            return refusal
    if is_outage(error):
        database.began(error)
        return UnavailableError("The database does not answer. Try again soon.", headers={"Retry-After": "5"})
    logger.error("unhandled", exc_info=error)
    return InternalError("This is our fault and has been logged. Quote the request id when you write to us.")


def answer(error: Exception, *, request: HttpRequest) -> tuple[int, dict[str, Any], str, dict[str, str]]:
    refusal = error if isinstance(error, ApiError) else _from_framework(error)
    request_id = getattr(request, "request_id", "")
    if isinstance(refusal, RateLimitedError):
        counted: Any = getattr(request, "_request", request)
        counted.allowance = throttling.exhausted(refusal)
        body = rate_limited(refusal, request_id=request_id)
        return 429, body, "application/json", {"Retry-After": str(refusal.retry_after)}
    body = problem(refusal, instance=request.path, request_id=request_id)
    return refusal.status, body, PROBLEM, refusal.headers


def respond(error: Exception, *, request: HttpRequest) -> HttpResponse:
    """The answer; a fault of the read replica is raised again, since the primary is asked then."""
    if replica.is_read() and is_outage(error):
        raise error
    status, body, media_type, headers = answer(error, request=request)
    headers = {**headers, "Cache-Control": "no-store"}
    return HttpResponse(dumps(body), status=status, headers=headers, content_type=media_type)


def handle(error: Exception, context: dict[str, Any]) -> Response:
    request = context["request"]._request  # noqa: SLF001
    status, body, media_type, headers = answer(error, request=request)
    headers = {**headers, "Cache-Control": "no-store"}
    if status == 405:
        headers["Allow"] = ", ".join(context["view"].allowed_methods)
    return Response(dumps(body), status=status, headers=headers, content_type=media_type)
