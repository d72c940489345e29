"""What is known of a signed-in person, and the apps that they are connected to."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, Q, QuerySet
from oauth2_provider.models import get_access_token_model

from accounts.models import ApiKey, ConnectedApp, User
from accounts.oauth import addresses
from core.api.errors import NotFoundError
from core.api.routes import all_operations
from core.api.scopes import Credential
from core.email_addresses import NORMAL
from core.parts import Named, Several
from core.postgresql.base import Counted

Counter = Callable[[int], Sequence[QuerySet[Any]]]
KEYS_LISTED = 100
LISTED_OF_EACH = 5


# what get_account counts: rows that belong to a person, together
count_for_account = Named[Counter]()


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """One thing that waits for its owner: what, why, and where it is done."""

    title: str
    detail: str
    path: str
    act: str


# what waits for a person, at most LISTED_OF_EACH of each kind
tells_what_waits = Several[Callable[[int], list[Waiting]]]()


@dataclass(frozen=True, kw_only=True)
class Lead:
    title: str
    detail: str
    path: str
    is_live: bool


leads_account = Several[Callable[[int], Lead | None]]()


def lead_of(*, user_id: int) -> Lead | None:
    return next((lead for leader in leads_account if (lead := leader(user_id))), None)


def waiting_for(*, user_id: int) -> list[Waiting]:
    return [entry for waiter in tells_what_waits for entry in waiter(user_id)]


@dataclass(frozen=True, kw_only=True)
class AccountView:
    user: User
    credential: Credential
    granted: list[str]
    missing: list[str]
    counts: dict[str, int]


def account(*, user: User, credential: Credential) -> AccountView:
    """The signed-in person, with the operations the credential allows and those it does not."""
    existing = all_operations()
    granted = sorted(
        spec.name for spec in existing if not spec.scope or credential.scopes.intersection(spec.scope)
    )
    return AccountView(
        user=user,
        credential=credential,
        granted=granted,
        missing=sorted({spec.name for spec in existing} - set(granted)),
        counts=counts(user_id=user.pk),
    )


def counts(*, user_id: int) -> dict[str, int]:
    """How many drafts, listings and so on a person has, in one statement."""
    rows = {
        f"{name}_{number}": Counted(part.order_by().values("pk"))
        for name, counter in count_for_account.items()
        for number, part in enumerate(counter(user_id))
    }
    result: dict[str, Any] = dict(User.objects.filter(pk=user_id).values(**rows).first() or {})
    return {
        name: sum(number for key, number in result.items() if key.rpartition("_")[0] == name)
        for name in sorted(count_for_account)
    }


def api_keys(*, user_id: int) -> list[ApiKey]:
    """A person's keys, newest first, those that no longer work included."""
    return list(ApiKey.objects.filter(user=user_id).order_by("-created_at", "-pk")[:KEYS_LISTED])


def api_key(*, user_id: int, key_id: int) -> ApiKey:
    rows = ApiKey.objects.filter(user=user_id, pk=key_id, revoked_at=None)
    return NotFoundError.unless(rows.first(), "key")


def newest_key_id(*, user_id: int) -> int:
    return ApiKey.objects.filter(user=user_id).aggregate(newest=Max("pk"))["newest"] or 0


def has_password(*, email: str) -> bool:
    """Whether somebody has this address and signs in with a password."""
    user = User.objects.with_address(email)
    return user is not None and user.has_usable_password()


def unreachable_people() -> list[User]:
    """Those whose address is not in its one form, so that nobody signs in with it: from before there was one."""
    return list(User.objects.filter(is_active=True).exclude(email__regex=NORMAL).order_by("pk"))


def count_programs(*, user: User, at: datetime) -> int:
    """How many API keys and connected apps act for a person."""
    works = Q(expires_at=None) | Q(expires_at__gt=at)
    return (
        ApiKey.objects.filter(works, user=user, revoked_at=None).count()
        + ConnectedApp.objects.filter(user=user).count()
    )


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Who an app says it is. Only a client document proves a host; a registered name is just a name.

    `host` is where its answers go; `publisher` the host of its document; verified when the two are one.
    """

    name: str
    host: str
    publisher: str
    is_verified: bool
    is_local: bool


@dataclass(frozen=True, kw_only=True)
class AppView:
    """One connected app: who it is, what it may do now, when it last did."""

    id: int
    identity: Identity
    scopes: tuple[str, ...]
    allowed_at: datetime
    last_used_at: datetime | None


def identity(application: Any, *, redirect_uri: str = "") -> Identity:
    """Who an app is, when its answer goes to `redirect_uri`, or to any address it registered."""
    uris = [redirect_uri] if redirect_uri else application.redirect_uris.split()
    hosts = list(dict.fromkeys(map(addresses.host, uris)))
    is_published = application.registration_source == application.RegistrationSource.CIMD
    publisher = addresses.host(application.client_id) if is_published else ""
    host = ", ".join(hosts)
    return Identity(
        name=application.name or publisher or host or "An app without a name",
        host=host,
        publisher=publisher,
        is_verified=hosts == [publisher],
        is_local=bool(uris) and all(map(addresses.is_local, uris)),
    )


def connected_apps(*, user: User, at: datetime) -> list[AppView]:
    rows = ConnectedApp.objects.select_related("application").filter(user=user)
    scopes = _live_scopes(user=user, at=at)
    views = [_view(row, scopes=scopes) for row in rows]
    return sorted(views, key=lambda view: (view.last_used_at or view.allowed_at, view.id), reverse=True)


def connected_app(*, user: User, app_id: int, at: datetime) -> AppView:
    """One of a person's apps. Raises NotFoundError."""
    rows = ConnectedApp.objects.select_related("application").filter(user=user, pk=app_id)
    row = NotFoundError.unless(rows.first(), "app")
    return _view(row, scopes=_live_scopes(user=user, at=at))


def _view(row: ConnectedApp, *, scopes: dict[int, set[str]]) -> AppView:
    return AppView(
        id=row.pk,
        identity=identity(row.application),
        scopes=tuple(sorted(scopes[row.application_id])),
        allowed_at=row.allowed_at,
        last_used_at=row.last_used_at,
    )


def _live_scopes(*, user: User, at: datetime) -> dict[int, set[str]]:
    """What each app may do now or after its next refresh."""
    live = Q(expires__gt=at) | Q(refresh_token__isnull=False, refresh_token__revoked=None)
    rows = get_access_token_model().objects.filter(live, user=user, application__isnull=False)
    result: dict[int, set[str]] = defaultdict(set)
    for application, scope, allowed in rows.values_list(
        "application", "scope", "refresh_token__allowed__scope"
    ):
        result[application] |= set((allowed or scope).split())
    return result
