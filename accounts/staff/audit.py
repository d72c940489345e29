"""One act of staff: one moment, one transaction, what its page says, and its line of the audit log, which stays."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.db import models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.errors import UndoneError
from accounts.models import StaffAct, StaffNote, User
from accounts.staff import rights
from core.api import throttling
from core.api.errors import ApiError

UNDO_DAYS = 30
UNDOES = "undoes"  # the field of a form that says which line it takes back


@dataclass(frozen=True, kw_only=True)
class Actor:
    user_id: int
    role: str
    address: str = ""


def actor(request: HttpRequest) -> Actor:
    user: Any = request.user
    return Actor(user_id=user.pk, role=rights.role_of(user), address=throttling.client_address(request))


def record(
    by: Actor, act: str, summary: str, *, at: datetime, on: models.Model | None = None, **change: Any
) -> StaffAct:
    """Write one line beside the service. `summary` goes before the thing's name: "put back the tagline of".

    `change` are columns: values by field `before` and `after`, the `reason`, the address of its `undo`, and the key
    of the line that it takes back, `undoes_id`. A person is named by number, as lines stay when people are erased.
    """
    if act not in rights.ACTS or not transaction.get_connection().in_atomic_block:
        raise LookupError(f"{act} is no act of the table of rights, or not in a transaction with its line.")
    return StaffAct.objects.create(
        by_id=by.user_id,
        role=by.role,
        act=act,
        kind=on._meta.label_lower if on is not None else "",  # noqa: SLF001  (documented by Django)
        key=str(on.pk) if on is not None else "",
        label=label_of(on),
        said=summary[:300],
        address=by.address,
        at=at,
        **change,
    )


def label_of(thing: models.Model | None) -> str:
    if thing is None:
        return ""
    if isinstance(thing, User):
        return f"person {thing.pk}"
    return str(thing)[:200]


def taken_back(request: HttpRequest, *, of: str) -> int | None:
    """The line that an Undo button takes back: which its form names, or that of the act `of` with this address.

    One that is taken back already is refused.
    """
    text = request.POST.get(UNDOES, "")
    rows = StaffAct.objects.filter(undone_by=None).exclude(undo="").values_list("pk", flat=True)
    if not (text.isdecimal() and len(text) < 19):
        return rows.filter(act=of, undo=request.path).first()
    row = rows.filter(pk=text).first()
    if row is None:
        raise UndoneError("This was taken back already. Nothing was changed.")
    return row


def can_undo(line: StaffAct, *, at: datetime) -> bool:
    """Whether its Undo still works; the query joins `undone_by`."""
    is_undone = getattr(line, "undone_by", None) is not None
    return bool(line.undo) and not is_undone and line.at > at - timedelta(days=UNDO_DAYS)


KINDS = ("accounts.user", "directory.listing", "orders.order")
LISTED = 20


def notes_on(kind: str, *keys: Any) -> QuerySet[StaffNote]:
    rows = StaffNote.objects.filter(kind=kind, key__in=[str(key) for key in keys])
    return rows.select_related("by").order_by("-at", "-pk")


@transaction.atomic
def add_note(by: Actor, thing: models.Model, *, text: str, at: datetime) -> StaffNote:
    """Write a note, and that it was written into the audit log, which does not hold its words."""
    kind = thing._meta.label_lower  # noqa: SLF001  (documented by Django)
    record(by, "people.notes", "wrote a note on", at=at, on=thing)
    return StaffNote.objects.create(by_id=by.user_id, kind=kind, key=str(thing.pk), text=text, at=at)


UNCHANGED = "Nothing was changed."


class Acting:
    def __init__(self, request: HttpRequest, right: str, *, at: datetime | None = None) -> None:
        self.request, self.right = request, right
        self.by, self.at = actor(request), at or timezone.now()

    @property
    def staff_id(self) -> int:
        return self.by.user_id

    def record(
        self, summary: str, *, on: models.Model | None = None, right: str = "", **change: Any
    ) -> StaffAct:
        return record(self.by, right or self.right, summary, at=self.at, on=on, **change)

    def say(self, text: str) -> None:
        messages.success(self.request, text)


@contextmanager
def acting(
    request: HttpRequest,
    right: str,
    *,
    at: datetime | None = None,
    form: forms.Form | None = None,
    field: str | None = None,
) -> Iterator[Acting]:
    """A refusal of a service takes it all back and becomes a sentence on the page, or a fault of the form’s field."""
    try:
        with transaction.atomic():
            yield Acting(request, right, at=at)
    except ApiError as refusal:
        if form is not None:
            form.add_error(field, refusal.detail)
        else:
            messages.error(request, f"{refusal.detail.removesuffix(UNCHANGED).strip()} {UNCHANGED}")
