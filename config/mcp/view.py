"""`/mcp`: one endpoint for both eras, without sessions, answered in JSON."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from accounts.authentication import authenticate
from accounts.oauth.browsers import EXPOSED_HEADERS, preflight
from config.mcp import bridge, protocol
from config.mcp.bridge import Caller
from config.mcp.protocol import Message, ProtocolError
from config.mcp.tools import Tool
from config.mcp.wire import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR
from core.api import throttling
from core.api.bodies import accepts_json, parse
from core.api.errors import ApiError, AuthenticationRequiredError, InsufficientScopeError
from core.api.handler import answer
from core.api.links import absolute, challenge
from core.fetch import split_url

MAX_BYTES = settings.LARGEST_BODY  # a tool takes whatever its operation takes
PUBLIC_BYTES = 64 * 1024
LOCAL = {"localhost", "127.0.0.1", "::1"}
JSON = "application/json"


@csrf_exempt
def endpoint(request: HttpRequest) -> HttpResponse:
    """Answer one POST. Nothing is kept between two of them."""
    origin = request.headers.get("Origin", "")
    if origin and not may_come_from(origin):
        return failure(403, "Requests from this origin are not taken.")
    response = _answer(request)
    if origin:
        response["Access-Control-Allow-Origin"] = origin
        response["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        response["Vary"] = "Origin"
    return response


def may_come_from(origin: str) -> bool:
    """Whether a page of this origin may call: ours, one on the caller's own machine, or one allowed."""
    parts = split_url(origin)
    ours = split_url(absolute(""))
    return (
        f"{parts.scheme}://{parts.netloc}" == f"{ours.scheme}://{ours.netloc}"
        or (parts.scheme in {"http", "https"} and parts.hostname in LOCAL)
        or origin in settings.MCP_ALLOWED_ORIGINS
    )


def _answer(request: HttpRequest) -> HttpResponse:
    request.get_host()  # refuses other hosts, which a page may have bound to our address
    if request.method == "OPTIONS":
        return preflight(("POST",))
    if refused := _refused_by_http(request):
        return refused
    try:
        raw = request.read(MAX_BYTES + 1)
    except RequestDataTooBig:
        raw = None
    if raw is None or len(raw) > MAX_BYTES:
        return failure(413, f"The body has more than {MAX_BYTES} bytes.")
    return _answer_body(request, raw)


def _refused_by_http(request: HttpRequest) -> HttpResponse | None:
    if request.method != "POST":
        response = failure(405, "Send messages by POST.")
        response["Allow"] = "POST, OPTIONS"
        return response
    if request.content_type != JSON:
        return failure(415, "Send JSON, with Content-Type: application/json.")
    if not accepts_json(request.headers.get("Accept", "")):
        return failure(406, "Answers are JSON; the Accept header leaves no room for it.")
    return None


def _answer_body(request: HttpRequest, raw: bytes) -> HttpResponse:
    """Credentials come before everything the body may hold, but the answer names the id it came with.

    One that is longer than any public tool takes is read for a known caller alone.
    """
    identifier = None
    try:
        caller = signed_in_caller(request) if len(raw) > PUBLIC_BYTES else None
        value, broken = _parsed(raw)
        identifier = protocol.readable_id(value)
        caller = caller or caller_of(request)
        if broken:
            count(caller)
            return failure(400, broken.message, code=broken.code)
        if isinstance(value, list):
            return _answer_batch(value, caller=caller)
        return _answer_message(value, caller=caller)
    except (ApiError, Error) as error:
        return refusal(error, request=request, identifier=identifier)


def _parsed(raw: bytes) -> tuple[Any, ProtocolError | None]:
    try:
        return parse(raw, max_bytes=MAX_BYTES), None
    except ApiError as error:
        where = next((f" {entry.pointer}: {entry.message}" for entry in error.errors if entry.pointer), "")
        return None, ProtocolError(PARSE_ERROR, error.detail + where)


def _answer_message(value: Any, *, caller: bridge.Caller) -> HttpResponse:
    """A call counts against its operation's limit, as over REST, and costs no second count; all else counts here."""
    identifier, modern = protocol.readable_id(value), True
    try:
        message = protocol.read(value)
        modern = protocol.is_modern(message, header=caller.request.headers.get("Mcp-Protocol-Version"))
        version = protocol.version_of(message, caller.request.headers)
        if message.wants_answer:
            _check(message, version=version)
    except ProtocolError as error:
        count(caller)
        # An old client that began with a handshake expects what is wrong inside a well-formed request by 200.
        inside = not modern and error.code in {protocol.METHOD_NOT_FOUND, INVALID_PARAMS}
        status = 200 if inside else protocol.STATUS[error.code]
        return as_json(bridge.failed(identifier, error.as_dict()), status=status)
    if not message.wants_answer:
        count(caller)
        return HttpResponse(status=202)
    if missing := _missing([message], caller=caller):
        count(caller)
        if settings.MCP_CHALLENGE == "result":
            return as_json(bridge.envelope(_id(message), bridge.challenged(missing, version=version)))
        raise missing
    result = _result(message, version=version, caller=caller)
    if not hasattr(caller.request, "allowance"):
        count(caller)
    return as_json(bridge.envelope(_id(message), result))


def _check(message: Message, *, version: str) -> None:
    protocol.check_params(message, version=version)
    if message.method == "tools/call" and bridge.tool_of(message) is None:
        raise ProtocolError(INVALID_PARAMS, f"There is no tool {str(message.params['name'])[:80]}.")


