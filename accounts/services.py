"""Making people and keys."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import limits
from accounts.errors import (
    AddressTakenError,
    LastAdministratorError,
    NotForStaffError,
    OwnGainError,
    TooManyKeysError,
    UnknownScopeError,
)
from accounts.models import ApiKey, User, key_digest, new_key
from accounts.staff.rights import ROLES
from core.api.errors import NotFoundError
from core.api.scopes import Scope
from core.email_addresses import normal_email

FORGOTTEN_AT_ONCE = 500
OVERLAP = timedelta(hours=24)
ALL_SCOPES = tuple(scope.value for scope in Scope)


@transaction.atomic
def call(*, user: User, name: str) -> None:
    """Give a person the name, of one line, that they want to be called by; none is the first part of their address."""
    user.name = " ".join(name.split())
    user.save(update_fields=["name"])


def create_user(*, email: str, password: str | None = None, is_staff: bool = False) -> User:
    """Make a person whose address counts as confirmed, or return the one who has it.

    Raises AddressRefusedError for what is no address.
    """
    address = normal_email(email)
    user = User.objects.with_address(address)
    if user is None:
        user = User.objects.create_user(address, password, is_staff=is_staff, is_superuser=is_staff)
    else:
        _change_user(user, password=password, is_staff=is_staff)
    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
    return user


@transaction.atomic
def begin_account(*, email: str, at: datetime) -> User | None:
    """Make a person whose address is to be proved; None where there is one, whose account this never touches."""
    try:
        with transaction.atomic():
            fresh = User.objects.create(
                email=normal_email(email), password=make_password(None), date_joined=at
            )
    except IntegrityError:
        return None
    EmailAddress.objects.create(user=fresh, email=fresh.email, primary=True)
    return fresh


def forget_unproved(*, at: datetime) -> int:
    """Delete accounts whose address nobody proved in a week."""
    typed = _unproved().filter(date_joined__lt=at - timedelta(days=limits.UNPROVED_DAYS))
    ids = list(typed.order_by("pk").values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    User.objects.filter(pk__in=ids).delete()
    return len(ids)


@transaction.atomic
def give_address(*, user: User, email: str) -> None:
    """Give a person another address, which is to be proved: what was set before the proof does not outlive it.

    Raises AddressRefusedError, or AddressTakenError when somebody else has it.
    """
    address = normal_email(email)
    if User.objects.exclude(pk=user.pk).filter(email=address).exists():
        raise AddressTakenError(f"Another account has {address}. Nothing was changed.")
    EmailAddress.objects.filter(user=user).delete()
    user.email = address
    user.save(update_fields=["email"])
    EmailAddress.objects.create(user=user, email=address, primary=True)


@transaction.atomic
def free_address(*, email: str) -> bool:
    """Whether nobody has this address, or nobody any more: an account that was only typed goes."""
    User.objects.filter(pk__in=list(_unproved().filter(email=email).values_list("pk", flat=True))).delete()
    return not User.objects.filter(email=email).exists()


def _unproved() -> QuerySet[User]:
    """Accounts that were typed, and nobody ever got in."""
    mine = EmailAddress.objects.filter(user=OuterRef("pk"))
    return User.objects.filter(
        Exists(mine.filter(verified=False)),
        ~Exists(mine.filter(verified=True)),
        last_login=None,
        is_staff=False,
        is_active=True,
    )


def _change_user(user: User, *, password: str | None, is_staff: bool) -> None:
    """Give a person what is missing. A password from before the address was confirmed does not stay."""
    if password or EmailAddress.objects.filter(user=user, email=user.email, verified=False).exists():
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
    names = sorted(set(scopes))
    if not names or not set(names) <= set(ALL_SCOPES):
        raise UnknownScopeError(f"Scopes are {', '.join(ALL_SCOPES)}.")
    User.objects.select_for_update().get(pk=user.pk)
    if ApiKey.objects.filter(user=user, revoked_at=None).count() >= limits.KEYS:
        raise TooManyKeysError(f"An account holds at most {limits.KEYS} keys. Revoke one first.")
    key = new_key()
    row = ApiKey.objects.create(
        user=user,
        name=name.strip()[: limits.KEY_NAME] or "API key",
        prefix=key[:8],
        last4=key[-4:],
        digest=key_digest(key),
        scopes=names,
        created_at=at,
        expires_at=expires_at,
    )
    return row, key


def revoke_api_key(*, user: User, key_id: int, at: datetime) -> None:
    """Close a key for good. A second call changes nothing."""
    if not ApiKey.objects.filter(user=user, pk=key_id).exists():
        raise NotFoundError("There is no such key.")
    ApiKey.objects.filter(user=user, pk=key_id, revoked_at=None).update(revoked_at=at)


@transaction.atomic
def rotate_api_key(*, user: User, key_id: int, at: datetime) -> tuple[ApiKey, str]:
    """Make a successor with the same name and scopes; the old key still works for 24 hours."""
    old = ApiKey.objects.select_for_update().filter(user=user, pk=key_id, revoked_at=None).first()
    if old is None or not old.is_valid(at=at):
        raise NotFoundError("There is no such key, or it no longer works.")
    fresh = create_api_key(user=user, name=old.name, scopes=old.scopes, at=at, expires_at=old.expires_at)
    ends = at + OVERLAP
    old.expires_at = min(old.expires_at or ends, ends)
    old.save(update_fields=["expires_at"])
    return fresh


ADMINISTRATOR = ROLES["A"]


@transaction.atomic
def set_roles(*, person_id: int, roles: Collection[str]) -> tuple[list[str], list[str]]:
    """Give a person exactly these roles; whoever has none is no staff any more. Gives the roles before and after.

    Raises NotForStaffError for superusers and for accounts that are closed, banned or unproved, and
    LastAdministratorError when nobody would be left who gives roles.
    """
    groups = list(Group.objects.select_for_update().filter(name__in=ROLES.values()).order_by("name"))
    person = User.objects.select_for_update(no_key=True).get(pk=person_id)
    before = sorted(person.roles)
    if person.is_superuser:
        raise NotForStaffError("A superuser may do everything without a role.")
    if set(roles) - set(before) and not _can_be_staff(person):
        raise NotForStaffError("This account is closed, banned, or its address is not confirmed.")
    if ADMINISTRATOR in set(before) - set(roles) and not _is_another_there(person):
        raise LastAdministratorError("Make somebody else administrator first.")
    person.groups.remove(*(group for group in groups if group.name not in roles))
    person.groups.add(*(group for group in groups if group.name in roles))
    person.is_staff = bool(roles)
    person.save(update_fields=["is_staff"])
    return before, sorted(roles)


def refuse_own_gain(*, staff_id: int, people: Iterable[int | None]) -> None:
    """Raise OwnGainError when whoever acts is one of those who gain or lose by it."""
    if staff_id in set(people):
        raise OwnGainError("It is yours. A colleague has to do that; nothing was changed.")


def _can_be_staff(person: User) -> bool:
    is_proved = EmailAddress.objects.filter(user=person, email=person.email, verified=True).exists()
    return person.is_active and not person.is_suspended and (person.is_staff or is_proved)


def _is_another_there(person: User) -> bool:
    others = User.objects.filter(is_active=True, is_staff=True, suspended_at=None).exclude(pk=person.pk)
    return others.filter(Q(is_superuser=True) | Q(groups__name=ADMINISTRATOR)).exists()
