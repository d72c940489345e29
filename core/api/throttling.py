"""Rate limits per caller and kind of work, stated in RateLimit headers (draft-ietf-httpapi-ratelimit-headers)."""

import ipaddress
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from limits import RateLimitItem, RateLimitItemPerSecond
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import FixedWindowRateLimiter
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.api.errors import ApiError, RateLimitedError
from core.cache import Script, Scripts, client_of
from core.tables import rows_of


@dataclass(frozen=True)
class Policy:
    """So many calls in so many seconds, for one caller and one kind of work; `counts` says which, for the docs."""

    name: str
    limit: int
    seconds: int
    counts: str = ""


POLICIES = {
    row["name"]: Policy(row["name"], int(row["limit"]), int(row["seconds"]), row["counts"])
    for row in rows_of(__file__, "policies.csv")
}


@dataclass(kw_only=True)
class Allowance:
    policy: str
    limit: int
    remaining: int
    seconds: int
    reset_in: int
    is_exceeded: bool

    @property
    def headers(self) -> dict[str, str]:
        return {
            "RateLimit-Policy": f'"{self.policy}";q={self.limit};w={self.seconds}',
            "RateLimit": f'"{self.policy}";r={self.remaining};t={self.reset_in}',
        }

    def error(self) -> RateLimitedError:
        return RateLimitedError(
            policy=self.policy,
            limit=self.limit,
            window_seconds=self.seconds,
            retry_after=max(1, self.reset_in),
            counts=POLICIES[self.policy].counts,
        )


def exhausted(error: RateLimitedError) -> Allowance:
    """The allowance that a refusal speaks of, whatever else the call counted."""
    return Allowance(
        policy=error.policy,
        limit=error.limit,
        remaining=0,
        seconds=error.window_seconds,
        reset_in=error.retry_after,
        is_exceeded=True,
    )


# limits' own strategy asks three times for what one trip can say; each trip is a tenth of a small answer's time.
# The first key is the window, its length and the cost are the values. The other keys are version stamps, which are
# returned as one version; a stamp that is not there is a version like any other. A list takes longer to read.
COUNT = Script("""
local count = redis.call("INCRBY", KEYS[1], ARGV[2])
local left = redis.call("PTTL", KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call("PEXPIRE", KEYS[1], left)
end
local version = ""
if #KEYS > 1 then
  for _, stamp in ipairs(redis.call("MGET", unpack(KEYS, 2))) do
    version = version .. "," .. (stamp or "-")
  end
end
return count .. " " .. left .. " " .. version
""")


class Hit(NamedTuple):
    """Whether a call may pass, what remains, when the window ends (epoch seconds), and the version of the stamps.

    The version is None while Redis is away.
    """

    may_pass: bool
    remaining: int
    ends_at: float
    version: bytes | None = None


class SharedWindows:
    def __init__(self, *, url: str) -> None:
        self.storage = RedisStorage(url.replace("unix://", "redis+unix://", 1), key_prefix="limit")
        self.scripts = Scripts(partial(client_of, url))

    def hit(
        self, item: RateLimitItem, *identifiers: str, cost: int = 1, stamps: Sequence[str] = ()
    ) -> Hit | None:
        """Count a call; None while Redis is away."""
        key = self.storage.prefixed_key(item.key_for(*identifiers))
        result = self.scripts.run(COUNT, keys=(key, *stamps), values=(item.get_expiry() * 1000, cost))
        if result is None:
            return None
        count, left, version = result.split(b" ", 2)
        remaining = item.amount - int(count)
        return Hit(remaining >= 0, max(0, remaining), time.time() + int(left) / 1000, version)


class Limiter:
    """Counts in Redis; while Redis is away each process counts for itself."""

    def __init__(self, *, url: str) -> None:
        self.shared = SharedWindows(url=url)
        self._own = FixedWindowRateLimiter(MemoryStorage())

    def hit(self, item: RateLimitItem, *identifiers: str, cost: int = 1, stamps: Sequence[str] = ()) -> Hit:
        result = self.shared.hit(item, *identifiers, cost=cost, stamps=stamps)
        if result is not None:
            return result
        may_pass = self._own.hit(item, *identifiers, cost=cost)
        window = self._own.get_window_stats(item, *identifiers)
        return Hit(may_pass, window.remaining, window.reset_time)


@lru_cache(maxsize=1)
def limiter() -> Limiter:
    return Limiter(url=settings.REDIS_URL)


