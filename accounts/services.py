"""Making people and keys."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.db import InternalError, transaction
from django.db.models import Exists, OuterRef

from accounts import keys, limits
from accounts.errors import KeyNotFoundError, TooManyKeysError, UnknownScopeError
from accounts.models import ApiKey, User
from core.outages import is_outage
from core.scopes import Scope

USED_RECORDED_EVERY = timedelta(minutes=1)
FORGOTTEN_AT_ONCE = 500
OVERLAP = timedelta(hours=24)
ALL_SCOPES = tuple(scope.value for scope in Scope)


@transaction.atomic
def create_user(*, email: str, password: str | None = None, is_staff: bool = False) -> User:
    """Make a person whose address counts as confirmed, or return the one who has it."""
    user = User.objects.filter(email__iexact=email).first()
    if user is None:
        user = User.objects.create_user(email, password, is_staff=is_staff, is_superuser=is_staff)
    else:
        _change_user(user, password=password, is_staff=is_staff)
    EmailAddress.objects.update_or_create(
        user=user, email=user.email.lower(), defaults={"verified": True, "primary": True}
    )
    return user


@transaction.atomic
def begin_account(*, email: str, at: datetime) -> User | None:
    """Make a person whose address is to be proved; None for an address whose account is closed."""
    fresh = User(email=User.objects.normalize_email(email), password=make_password(None), date_joined=at)
    User.objects.bulk_create([fresh], ignore_conflicts=True)
    user = User.objects.filter(email__iexact=email, is_active=True).first()
    if user is not None:
        EmailAddress.objects.get_or_create(user=user, email=user.email.lower(), defaults={"primary": True})
    return user


def forget_unproved(*, at: datetime) -> int:
    """Delete accounts whose address nobody proved in a week: they were typed, and nobody ever got in."""
    mine = EmailAddress.objects.filter(user=OuterRef("pk"))
    typed = User.objects.filter(
        Exists(mine.filter(verified=False)),
        ~Exists(mine.filter(verified=True)),
        date_joined__lt=at - timedelta(days=limits.UNPROVED_DAYS),
        last_login=None,
        is_staff=False,
        is_active=True,
    )
    ids = list(typed.order_by("pk").values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    User.objects.filter(pk__in=ids).delete()
    return len(ids)


def _change_user(user: User, *, password: str | None, is_staff: bool) -> None:
    """Give a person what is missing. A password from before the address was confirmed does not stay."""
    unproved = EmailAddress.objects.filter(user=user, email=user.email.lower(), verified=False)
    if password or unproved.exists():
        user.set_password(password)
    if is_staff:  # whoever is staff in a role stays what they are
        user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser", "password"])


@transaction.atomic
def create_api_key(
    *,
    user: User,
    name: str,
    at: datetime,
    scopes: Iterable[str] = ALL_SCOPES,
    expires_at: datetime | None = None,
) -> tuple[ApiKey, str]:
    """Make a key; the second value is the key itself, which is never to be had again."""
    wanted = sorted(set(scopes))
    if not wanted or not set(wanted) <= set(ALL_SCOPES):
        raise UnknownScopeError(f"Scopes are {', '.join(ALL_SCOPES)}.")
    User.objects.select_for_update().get(pk=user.pk)
    if ApiKey.objects.filter(user=user, revoked_at=None).count() >= limits.KEYS:
        raise TooManyKeysError(f"An account holds at most {limits.KEYS} keys. Revoke one first.")
    key = keys.make()
    row = ApiKey.objects.create(
        user=user,
        name=name.strip()[: limits.KEY_NAME] or "API key",
        prefix=key[:8],
        last4=key[-4:],
        digest=keys.digest(key),
        scopes=wanted,
        created_at=at,
        expires_at=expires_at,
    )
    return row, key


def revoke_api_key(*, user: User, key_id: int, at: datetime) -> None:
    """Close a key for good. A second call changes nothing."""
    if not ApiKey.objects.filter(user=user, pk=key_id).exists():
        raise KeyNotFoundError("There is no such key.")
    ApiKey.objects.filter(user=user, pk=key_id, revoked_at=None).update(revoked_at=at)


@transaction.atomic
def rotate_api_key(*, user: User, key_id: int, at: datetime) -> tuple[ApiKey, str]:
    """Make a successor with the same name and scopes; the old key still works for 24 hours."""
    old = ApiKey.objects.select_for_update().filter(user=user, pk=key_id, revoked_at=None).first()
    if old is None or not old.is_valid(at=at):
        raise KeyNotFoundError("There is no such key, or it no longer works.")
    fresh = create_api_key(user=user, name=old.name, scopes=old.scopes, at=at, expires_at=old.expires_at)
    ends = at + OVERLAP
    old.expires_at = min(old.expires_at or ends, ends)
    old.save(update_fields=["expires_at"])
    return fresh


def record_use(*, key: ApiKey, at: datetime) -> None:
    """Remember when a key was last used, at most once a minute; not while the database takes no changes."""
    if key.last_used_at is None or key.last_used_at < at - USED_RECORDED_EVERY:
        try:
            with transaction.atomic():
                ApiKey.objects.filter(pk=key.pk).update(last_used_at=at)
        except InternalError as error:
            if not is_outage(error):
                raise