def _missing(messages: Sequence[Message], *, caller: bridge.Caller) -> ApiError | None:
    called = [tool for message in messages if (tool := bridge.tool_of(message))]
    return lacking(called, caller=caller)


def _result(message: Message, *, version: str, caller: bridge.Caller) -> Any:
    tool = bridge.tool_of(message)
    if tool is None:
        return bridge.of_method(message, version=version)
    arguments = message.params.get("arguments") or {}
    outcome = bridge.call(tool, arguments, meta=message.meta, caller=caller)
    return bridge.of_tool(outcome, version=version)


def _answer_batch(values: list[Any], *, caller: bridge.Caller) -> HttpResponse:
    """Several messages at once, which 2025-03-26 alone knows. What any of them lacks is asked for once."""
    version = caller.request.headers.get("Mcp-Protocol-Version", protocol.BATCHED)
    if version != protocol.BATCHED or not 1 <= len(values) <= protocol.BATCH:
        count(caller)
        detail = f"Only {protocol.BATCHED} takes batches, of 1 to {protocol.BATCH} messages."
        return failure(400, detail, code=INVALID_REQUEST)
    count(caller, calls=len(values))
    read = [(value, _read_member(value, headers=caller.request.headers)) for value in values]
    to_answer = [member for _, member in read if isinstance(member, Message) and member.wants_answer]
    if missing := _missing(to_answer, caller=caller):
        raise missing
    answers = [
        bridge.failed(protocol.readable_id(value), member.as_dict())
        if isinstance(member, ProtocolError)
        else bridge.envelope(_id(member), _result(member, version=protocol.BATCHED, caller=caller))
        for value, member in read
        if isinstance(member, ProtocolError) or member.wants_answer
    ]
    return as_json(b"[" + b",".join(answers) + b"]") if answers else HttpResponse(status=202)


def _read_member(value: Any, *, headers: Any) -> Message | ProtocolError:
    try:
        message = protocol.read_member(value, headers)
        if message.wants_answer:
            _check(message, version=protocol.BATCHED)
    except ProtocolError as error:
        return error
    return message


def _id(message: Message) -> str | int:
    return message.id if message.id is not None else ""


def as_json(body: bytes, *, status: int = 200) -> HttpResponse:
    return HttpResponse(body, status=status, content_type=JSON, headers={"Cache-Control": "no-store"})


def failure(status: int, message: str, *, code: int = INVALID_REQUEST) -> HttpResponse:
    return as_json(bridge.failed(None, {"code": code, "message": message}), status=status)


def refusal(error: Exception, *, request: HttpRequest, identifier: str | int | None) -> HttpResponse:
    """A refusal by HTTP status and headers, with the problem object inside a JSON-RPC error."""
    status, problem, _, headers = answer(error, request=request)
    message = problem.get("detail") or problem.get("message")
    body = bridge.failed(identifier, {"code": status, "message": message, "data": problem})
    response = as_json(body, status=status)
    for name, value in headers.items():
        response[name] = value
    return response


def caller_of(request: HttpRequest) -> Caller:
    """The caller. A wrong credential is refused even where none is needed."""
    header = request.headers.get("Authorization", "")
    if not header:
        return Caller(request=request)
    with throttling.denials_counted(request):
        result = authenticate(header, resource="mcp")
    if result is None:
        return Caller(request=request)
    return Caller(request=request, user=result[0], credential=result[1])


def count(caller: Caller, *, calls: int = 1) -> None:
    """Count what no operation's own limit counts. Raises RateLimitedError."""
    network = throttling.network(throttling.client_address(caller.request))
    name = f"user:{caller.user.pk}" if caller.user else f"net:{network}"
    for _ in range(calls):
        allowance = throttling.count("mcp", caller=name)
        caller.request.allowance = allowance  # type: ignore[attr-defined]
        if allowance.is_exceeded:
            raise allowance.error()


def signed_in_caller(request: HttpRequest) -> Caller:
    """The caller of a message too long for any public tool. Raises AuthenticationRequiredError without a credential."""
    caller = caller_of(request)
    if caller.user is None:
        count(caller)
        raise AuthenticationRequiredError(
            "A message this long needs a signed-in person: an access token or an API key.",
            headers={"WWW-Authenticate": challenge(resource="mcp")},
        )
    return caller


def lacking(tools: Iterable[Tool], *, caller: Caller) -> ApiError | None:
    """What keeps the caller from these tools: one challenge that names every scope they need."""
    missing = [tool for tool in tools if tool.scopes and not caller.scopes & set(tool.scopes)]
    if not missing:
        return None
    needed = {scope for tool in missing for scope in tool.granted_by}
    if caller.user is None:
        return AuthenticationRequiredError(
            f"{missing[0].name} needs a signed-in person: an access token or an API key.",
            headers={"WWW-Authenticate": challenge(resource="mcp", scope=" ".join(sorted(needed)))},
        )
    first = missing[0].scopes[0]
    return InsufficientScopeError(
        f"{missing[0].name} needs the scope {first}.",
        required_scope=first,
        headers={
            "WWW-Authenticate": challenge(
                resource="mcp",
                error="insufficient_scope",
                error_description=f"The scope {first} is needed",
                scope=" ".join(sorted(needed | caller.scopes)),
            )
        },
    )
