"""regenerate: fields are marked at once and written again by a job, so that no request pays for a writer."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from core import jobs
from core.api.errors import FieldError, InvalidRequestError
from directory.errors import ListingNotFoundError
from directory.facts import FACTS
from drafts import limits
from drafts.drafting.first_draft import WRITER, note_writer, site_of, stored_report, write
from drafts.errors import DraftNotReadyError, FieldLockedError, RegenerateLimitError
from drafts.facts import completeness, storing
from drafts.models import Draft, DraftField
from drafts.pictures import logos
from drafts.publishing import saving
from drafts.writing.port import Written

JOB = "drafts.redraft"
REWORDED = frozenset(name for name, fact in FACTS.items() if fact.is_reworded)
FAULT_NOTE = "Writing again failed on our side; the values are as they were."
TOO_LONG_NOTE = "Writing again took too long; the values are as they were."
GONE_NOTE = "The pages that were read are no longer kept; submit the website again to have it read anew."
REFUSED_NOTE = "What was written again does not fit the listing; the values are as they were."


def ask(draft: Draft, *, names: list[str], rows: Mapping[str, DraftField], at: datetime) -> None:
    """Mark fields of a locked draft as being written again and add the job; the caller saves the draft.

    Raises DraftNotReadyError before the first draft is there or when no page was read, FieldLockedError for a
    locked field, RegenerateLimitError when the day's redrafts are used up.
    """
    if draft.status != Draft.Status.READY:
        raise DraftNotReadyError("The first draft is not there yet.", current=draft.status)
    _refuse_locked(names, rows)
    if not draft.pages_read:
        raise DraftNotReadyError(
            "No page of the website was read, so there is nothing to write from.", current=draft.status
        )
    _count(draft, at=at)
    draft.redrafting = list(dict.fromkeys([*(draft.redrafting or []), *names]))
    key = f"{draft.pk}-{draft.revision}"
    jobs.add(JOB, key=key, draft_id=str(draft.pk), names=list(dict.fromkeys(names)))


def forget(draft: Draft, names: Iterable[str]) -> None:
    """These fields are no longer awaited: their owner decided otherwise, or they are written."""
    draft.redrafting = [name for name in draft.redrafting or [] if name not in set(names)] or None


def _count(draft: Draft, *, at: datetime) -> None:
    used = draft.redrafts if draft.redrafts_on == at.date() else 0
    limit = max(1, round(limits.REDRAFTS_A_DAY * settings.RATE_LIMIT_FACTOR))
    if used >= limit:
        raise RegenerateLimitError(
            f"A draft is rewritten {limit} time{'s' * (limit > 1)} a day. Try again after midnight UTC.",
            limit=limit,
        )
    draft.redrafts, draft.redrafts_on = used + 1, at.date()


def _refuse_locked(names: list[str], rows: Mapping[str, DraftField]) -> None:
    errors = [
        FieldError(
            code="field_locked",
            pointer=f"/regenerate/{index}",
            message=f"{name} is locked; restore it first.",
        )
        for index, name in enumerate(names)
        if name in rows and rows[name].is_locked
    ]
    if errors:
        raise FieldLockedError(
            "A locked field is not written again. restore unlocks it, and puts the original value back.",
            errors=errors,
        )


def redraft(*, draft_id: str, names: list[str], lease: jobs.Lease) -> None:
    """Write the fields that are still awaited from the pages that were read, and put them into the draft."""
    draft = Draft.objects.filter(pk=draft_id).first()
    needed = frozenset(names).intersection((draft and draft.redrafting) or ())
    if draft is None or not needed:
        return
    read = draft.pages.filter(skipped="")
    if read.exists() and not read.filter(html__gt="").exists():
        stop(draft_id=draft_id, names=needed, note=GONE_NOTE, lease=lease)
        return
    values = dict(_fields_of(draft).filter(name__in=needed & REWORDED).values_list("name", "value"))
    avoid = {name: _wording(value) for name, value in values.items() if value}
    lease.renew()
    written = write(site_of(stored_report(draft)), draft=draft, only=needed, avoid=avoid)
    lease.renew()
    try:
        _put_in(draft_id=draft_id, names=needed, written=written, lease=lease, at=timezone.now())
    except (InvalidRequestError, ListingNotFoundError):
        stop(draft_id=draft_id, names=needed, note=REFUSED_NOTE, lease=lease)


def _fields_of(draft: Draft) -> Any:
    return draft.field_rows.filter(group=DraftField.Group.FIELDS)


def _wording(value: Any) -> str:
    return value if isinstance(value, str) else "\n".join(map(str, value))


@transaction.atomic
def _put_in(
    *, draft_id: str, names: frozenset[str], written: Written, lease: jobs.Lease, at: datetime
) -> None:
    lease.guard()
    draft = Draft.objects.select_for_update().get(pk=draft_id).without_lost_listing()
    awaited = names.intersection(draft.redrafting or ())
    rows = {row.name: row for row in _fields_of(draft).select_for_update()}
    changed = [rows[name] for name in sorted(awaited) if name in rows and name in written.fields]
    for row in changed:
        storing.put(row, storing.field_redrafted(row, written.fields[row.name]), at=at)
    storing.save_rows(changed)
    if logo := next((row for row in changed if row.name == "logo_url"), None):
        draft.logo = None  # what could not be fetched before is tried again
        logos.follow(draft, url=logo.value, at=at)
    note_writer(draft, written)
    forget(draft, names)
    values = {name: row.value for name, row in rows.items()}
    draft.completeness = completeness.percent(values, logo=draft.logo)
    draft.revision += 1
    draft.updated_at = at
    draft.save(update_fields=["redrafting", "logo", "completeness", "revision", "updated_at", *WRITER])
    if draft.listing_id is not None and changed:
        saving.update_listing(draft=draft, at=at, only=frozenset(row.name for row in changed))


@transaction.atomic
def stop(*, draft_id: str, names: Iterable[str], note: str, lease: jobs.Lease | None = None) -> None:
    """Await the fields no longer; the old values stay, and the note says why."""
    if lease is not None:
        lease.guard()
    draft = Draft.objects.select_for_update().filter(pk=draft_id).first()
    if draft is None:
        return
    forget(draft, names)
    draft.writer_note = note
    draft.save(update_fields=["redrafting", "writer_note"])


def give_up(*, draft_id: str, names: list[str], **_: str) -> None:
    """The job has failed for good through a fault of ours: the old values stay."""
    stop(draft_id=draft_id, names=names, note=FAULT_NOTE)
