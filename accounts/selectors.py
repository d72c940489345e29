"""What is known of a signed-in person."""

from collections.abc import Callable
from dataclasses import dataclass

from accounts.models import User
from core.routes import all_operations
from core.scopes import Credential

Counter = Callable[[int], int]
COUNTERS: dict[str, Counter] = {}


def count_for_account(name: str) -> Callable[[Counter], Counter]:
    """Register what get_account counts under `name`; areas above say what belongs to a person."""

    def register(counter: Counter) -> Counter:
        COUNTERS[name] = counter
        return counter

    return register


@dataclass(frozen=True, kw_only=True)
class AccountView:
    """A person, the credential of the call, and what it opens."""

    user: User
    credential: Credential
    granted: list[str]
    missing: list[str]
    counts: dict[str, int]


def account(*, user: User, credential: Credential) -> AccountView:
    """The signed-in person, with the operations the credential allows and those it does not."""
    known = all_operations()
    granted = sorted(spec.name for spec in known if not spec.scope or credential.allows(spec.scope))
    return AccountView(
        user=user,
        credential=credential,
        granted=granted,
        missing=sorted({spec.name for spec in known} - set(granted)),
        counts={name: counter(user.pk) for name, counter in sorted(COUNTERS.items())},
    )
