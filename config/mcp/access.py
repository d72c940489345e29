"""Who calls, and what they lack: the challenges that make a client sign its person in, or ask for more."""

from collections.abc import Iterable

from django.http import HttpRequest

from accounts.authentication import authenticate
from config.mcp.bridge import Caller
from config.mcp.tools import Tool
from core.api import throttling
from core.api.errors import ApiError, AuthenticationRequiredError, InsufficientScopeError
from core.api.links import challenge


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


def refusal(tools: Iterable[Tool], *, caller: Caller) -> ApiError | None:
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
