"""One operation, one declaration: permission, OpenAPI, throttling, idempotency and MCP all read it here.

Order inside a call: authenticate, scope, general limit, idempotent replay, validation, service, answer.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar, cast

from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import NotAcceptable, ValidationError
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from core.api import idempotency, throttling
from core.api.bodies import MAX_BYTES, accepts_json, dumps, unreadable_parameters
from core.api.caching import Answer, Public, cached_or_made, find_cached, only_declared
from core.api.errors import (
    ApiError,
    AuthenticationRequiredError,
    FieldError,
    InsufficientScopeError,
    InvalidRequestError,
    needs_fix,
)
from core.api.links import challenge, on_site
from core.api.pagination import Page, PageIn, envelope, link_header
from core.api.scopes import Credential, Scope
from core.api.serializers import Shape, StrictSerializer, Text, body_errors, parameter_errors
from core.models import Replay

ROOT = "/api/v1"
REPLAYED = {"Idempotent-Replayed": "true"}
MUTATING = {"POST", "PUT", "PATCH", "DELETE"}
WRITING = {Scope.LISTINGS_WRITE, Scope.ORDERS_WRITE}


@dataclass(frozen=True, kw_only=True)
class Operation:
    """What the interface says of one operation.

    `scope` is empty for a public operation; with several, one of them is enough. `policy` names the rate limit of
    calls, `write` for a scope that writes unless told; costly work counts where it is done
    (`core.api.throttling.spend`).
    `path`, `query` and `body` validate what comes in; `parts` says what the identifiers in the path are. `paged` wraps
    what comes out in the list envelope. `prepare` runs before the transaction and its result is handed to the method,
    for work that must not hold a transaction open. `rules` raises what the method would: where a body breaks its shape,
    it is asked about the rest, so that all failing values are named at once. `replaces` says that what stood there
    before is gone then; `location` is the address, under the API's root, of what was made, with parts of the answer in
    braces.
    """

    name: str
    summary: str
    description: str
    returns: type[Shape]
    scope: tuple[Scope, ...] = ()
    path: type[serializers.Serializer[Any]] | None = None
    parts: Mapping[str, str] = field(default_factory=dict)
    query: type[serializers.Serializer[Any]] | None = None
    body: type[StrictSerializer] | None = None
    status: int = 200
    paged: bool = False
    keyed: bool = True
    replaces: bool = False
    location: str = ""
    policy: str = "read"
    cache: Public | None = None
    codes: tuple[str, ...] = ()
    opens_world: bool = False
    prepare: Callable[..., Any] | None = None
    rules: Callable[..., None] | None = None

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the query parameters; whatever else a query holds is ignored."""
        kinds = filter(None, (self.query, PageIn if self.paged else None))
        return tuple(name for kind in kinds for name in _reader(kind).fields)


def operation(
    *, scope: Scope | tuple[Scope, ...] = (), returns: type[Shape], **declared: Any
) -> Callable[[Callable[..., Any]], Callable[..., HttpResponse]]:
    """Turn a viewset method into the operation of the same name.

    The method gets `query`, `body` and `prepared` only if they are declared, and path parts by name. It returns what
    `returns.render` takes, or a `Page` of such values.
    """

    def decorate(method: Callable[..., Any]) -> Callable[..., HttpResponse]:
        summary, _, description = (method.__doc__ or "").strip().partition("\n")
        spec = Operation(
            name=method.__name__,
            summary=summary,
            description=" ".join(f"{summary} {description}".split()),
            returns=returns,
            scope=(scope,) if isinstance(scope, Scope) else tuple(scope),
            **{"policy": "write" if scope in WRITING else "read", **declared},
        )

        @functools.wraps(method)
        def run(view: "OperationViewSet", request: Request, **path: Any) -> HttpResponse:
            call = functools.partial(method, view, request)
            if request.method in MUTATING:
                return _change(spec, call, view=view, request=request, path=path)
            answer = functools.partial(_answer, spec, call, request=request, arguments=path)
            return _read(spec, answer, request=request)

        run.operation = spec  # type: ignore[attr-defined]
        return run

    return decorate


def validated_query(
    spec: Operation, params: Mapping[str, str], *, raw: str = "", errors: Sequence[FieldError] = ()
) -> dict[str, Any]:
    """The query's values, paging included. Raises InvalidRequestError: `errors`, then every failing parameter."""
    result: dict[str, Any] = {}
    kinds = [kind for kind in (spec.query, PageIn if spec.paged else None) if kind is not None]
    unreadable = unreadable_parameters(raw)
    errors = [*errors, *(_not_utf8(name) for name in spec.parameters if name in unreadable)]
    for kind in kinds:
        try:
            result |= _parsed(kind, dict(_sent(_reader(kind).fields, params)))
        except InvalidRequestError as refused:
            errors += refused.errors
    if errors:
        raise InvalidRequestError(needs_fix(errors), errors=errors)
    return result


