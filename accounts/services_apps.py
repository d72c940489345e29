"""Apps that people let act for them: allowing, using, disconnecting, forgetting."""

import io
import uuid
from datetime import datetime, timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management import call_command
from django.db import transaction
from oauth2_provider.models import (
    clear_expired,
    get_access_token_model,
    get_application_model,
    get_grant_model,
    get_refresh_token_model,
)

from accounts import limits
from accounts.models import AllowedScope, ApiKey, ConnectedApp, SpentCode, User
from core.api.errors import NotFoundError
from core.models import Endpoint

SPENT_CODES_STORED = timedelta(days=1)
FORGOTTEN_AT_ONCE = 10_000


@transaction.atomic
def allow_app(*, user: User, application_id: int, at: datetime) -> ConnectedApp:
    """Let an app act for a person, from now on and until they disconnect it."""
    app, _ = ConnectedApp.objects.update_or_create(
        user=user, application_id=application_id, defaults={"allowed_at": at}
    )
    return app


@transaction.atomic
def disconnect_app(*, user: User, app_id: int) -> None:
    """Take back what a person allowed an app: its codes and tokens stop at once."""
    app = NotFoundError.unless(ConnectedApp.objects.filter(user=user, pk=app_id).first(), "app")
    end_apps(user=user, application=app.application_id)


def touch_connection(*, user: User, application_id: int, at: datetime) -> bool:
    """Whether a person may sign in and still allows an app; stays so until the transaction ends."""
    connection = ConnectedApp.objects.filter(
        user=user, application=application_id, user__is_active=True, user__suspended_at=None
    )
    return bool(connection.update(last_used_at=at))


def remember_spent_code(digest: str, *, family: uuid.UUID, at: datetime) -> None:
    """Keep which tokens a code gave, so that its second use can take them back."""
    SpentCode.objects.create(digest=digest, token_family=family, spent_at=at)


def family_of_spent_code(digest: str) -> uuid.UUID | None:
    return SpentCode.objects.filter(digest=digest).values_list("token_family", flat=True).first()


def allowed_scope(token: Any) -> str | None:
    """What a refresh token may bring, where that is more than its access token has."""
    return AllowedScope.objects.filter(refresh_token=token).values_list("scope", flat=True).first()


def remember_allowed_scope(token: Any, *, scope: str) -> None:
    AllowedScope.objects.create(refresh_token=token, scope=scope)


def forget_unused(*, at: datetime) -> int:
    """Delete what expired, and registered clients that nobody uses. Returns how many such clients went."""
    SpentCode.objects.filter(spent_at__lt=at - SPENT_CODES_STORED).delete()
    clear_expired()
    call_command("clearcimdapplications", stdout=io.StringIO())
    return _forget_clients(before=at - timedelta(days=limits.UNUSED_CLIENT_DAYS), at=at)


@transaction.atomic
def _forget_clients(*, before: datetime, at: datetime) -> int:
    """Lock what is old, then look again: a token needs its client's row, so none can appear in between."""
    applications = get_application_model()
    old = applications.objects.filter(
        registration_source=applications.RegistrationSource.DCR, created__lt=before, updated__lt=before
    )
    locked = set(old.select_for_update(skip_locked=True).values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    for model, live in (
        (get_refresh_token_model(), {"revoked": None}),
        (get_access_token_model(), {"user__isnull": False, "expires__gt": at}),
        (get_grant_model(), {"expires__gt": at}),
    ):
        locked -= set(
            model.objects.filter(application__in=locked, **live).values_list("application", flat=True)
        )
    applications.objects.filter(pk__in=locked).delete()
    return len(locked)


@transaction.atomic
def end_access(*, user: User, at: datetime) -> None:
    """Make nothing that was set before open the account: password, sessions, second factors, keys, apps.

    Sessions carry a hash of the password, so they end with it.
    """
    user.set_unusable_password()
    user.save(update_fields=["password"])
    Authenticator.objects.filter(user=user).delete()
    end_programs(user=user, at=at)


@transaction.atomic
def end_programs(*, user: User, at: datetime) -> None:
    ApiKey.objects.filter(user=user, revoked_at=None).update(revoked_at=at)
    Endpoint.objects.filter(user=user, off_at=None).update(off_at=at, off_reason=Endpoint.Off.BY_OWNER)
    end_apps(user=user)


def end_apps(*, user: User, **which: Any) -> None:
    """Delete what people allowed apps: codes first, as the token endpoint takes its locks in the same order."""
    for model in (get_grant_model(), ConnectedApp, get_access_token_model(), get_refresh_token_model()):
        model.objects.filter(user=user, **which).delete()
