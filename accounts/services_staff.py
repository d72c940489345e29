"""Who is staff, and in which roles. Superusers are for installation: nothing here changes them."""

from collections.abc import Collection, Iterable

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Q

from accounts.errors import LastAdministratorError, NotForStaffError, OwnGainError
from accounts.models import User
from accounts.staff.rights import ROLES

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
