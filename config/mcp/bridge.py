"""Replays a tool call through its REST view, so that scope, limits and idempotency come along; answers of methods."""

import io
import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlencode

import orjson
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import ResolverMatch, resolve
from rest_framework.response import Response

from accounts.models import User
from config.mcp import metadata, protocol, words
from config.mcp.tools import KEY_ARGUMENT, Tool, catalogue
from config.mcp.wire import SERVER_INFO_META_KEY, as_version_has_it
from core.api.bodies import dumps
from core.api.errors import ApiError, FieldError, InvalidRequestError, NotFoundError, needs_fix
from core.api.handler import answer
from core.api.operations import validated_body, validated_query
from core.api.pagination import DIGITS
from core.api.scopes import Credential

UNKNOWN = "This tool has no such argument."
CACHED_MS = 300_000
CAPABILITIES = {"tools": {"listChanged": False}}


def misfits(tool: Tool, arguments: Mapping[str, Any]) -> list[FieldError]:
    """Unknown arguments, and values that no path or query can hold. What names nothing is left to the operation."""
    rows = [(name, _in_path(tool, name, arguments.get(name))) for name in tool.path_arguments]
    rows += [
        (name, ("invalid", "This must be one value."))
        for name in tool.query_arguments
        if isinstance(arguments.get(name), dict | list)
    ]
    errors = [
        FieldError(code=wrong[0], parameter=name, message=wrong[1], limit=wrong[2] if wrong[2:] else None)
        for name, wrong in rows
        if wrong
    ]
    existing = tool.elsewhere if not tool.has_body else arguments
    return errors + [
        FieldError(code="unknown_property", parameter=name[:80], message=UNKNOWN)
        for name in sorted(arguments)
        if name not in existing
    ]


def _in_path(tool: Tool, name: str, value: Any) -> tuple[Any, ...]:
    """Why a value cannot stand in the path: a code, a sentence, perhaps a bound. Nothing where it can."""
    schema = tool.input_schema["properties"][name]
    if value in (None, ""):
        return "required", "This field is required."
    if schema.get("type") == "integer":
        return _number(value, least=schema.get("minimum", 0))
    if not isinstance(value, str):
        return "invalid", "This must be a string."
    return _unique_id(value) if schema.get("format") == "uuid" else ()


def _number(value: Any, *, least: int) -> tuple[Any, ...]:
    if isinstance(value, bool) or not isinstance(value, int | str) or not DIGITS.fullmatch(str(value)):
        return "invalid", "This must be an integer."
    if int(value) < least:
        return "min_value", f"This must be {least} or more.", least
    return ()


def _unique_id(value: str) -> tuple[Any, ...]:
    try:
        uuid.UUID(value)
    except ValueError:
        return "invalid", "This must be an id (UUID) as submit_listing and list_my_drafts give it."
    return ()


Texts = tuple[str, str]
PREFIX = "/api/v1"
META_KEY, REPLAYED_META_KEY = "idempotency-key", "idempotent-replayed"
REPLAYED_HEADER = "Idempotent-Replayed"
REPLAYED = "The answer to the first call with this key, again; nothing was done or looked at now. "
CACHED_TEXTS = 250
TEXTS: dict[tuple[str, str], Texts] = {}  # the texts for public bodies, by their ETag
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
    request: HttpRequest
    user: User | None = None
    credential: Credential | None = None

    @property
    def scopes(self) -> frozenset[str]:
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
    result = resolve(path)
    if getattr(result.func, "actions", {}).get(tool.method.lower()) != tool.name:
        raise NotFoundError("There is nothing of this name.")
    return result


@lru_cache(maxsize=128)
def always_resolved(path: str) -> ResolverMatch:
    """Where an address without variable parts leads."""
    return resolve(path)


def _outcome(tool: Tool, response: HttpResponse) -> Outcome:
    body, is_replayed = response.content, response.get(REPLAYED_HEADER) == "true"
    line, lean_body = _texts(tool, response, body)
    texts = f"{REPLAYED if is_replayed else ''}{line}", lean_body
    return Outcome(status=response.status_code, body=body, texts=texts, is_replayed=is_replayed)


def _texts(tool: Tool, response: HttpResponse, body: bytes) -> Texts:
    """What the answer says. Reading a long body again costs more than all else here, so it is done rarely."""
    if response.status_code >= 400:
        return _refusal(orjson.loads(body), status=response.status_code)
    key = (tool.name, response.get("ETag", ""))
    if key in TEXTS:
        return TEXTS[key]
    answered = orjson.loads(body)
    texts = words.success(tool.name, answered), words.lean(answered)
    if key[1]:
        if len(TEXTS) >= CACHED_TEXTS:
            TEXTS.clear()
        TEXTS[key] = texts
    return texts


def _refusal(problem: Mapping[str, Any], *, status: int) -> Texts:
    return words.failure(problem, status=status), words.lean(problem)