def _sent(fields: Mapping[str, Any], params: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The parameters that say something: an empty text that may be left out counts as left out."""
    for name, field_ in fields.items():
        if name in params and (field_.required or not isinstance(field_, Text) or params[name].strip()):
            yield name, params[name]


def _not_utf8(name: str) -> FieldError:
    return FieldError(code="not_utf8", parameter=name, message="This is not UTF-8, percent-encoded.")


# DRF copies every field for every serializer; reading a query changes none of them
@lru_cache(maxsize=128)
def _reader(kind: type[serializers.Serializer[Any]]) -> Any:
    return kind()


@lru_cache(maxsize=4096)
def _value(kind: type[serializers.Serializer[Any]], name: str, text: str | None) -> tuple[Any, ...]:
    """What a parameter means, which is the same each time; nothing where it is left out and has no default."""
    with suppress(serializers.SkipField):
        return (_reader(kind).fields[name].run_validation(serializers.empty if text is None else text),)
    return ()


def _parsed(kind: type[serializers.Serializer[Any]], params: dict[str, str]) -> dict[str, Any]:
    """What these texts mean, each by itself: to read all of them anew is a fifth of the cost of a list."""
    serializer = _reader(kind)
    with suppress(ValidationError):
        return {name: value for name in serializer.fields for value in _value(kind, name, params.get(name))}
    try:
        return dict(serializer.run_validation(params))
    except ValidationError as error:
        errors = parameter_errors(error, serializer=serializer)
        raise InvalidRequestError(needs_fix(errors), errors=errors) from error


def validated_path(spec: Operation, path: dict[str, Any]) -> dict[str, Any]:
    """The path's values. Raises InvalidRequestError naming the failing part."""
    if spec.path is None:
        return path
    serializer = spec.path(data=path)
    if not serializer.is_valid():
        errors = parameter_errors(ValidationError(serializer.errors), serializer=serializer)
        raise InvalidRequestError(needs_fix(errors), errors=errors)
    return dict(serializer.validated_data)


def validated_body(spec: Operation, data: Any, *, request: Request | None = None) -> dict[str, Any]:
    """The body's values. Raises InvalidRequestError naming every failing property; by its rules only of a request."""
    serializer = (spec.body or StrictSerializer)(data=data)
    try:
        serializer.is_valid(raise_exception=True)
    except ValidationError as error:
        errors = body_errors(error, serializer=serializer)
        if spec.rules is not None and request is not None:
            errors += _broken(spec.rules, request, body=serializer.passing(data))
        raise InvalidRequestError(needs_fix(errors), errors=errors) from error
    return dict(serializer.validated_data)


def _broken(rules: Callable[..., None], request: Request, *, body: dict[str, Any]) -> Sequence[FieldError]:
    try:
        rules(request, body=body)
    except ApiError as refused:
        return refused.errors
    return ()


def _read(spec: Operation, make: Callable[[], Answer], *, request: Request) -> HttpResponse:
    """Answer a read: of a public one the cached answer if there is one, and 304 when the caller has it."""
    if spec.cache is not None:
        return cached_or_made(cast(Any, request).lookup, make)
    only_declared(request._request, spec.parameters)  # noqa: SLF001
    made = make()
    headers = {**made.headers, "Cache-Control": "private, no-store"}
    return Response(made.data, status=made.status, headers=headers)


def _answer(
    spec: Operation, call: Callable[..., Any], *, request: Request, arguments: dict[str, Any]
) -> Answer:
    errors: Sequence[FieldError] = ()
    try:
        arguments = validated_path(spec, arguments)
    except InvalidRequestError as refused:
        errors = refused.errors
    query = validated_query(spec, request.GET, raw=request.META.get("QUERY_STRING", ""), errors=errors)
    if spec.query is not None or spec.paged:
        arguments["query"] = query
    result = call(**arguments)
    if not isinstance(result, Page):
        headers = spec.returns.headers(result)
        return Answer(data=spec.returns.render(result), status=spec.status, headers=headers)
    body = envelope(result, request=request, items=list(map(spec.returns.render, result.items)))
    links = link_header(body)
    return Answer(data=body, status=spec.status, headers={"Link": links} if links else {})


def _change(
    spec: Operation,
    call: Callable[..., Any],
    *,
    view: "OperationViewSet",
    request: Request,
    path: dict[str, Any],
) -> Response:
    data = (
        {} if isinstance(request.data, QueryDict) else request.data
    )  # DRF's stand-in for a form without a body
    keyed = _keyed_call(spec, request, data=data)
    if keyed and (replay := _replayed(keyed)) and replay.body:
        return _again(replay)
    arguments = validated_path(spec, path)
    body = validated_body(spec, data, request=request)
    if spec.body is not None:
        arguments["body"] = body
    if spec.prepare is not None:
        arguments["prepared"] = spec.prepare(view, request, **arguments)
    replay = None
    with transaction.atomic():
        if keyed:
            idempotency.hold(keyed)
            if (replay := _replayed(keyed)) and replay.body:
                return _again(replay)
        with throttling.spending_for(request._request):  # noqa: SLF001
            result = call(**arguments)
        made = spec.returns.render(result)
        rendered, headers = dumps(made), {**spec.returns.headers(result), **_located(spec, made)}
        if keyed and not replay:
            idempotency.store(keyed, status=spec.status, body=rendered, headers=headers, at=timezone.now())
    headers = {**headers, **(REPLAYED if replay else {})}
    return Response(rendered, status=spec.status, headers=headers or None)


def _located(spec: Operation, made: Mapping[str, Any]) -> dict[str, str]:
    return {"Location": on_site(ROOT + spec.location.format_map(made))} if spec.location else {}


def _keyed_call(spec: Operation, request: Request, *, data: Any) -> idempotency.Call | None:
    header = request.headers.get("Idempotency-Key")
    if header is None or not spec.keyed:
        return None
    return idempotency.Call(
        user_id=request.user.pk or 0,
        operation=spec.name,
        key=idempotency.read_key(header),
        fingerprint=idempotency.fingerprint(method=request.method or "", path=request.path, body=data),
        changes_nothing=request.method == "PATCH" and not data,
    )


def _replayed(call: idempotency.Call) -> Replay | None:
    return idempotency.stored(call, at=timezone.now())


def _again(replay: Replay) -> Response:
    headers = {**(replay.headers or {}), **REPLAYED}
    return Response(bytes(replay.body), status=replay.status, headers=headers)


class HasDeclaredScope(BasePermission):
    """Public operations pass; others need a credential with one of the declared scopes."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Raises the exact 401 or 403, challenge included."""
        scope = view.operation.scope
        if not scope:
            return True
        if not request.user.is_authenticated or request.auth is None:
            raise AuthenticationRequiredError(
                "This operation needs an API key or an access token in the Authorization header.",
                headers={"WWW-Authenticate": challenge(scope=scope[0].value)},
            )
        if not isinstance(request.auth, Credential) or not request.auth.scopes.intersection(scope):
            needed = " ".join(sorted({Scope.ACCOUNT_READ.value, scope[0].value}))
            raise InsufficientScopeError(
                f"This operation needs the scope {scope[0].value}.",
                required_scope=scope[0].value,
                headers={
                    "WWW-Authenticate": challenge(
                        error="insufficient_scope",
                        error_description=f"The scope {scope[0].value} is needed",
                        scope=needed,
                    )
                },
            )
        return True


class OperationViewSet(ViewSet):
    permission_classes = [HasDeclaredScope]
    throttle_classes = [throttling.OperationThrottle]
    max_body_bytes: ClassVar[int] = MAX_BYTES

    @property
    def body_limit(self) -> int:
        """How many bytes of a body are read: what its view says, where the operation has a body at all."""
        return self.max_body_bytes if self.operation.body else MAX_BYTES

    @property
    def operation(self) -> Operation:
        handler = getattr(self, self.action or "", None)
        if handler is None:
            return NO_OPERATION
        return handler.operation

    @property
    def default_response_headers(self) -> dict[str, str]:
        """What else the address allows, for those who ask; DRF says it with every answer."""
        return super().default_response_headers if self.request.method == "OPTIONS" else {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """DRF's checks in its order, after refusing an Accept header that leaves no room for JSON."""
        if not accepts_json(request.headers.get("Accept", "")):
            raise NotAcceptable
        with throttling.denials_counted(request._request):  # noqa: SLF001
            super().initial(request, *args, **kwargs)

    def check_throttles(self, request: Request) -> None:
        """Count the call; a public read learns in the same trip to Redis which version its data have."""
        spec = self.operation
        if spec.cache is not None:
            plain: Any = request._request  # noqa: SLF001
            caller = throttling.caller_of(request)
            plain.lookup = find_cached(
                plain, policy=spec.cache, names=spec.parameters, limit=spec.policy, caller=caller
            )
            plain.allowance = plain.lookup.allowance
        super().check_throttles(request)


NO_OPERATION = Operation(name="", summary="", description="", returns=Shape)
