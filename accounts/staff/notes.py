"""Notes of staff about a person, a listing or an order."""

from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.db.models import QuerySet

from accounts.models import StaffNote
from accounts.staff.audit import Actor, record

KINDS = ("accounts.user", "directory.listing", "orders.order")
LISTED = 20


def notes_on(kind: str, *keys: Any) -> QuerySet[StaffNote]:
    """All notes on things of one kind, newest first."""
    rows = StaffNote.objects.filter(kind=kind, key__in=[str(key) for key in keys])
    return rows.select_related("by").order_by("-at", "-pk")


@transaction.atomic
def add_note(by: Actor, thing: models.Model, *, text: str, at: datetime) -> StaffNote:
    """Write a note, and that it was written into the audit log, which does not hold its words."""
    kind = thing._meta.label_lower  # noqa: SLF001  (documented by Django)
    record(by, "people.notes", "wrote a note on", at=at, on=thing)
    return StaffNote.objects.create(by_id=by.user_id, kind=kind, key=str(thing.pk), text=text, at=at)