def allowed(policy: Policy) -> int:
    return max(1, round(policy.limit * settings.RATE_LIMIT_FACTOR))


def count(policy_name: str, *, caller: str, cost: int = 1) -> Allowance:
    return count_and_read(policy_name, caller=caller, cost=cost)[0]


@lru_cache(maxsize=64)
def _window(limit: int, seconds: int) -> RateLimitItem:
    return RateLimitItemPerSecond(limit, seconds)


def count_and_read(
    policy_name: str, *, caller: str, cost: int = 1, stamps: Sequence[str] = ()
) -> tuple[Allowance, bytes | None]:
    """Count one call, and read the version of these stamps in the same trip; None while Redis is away."""
    policy = POLICIES[policy_name]
    limit = allowed(policy)
    result = limiter().hit(_window(limit, policy.seconds), policy.name, caller, cost=cost, stamps=stamps)
    allowance = Allowance(
        policy=policy.name,
        limit=limit,
        remaining=result.remaining,
        seconds=policy.seconds,
        reset_in=max(0, min(policy.seconds, round(result.ends_at - time.time()))),
        is_exceeded=not result.may_pass,
    )
    return allowance, result.version


def is_spent(policy_name: str, *, caller: str) -> bool:
    """Whether a caller has nothing left of a policy; counts nothing, for limits on what fails."""
    return count(policy_name, caller=caller, cost=0).remaining == 0


def enforce(policy_name: str, *, caller: str) -> Allowance:
    """Count one call and raise RateLimitedError when it is one too many."""
    allowance = count(policy_name, caller=caller)
    if allowance.is_exceeded:
        raise allowance.error()
    return allowance


_ANSWERED: ContextVar[Any] = ContextVar("answered", default=None)


@contextmanager
def spending_for(request: HttpRequest) -> Iterator[None]:
    """Have the answer to this request say what services spend meanwhile."""
    token = _ANSWERED.set(request)
    try:
        yield
    finally:
        _ANSWERED.reset(token)


def spend(policy_name: str, *, user_id: int) -> None:
    """Count costly work that a service has just taken on for a person, whichever door it came through.

    Call it last in the service's transaction: what is refused spends nothing, and RateLimitedError undoes the work.
    """
    allowance = count(policy_name, caller=f"user:{user_id}")
    request = _ANSWERED.get()
    if request is not None:
        request.allowance = allowance
    if allowance.is_exceeded:
        raise allowance.error()


@contextmanager
def denials_counted(request: HttpRequest) -> Iterator[None]:
    """Count a 401 or 403 against the caller's network; raises RateLimitedError in its place where there were too many.

    A good credential goes on whatever others of its network do, or one neighbour could shut all of them out.
    """
    seen: Any = request
    try:
        yield
    except ApiError as refusal:
        if refusal.status not in {401, 403}:
            raise
        seen.allowance = count("denied", caller=network_caller(request))
        if seen.allowance.is_exceeded:
            raise seen.allowance.error() from refusal
        raise


def client_address(request: HttpRequest | Request) -> str:
    """The caller's address: of the connection, or given by as many proxies as the operator trusts."""
    peer = request.META.get("REMOTE_ADDR") or "unknown"
    forwarded = [
        hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()
    ]
    if settings.TRUSTED_PROXIES and len(forwarded) >= settings.TRUSTED_PROXIES:
        return forwarded[-settings.TRUSTED_PROXIES]
    return peer


@lru_cache(maxsize=1024)
def network(address: str) -> str:
    """The network an address is counted with: itself for IPv4, also written as IPv6, its /64 for IPv6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((parsed, 64), strict=False).network_address)
    return str(parsed)


def network_caller(request: HttpRequest | Request) -> str:
    return f"net:{network(client_address(request))}"


def caller_of(request: HttpRequest | Request) -> str:
    user = getattr(request, "_user", None)
    if user is not None and user.is_authenticated:
        return f"user:{user.pk}"
    return network_caller(request)


class OperationThrottle(BaseThrottle):
    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the call, keep what is left for the answer's headers, and refuse one too many."""
        seen: Any = request._request  # noqa: SLF001
        if not hasattr(seen, "lookup"):  # which counts the call that it is made for
            seen.allowance = count(view.operation.policy, caller=caller_of(request))
        allowance = seen.allowance
        if allowance.is_exceeded:
            raise allowance.error()
        return True
