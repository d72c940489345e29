"""What the accounts area holds of a person: theirs to take along, and gone when they ask for it."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import services_apps, services_endpoints
from accounts.errors import StaffStayError
from accounts.models import ERASED, ApiKey, ConnectedApp, SeenNetwork, StaffNote, User
from core.models import Endpoint, Job, Mail, Replay

KEY_COLUMNS = ("name", "prefix", "last4", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at")
APP_COLUMNS = ("application__name", "allowed_at", "last_used_at")
MAIL_COLUMNS = ("address", "subject", "state", "queued_at", "settled_at")


def refuse_staff(*, user: User) -> None:
    """Raise StaffStayError for staff: what they decided names them, and the last one would lock the others out."""
    if user.is_staff or user.is_superuser:
        raise StaffStayError("A staff account is not erased. Have its rights taken away first.")


def export(*, user_id: int) -> dict[str, Any]:
    user, theirs = User.objects.filter(pk=user_id), {"user": user_id}
    notes = StaffNote.objects.filter(kind="accounts.user", key=str(user_id)).order_by("pk")
    rows: dict[str, QuerySet[Any, Any]] = {
        "email_addresses": EmailAddress.objects.filter(**theirs).values("email", "verified", "primary"),
        "api_keys": ApiKey.objects.filter(**theirs).values(*KEY_COLUMNS),
        "connected_apps": ConnectedApp.objects.filter(**theirs).values(*APP_COLUMNS),
        "second_factors": Authenticator.objects.filter(**theirs).values("type", "created_at", "last_used_at"),
        "networks": SeenNetwork.objects.filter(**theirs).values("network", "seen_at"),
        "notes_of_staff": notes.values("text", "at"),
        "mails": Mail.objects.filter(**theirs).order_by("pk").values(*MAIL_COLUMNS),
    }
    return {
        "account": user.values("id", "email", "name", "date_joined", "last_login").get(),
        **{name: list(entries) for name, entries in rows.items()},
        **services_endpoints.export(user_id=user_id),
    }


@transaction.atomic
def erase(*, user: User, at: datetime) -> None:
    """End every way in, and leave of the person a number: what they voted for and bought still refers to it."""
    others = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    addresses = [address.lower() for address in (user.email, *others)]
    services_apps.end_access(user=user, at=at)
    Mail.objects.filter(Q(user=user) | Q(address__in=addresses)).delete()
    ApiKey.objects.filter(user=user).delete()
    Endpoint.objects.filter(user=user).delete()
    EmailAddress.objects.filter(user=user).delete()
    SeenNetwork.objects.filter(user=user).delete()
    Replay.objects.filter(user=user).delete()
    Job.objects.filter(kind="core.send_mail", payload__to__in=addresses).delete()
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
    ).update(object_repr=f"erased {user.pk}")
    StaffNote.objects.filter(kind="accounts.user", key=str(user.pk)).delete()
    user.groups.clear()
    user.email, user.name, user.is_active = ERASED.format(user.pk), "", False
    user.last_login, user.suspended_at = None, None
    user.save(update_fields=["email", "name", "is_active", "last_login", "suspended_at"])
