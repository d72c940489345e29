"""The apps a person is connected to, and who an app is."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from oauth2_provider.models import get_access_token_model

from accounts.models import ConnectedApp, User
from accounts.oauth import addresses
from core.api.errors import NotFoundError


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
    for application, scope in rows.values_list("application", "scope"):
        result[application] |= set(scope.split())
    return result