def inner_request(
    tool: Tool, arguments: Mapping[str, Any], *, meta: Mapping[str, Any], caller: Caller
) -> HttpRequest:
    """The request a REST client would have sent. Raises InvalidRequestError for what no request can hold."""
    errors = misfits(tool, arguments) + _key_misfits(tool, arguments, meta)
    body = {name: value for name, value in arguments.items() if name not in tool.elsewhere}
    if errors:
        texts = {
            name: _text(arguments[name]) for name in _with_value(tool.query_arguments, arguments, errors)
        }
        errors += _others(tool, texts, body)
        raise InvalidRequestError(needs_fix(errors), errors=errors)
    query = {name: _text(arguments[name]) for name in _with_value(tool.query_arguments, arguments, ())}
    path = PREFIX + tool.path.format_map({name: _text(arguments[name]) for name in tool.path_arguments})
    sent = orjson.dumps(body) if body else b""
    request = _request(tool.method, path, query=urlencode(query), body=sent, caller=caller)
    key = _key(tool, arguments, meta)
    if key is not None:
        request.META["HTTP_IDEMPOTENCY_KEY"] = key
    return request


def _with_value(
    names: Iterable[str], arguments: Mapping[str, Any], errors: Iterable[FieldError]
) -> list[str]:
    """Those that have a value and no error yet; models send an empty text for what they leave out."""
    failing = {error.parameter for error in errors}
    return [name for name in names if arguments.get(name) not in (None, "") and name not in failing]


def _others(tool: Tool, texts: Mapping[str, str], body: Mapping[str, Any]) -> list[FieldError]:
    """What the operation itself would refuse of the rest, so that one answer names everything."""
    rows: list[FieldError] = []
    checks = [partial(validated_query, tool.spec, texts)] if tool.query_arguments else []
    checks += [partial(validated_body, tool.spec, body)] if tool.has_body else []
    for check in checks:
        try:
            check()
        except InvalidRequestError as refused:
            rows += refused.errors
    return rows


def _key(tool: Tool, arguments: Mapping[str, Any], meta: Mapping[str, Any]) -> Any:
    key = arguments.get(KEY_ARGUMENT) if tool.is_keyed else None
    return meta.get(META_KEY) if key is None and tool.is_keyed else key


def _key_misfits(tool: Tool, arguments: Mapping[str, Any], meta: Mapping[str, Any]) -> list[FieldError]:
    key, other = _key(tool, arguments, meta), meta.get(META_KEY)
    if key is None or (isinstance(key, str) and other in {None, key}):
        return []
    if not isinstance(key, str):
        return [FieldError(code="invalid", parameter=KEY_ARGUMENT, message="This must be a string.")]
    message = "The argument and _meta hold different keys. Send one."
    return [FieldError(code="idempotency_key_invalid", parameter=KEY_ARGUMENT, message=message)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


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


def envelope(identifier: str | int, result: Any) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "id": identifier, "result": result})


def failed(identifier: str | int | None, error: Mapping[str, Any]) -> bytes:
    """A JSON-RPC error; an id that could not be read is left out."""
    existing = {} if identifier is None else {"id": identifier}
    return dumps({"jsonrpc": "2.0", **existing, "error": error})


def of_tool(outcome: Outcome, *, version: str) -> dict[str, Any]:
    result = outcome.as_result()
    if version != protocol.MODERN:
        return result
    return {**result, "resultType": "complete", "_meta": {**result.get("_meta", {}), **_server_meta()}}


def challenged(error: ApiError, *, version: str) -> dict[str, Any]:
    """A challenge as a result, for clients that look for it there and not at the HTTP status."""
    modern = version == protocol.MODERN
    return {
        "content": [{"type": "text", "text": error.detail}],
        "isError": True,
        **({"resultType": "complete"} if modern else {}),
        "_meta": {
            "mcp/www_authenticate": [error.headers["WWW-Authenticate"]],
            **(_server_meta() if modern else {}),
        },
    }


def of_method(message: protocol.Message, *, version: str) -> orjson.Fragment:
    if message.method == "initialize":
        return orjson.Fragment(_initialized(protocol.negotiated(message)))
    return orjson.Fragment(_fixed(message.method, version))


@lru_cache(maxsize=16)
def _initialized(version: str) -> bytes:
    result = {
        "protocolVersion": version,
        "capabilities": CAPABILITIES,
        "serverInfo": metadata.server_info(),
        "instructions": metadata.INSTRUCTIONS,
    }
    return orjson.dumps(as_version_has_it("initialize", result, version=version))


@lru_cache(maxsize=16)
def _fixed(method: str, version: str) -> bytes:
    """What is the same for every caller, so that it is put together once a process."""
    result = FIXED[method]()
    if version == protocol.MODERN:
        result |= {"resultType": "complete", "_meta": _server_meta()}
        result |= {"ttlMs": CACHED_MS, "cacheScope": "public"}
    return orjson.dumps(as_version_has_it(method, result, version=version))


def _listed() -> dict[str, Any]:
    return {"tools": [tool.as_dict() for tool in catalogue().values()]}


def _discovered() -> dict[str, Any]:
    return {
        "supportedVersions": list(protocol.SUPPORTED),
        "capabilities": CAPABILITIES,
        "instructions": metadata.INSTRUCTIONS,
    }


FIXED = {"ping": dict, "tools/list": _listed, "server/discover": _discovered}


def _server_meta() -> dict[str, Any]:
    return {SERVER_INFO_META_KEY: metadata.server_info()}


def tool_of(message: protocol.Message) -> Tool | None:
    return catalogue().get(message.params["name"]) if message.method == "tools/call" else None
