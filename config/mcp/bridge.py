"""Replays a tool call through its REST view, so that scope, limits, validation and idempotency come along."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

import orjson
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import ResolverMatch, resolve
from rest_framework.response import Response

from accounts.models import User
from config.mcp import words
from config.mcp.lean import lean
from config.mcp.tools import KEY_ARGUMENT, Tool
from core.errors import ApiError, FieldError, InvalidRequestError, NotFoundError
from core.handler import answer
from core.rendering import dumps
from core.scopes import Credential

Texts = tuple[str, str]
PREFIX = "/api/v1"
META_KEY, REPLAYED_META_KEY = "idempotency-key", "idempotent-replayed"
REPLAYED_HEADER = "Idempotent-Replayed"
SAID_AT_MOST = 250
SAID: dict[tuple[str, str], Texts] = {}  # the texts for public bodies, by their ETag
PASSED_ON = (
    "REMOTE_ADDR",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_HOST",
    "SERVER_NAME",
    "SERVER_PORT",
    "HTTP_USER_AGENT",
    "HTTP_ACCEPT_LANGUAGE",
)


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Who calls, checked once for the whole request."""

    request: HttpRequest
    user: User | None = None
    credential: Credential | None = None

    @property
    def scopes(self) -> frozenset[str]:
        """What the credential allows."""
        return self.credential.scopes if self.credential else frozenset()


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What the operation answered. `texts` are a line for people and the lean answer for models."""

    status: int
    body: bytes
    texts: Texts
    is_replayed: bool = False

    @property
    def is_error(self) -> bool:
        """Whether it was refused."""
        return self.status >= 400

    def as_result(self) -> dict[str, Any]:
        """The result of `tools/call`; the body goes in as it is, without another round of parsing."""
        return {
            "content": [{"type": "text", "text": text} for text in self.texts],
            "structuredContent": orjson.Fragment(self.body),
            "isError": self.is_error,
            **({"_meta": {REPLAYED_META_KEY: True}} if self.is_replayed else {}),
        }


def call(tool: Tool, arguments: Mapping[str, Any], *, meta: Mapping[str, Any], caller: Caller) -> Outcome:
    """Call the operation. A refusal is an outcome too."""
    try:
        request = inner_request(tool, arguments, meta=meta, caller=caller)
        view, args, kwargs = _route(tool, request.path_info)
    except (ApiError, Http404) as error:
        status, problem, _, _ = answer(error, request=caller.request)
        return Outcome(status=status, body=dumps(problem), texts=_refusal(problem, status=status))
    response = view(request, *args, **kwargs)
    if allowance := getattr(request, "allowance", None):
        caller.request.allowance = allowance  # type: ignore[attr-defined]
    return _outcome(tool, response.render() if isinstance(response, Response) else response)


def _route(tool: Tool, path: str) -> ResolverMatch:
    """The tool's own view; an identifier with a slash in it would lead to another's."""
    if not tool.path_arguments:
        return always_resolved(path)
    found = resolve(path)
    if getattr(found.func, "actions", {}).get(tool.method.lower()) != tool.name:
        raise NotFoundError("There is nothing of this name.")
    return found


@lru_cache(maxsize=128)
def always_resolved(path: str) -> ResolverMatch:
    """Where an address without variable parts leads."""
    return resolve(path)


def _outcome(tool: Tool, response: HttpResponse) -> Outcome:
    body = response.content
    return Outcome(
        status=response.status_code,
        body=body,
        texts=_texts(tool, response, body),
        is_replayed=response.get(REPLAYED_HEADER) == "true",
    )


def _texts(tool: Tool, response: HttpResponse, body: bytes) -> Texts:
    """What the answer says. Reading a long body again costs more than all else here, so it is done rarely."""
    if response.status_code >= 400:
        return _refusal(orjson.loads(body), status=response.status_code)
    kept = (tool.name, response.get("ETag", ""))
    if kept in SAID:
        return SAID[kept]
    answered = orjson.loads(body)
    texts = words.success(tool.name, answered), lean(answered)
    if kept[1]:
        if len(SAID) >= SAID_AT_MOST:
            SAID.clear()
        SAID[kept] = texts
    return texts


def _refusal(problem: Mapping[str, Any], *, status: int) -> Texts:
    return words.failure(problem, status=status), lean(problem)


def inner_request(
    tool: Tool, arguments: Mapping[str, Any], *, meta: Mapping[str, Any], caller: Caller
) -> HttpRequest:
    """The request a REST client would have sent. Raises InvalidRequestError for what no request can hold."""
    left = dict(arguments)
    key = left.pop(KEY_ARGUMENT, None) if tool.is_keyed else None
    query = {name: left.pop(name) for name in tool.query_arguments if left.get(name) is not None}
    path = PREFIX + tool.path.format_map(_path_values(tool, left))
    left = {name: value for name, value in left.items() if name not in tool.query_arguments}
    if left and not tool.has_body:
        raise _refused(sorted(left), code="unknown_property", message="This tool has no such argument.")
    body = orjson.dumps(left) if left else b""
    request = _request(tool.method, path, query=_encoded(query), body=body, caller=caller)
    key = meta.get(META_KEY) if key is None else key
    if key is not None and tool.is_keyed:
        if not isinstance(key, str):
            raise _refused([KEY_ARGUMENT], code="invalid", message="This must be a string.")
        request.META["HTTP_IDEMPOTENCY_KEY"] = key
    return request


def _path_values(tool: Tool, left: dict[str, Any]) -> dict[str, str]:
    values = {name: left.pop(name, None) for name in tool.path_arguments}
    missing = [name for name, value in values.items() if value is None or value == ""]
    if missing:
        raise _refused(missing, code="required", message="This field is required.")
    return {name: _scalar(name, value) for name, value in values.items()}


def _encoded(query: Mapping[str, Any]) -> str:
    return urlencode({name: _scalar(name, value) for name, value in query.items()})


def _scalar(name: str, value: Any) -> str:
    """A value as an address holds it."""
    if isinstance(value, dict | list):
        raise _refused([name], code="invalid", message="This must be one value.")
    return value if isinstance(value, str) else json.dumps(value)


def _refused(names: list[str], *, code: str, message: str) -> InvalidRequestError:
    errors = [FieldError(code=code, parameter=name[:80], message=message) for name in names]
    return InvalidRequestError("Some arguments break a rule.", errors=errors)


def _request(method: str, path: str, *, query: str, body: bytes, caller: Caller) -> HttpRequest:
    outer, request = caller.request, HttpRequest()
    request.method, request.path, request.path_info = method, path, path
    request.META = {name: outer.META[name] for name in PASSED_ON if name in outer.META}
    request.META |= {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_ACCEPT": "application/json",
    }
    request.GET = QueryDict(query)
    request._stream, request._read_started = io.BytesIO(body), False  # type: ignore[attr-defined]  # noqa: SLF001
    request.request_id = getattr(outer, "request_id", "")  # type: ignore[attr-defined]
    if caller.user is not None:
        # What DRF's own test client does: the person was checked already and is not looked up again.
        request._force_auth_user = caller.user  # type: ignore[attr-defined]  # noqa: SLF001
        request._force_auth_token = caller.credential  # type: ignore[attr-defined]  # noqa: SLF001
    return request
