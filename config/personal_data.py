"""A person's data across all areas: to take along as one JSON file, and to be erased.

An area that holds something of people has two functions, `export` and `erase`, and a line in AREAS. Those that refer to
others come first, so that what is erased is no longer referred to; the account itself is the last.
"""

from datetime import datetime
from typing import Any, Protocol

from django.conf import settings
from django.db import transaction

from accounts import services_data as account
from accounts.models import StaffAct, User
from accounts.staff import audit
from claims import personal_data as claims
from core.api.bodies import dumps
from directory import personal_data as directory
from drafts import personal_data as drafts
from orders import personal_data as orders

ERASE_JOB = "config.erase_person"  # how staff have somebody erased; the page of the person says how far it is
ERASED = "erased"


class Area(Protocol):
    def export(self, *, user_id: int) -> dict[str, Any]: ...

    def erase(self, *, user: User, at: datetime) -> None: ...


AREAS: dict[str, Area] = {
    "orders": orders,
    "claims": claims,
    "drafts": drafts,
    "directory": directory,
    "account": account,
}


def erase_job_key(user_id: int) -> str:
    return f"person-{user_id}"


def export(*, user_id: int, at: datetime) -> bytes:
    data = {name: area.export(user_id=user_id) for name, area in reversed(AREAS.items())}
    return dumps({"site": settings.SITE_NAME, "exported_at": at, **data})


@transaction.atomic
def erase(*, user_id: int, at: datetime) -> None:
    """Forget a person: all or nothing. Raises StaffStayError for staff; a second call changes nothing."""
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    account.refuse_staff(user=user)
    if user.is_erased:
        return
    for area in AREAS.values():
        area.erase(user=user, at=at)


@transaction.atomic
def erase_for_staff(*, user_id: int, line_id: int = 0, at: datetime) -> None:
    """The same, with a line of the audit log in the name of whoever requested it in line `line_id`."""
    erase(user_id=user_id, at=at)
    line = StaffAct.objects.filter(pk=line_id).first()
    if line is not None and not StaffAct.objects.filter(kind=line.kind, key=line.key, said=ERASED).exists():
        by = audit.Actor(user_id=line.by_id, role=line.role, address=line.address)
        audit.record(by, "people.erase", ERASED, at=at, on=User.objects.get(pk=user_id))
