"""The refusals every area shares. `core.api.handler` alone turns them into HTTP."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar

T = TypeVar("T")

MAX_ERRORS = 100
"""How many failing values one refusal names; a body of a megabyte can hold a hundred thousand."""

NAMED = 3
NAMED_LETTERS = 80


def pointer(path: tuple[str, ...]) -> str:
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path)


@dataclass(frozen=True, kw_only=True)
class FieldError:
    """One failing value: `pointer` (RFC 6901) into the body, or `parameter` of the query or path."""

    code: str
    message: str
    pointer: str | None = None
    parameter: str | None = None
    limit: int | str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The entry of `errors[]`: where, what, and the limit that was broken, null if there is none."""
        entry: dict[str, Any] = {"code": self.code}
        if self.pointer is not None:
            entry["pointer"] = self.pointer
        if self.parameter is not None:
            entry["parameter"] = self.parameter
        return {**entry, "message": self.message, "limit": self.limit}


def needs_fix(errors: Sequence[FieldError]) -> str:
    """Which values a refusal is about, in a sentence: each says its rule beside it."""
    names = list(
        dict.fromkeys((error.pointer or error.parameter or "the body")[:NAMED_LETTERS] for error in errors)
    )
    listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    return (
        f"One value needs a fix: {listed}."
        if len(names) == 1
        else f"{len(names)} values need a fix: {listed}."
    )


class ApiError(Exception):
    """A refusal with a stable code. Keyword arguments become named extras of the problem object.

    An area's refusals stand in its `errors.py`, two lines each: what they inherit and change, and what they mean.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "invalid_request"
    title: ClassVar[str] = "The request cannot be carried out"

    def __init_subclass__(
        cls, *, status: int | None = None, code: str | None = None, title: str | None = None
    ) -> None:
        super().__init_subclass__()
        own = {"status": status, "code": code, "title": title}
        for name in [name for name, value in own.items() if value is not None]:
            setattr(cls, name, own[name])

    def __init__(
        self,
        detail: str,
        *,
        errors: Sequence[FieldError] = (),
        headers: Mapping[str, str] | None = None,
        **extras: Any,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = tuple(errors[:MAX_ERRORS])
        self.headers = dict(headers or {})
        self.extras = extras


class InvalidRequestError(ApiError, title="The request breaks a rule"):
    """A value breaks a rule of the interface."""


def check_all(*checks: Callable[[], Any]) -> list[Any]:
    """What each check gives. Raises the refusal of the one that fails, or one InvalidRequestError for several."""
    results, refusals = [], []
    for check in checks:
        try:
            results.append(check())
        except ApiError as refusal:
            refusals.append(refusal)
    if len(refusals) == 1 or not all(refusal.errors for refusal in refusals):
        raise next((refusal for refusal in refusals if not refusal.errors), refusals[0])
    if refusals:
        errors = [error for refusal in refusals for error in refusal.errors]
        raise InvalidRequestError(needs_fix(errors), errors=errors)
    return results


class InvalidJsonError(ApiError, code="invalid_json", title="The body is not JSON"):
    """The body is not JSON."""


class InvalidStateError(ApiError, code="invalid_state", title="Not in this state"):
    """The thing exists, but not in a state that allows this. Says `current` and `allowed`."""

    def __init__(self, detail: str, *, current: str, allowed: Iterable[str] = (), **extras: Any) -> None:
        super().__init__(detail, current=current, allowed=sorted(allowed), **extras)

    @classmethod
    def of(cls, row: Any, detail: str) -> Self:
        """Of something that has a `status` and `MOVES` from each."""
        return cls(detail, current=row.status, allowed=row.MOVES.get(row.status, ()))


class AuthenticationRequiredError(
    ApiError, status=401, code="authentication_required", title="Sign-in needed"
):
    """No credential where one is needed."""


class InvalidTokenError(ApiError, status=401, code="invalid_token", title="The credential is not valid"):
    """A credential that is unknown, expired, revoked or meant for another service."""


class InsufficientScopeError(
    ApiError, status=403, code="insufficient_scope", title="The credential does not allow this"
):
    """A good credential without the scope of the operation."""


class AccountSuspendedError(ApiError, status=403, code="account_suspended", title="The account is suspended"):
    """A good credential of an account that staff have suspended."""


class NotFoundError(ApiError, status=404, code="not_found", title="Not found"):
    """No such thing, or somebody else's: the two look the same."""

    @classmethod
    def unless(cls, row: T | None, what: str) -> T:
        """The row that was looked up. Raises this error where there is none."""
        if row is None:
            raise cls(f"There is no such {what}.")
        return row


class RateLimitedError(ApiError, status=429, code="rate_limited", title="Too many requests"):
    """Too many requests of one kind; has its own answer shape."""

    def __init__(
        self, *, policy: str, limit: int, window_seconds: int, retry_after: int, counts: str = ""
    ) -> None:
        what = f" Counted: {counts}." if counts else ""
        super().__init__(f"Too many requests. Try again in {retry_after} seconds.{what}")
        self.policy = policy
        self.limit = limit
        self.window_seconds = window_seconds
        self.retry_after = retry_after
