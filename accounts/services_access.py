"""Ending what opens an account."""

from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from django.db import transaction
from oauth2_provider.models import get_access_token_model, get_grant_model, get_refresh_token_model

from accounts.models import ApiKey, ConnectedApp, User
from core.models import Endpoint


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
