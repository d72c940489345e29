"""Everything that happened to a listing in one list, newest first, a page at a time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet, Value

from accounts.models import StaffAct, StaffNote, User
from core.mail import name_of
from core.models import Mail
from directory.listings.differences import Piece, as_text, word_diff
from directory.models import BadgeCheck, Listing, ListingMove, ListingRevision, ListingUpdate
from directory.wording import who, words_of

LISTED = 50
KINDS = {
    "edits": "Edits",
    "launch": "Launch",
    "claim": "Claims",
    "money": "Money",
    "mail": "Mails",
    "jobs": "Jobs",
    "staff": "Staff",
}
QUOTED = 200


@dataclass(frozen=True, kw_only=True)
class Event:
    """One line. `page` and `key` name the page of staff that it leads to."""

    at: datetime
    kind: str
    icon: str
    says: str
    by: str = ""
    tone: str = ""
    page: str = ""
    key: Any = None
    diff: list[tuple[str, list[Piece]]] = field(default_factory=list)


Source = Callable[[int, datetime | None, int], list[Event]]
SOURCES: list[tuple[tuple[str, ...], Source]] = []


def tells_timeline(*kinds: str) -> Callable[[Source], Source]:
    """Register what an area knows of a listing: its newest events up to a moment, so many at most of each kind."""

    def register(read: Source) -> Source:
        SOURCES.append((kinds, read))
        return read

    return register


@dataclass(frozen=True, kw_only=True)
class Timeline:
    """A page of it, and the moment from which the next one reads."""

    events: list[Event]
    before: datetime | None


def timeline(*, listing_id: int, kind: str = "", before: datetime | None = None) -> Timeline:
    """The newest events of all sources; what happened in the same moment stays on one page."""
    sources = [read for kinds, read in SOURCES if not kind or kind in kinds]
    rows = [event for read in sources for event in read(listing_id, before, LISTED + 1)]
    rows = [event for event in rows if kind in {"", event.kind}]
    rows.sort(key=lambda event: event.at, reverse=True)
    page_events = rows[:LISTED]
    more = rows[LISTED:]
    last = page_events[-1].at if more else None
    if last:
        page_events += [event for event in more if event.at == last]
    return Timeline(events=page_events, before=last)


def newest(rows: QuerySet[Any], *, before: datetime | None, limit: int, at: str = "at") -> list[Any]:
    return list(newest_rows(rows, before=before, limit=limit, at=at))


def newest_rows(rows: QuerySet[Any], *, before: datetime | None, limit: int, at: str = "at") -> QuerySet[Any]:
    if before is not None:
        rows = rows.filter(**{f"{at}__lt": before})
    return rows.order_by(f"-{at}", "-pk")[:limit]


@tells_timeline("edits")
def edits_of(listing_id: int, before: datetime | None, limit: int) -> list[Event]:
    """Edits, each with its first facts word by word."""
    rows = ListingRevision.objects.filter(listing=listing_id).select_related("by")
    return [_edit(row) for row in newest(rows, before=before, limit=limit)]


def _edit(row: ListingRevision) -> Event:
    diff = []
    for name in row.changed[:2]:
        sides = [as_text(side.get(name))[:QUOTED] for side in (row.before, row.after)]
        was, now = word_diff(*sides)
        pieces = [piece for piece in was if piece[0] != "ins"] if not sides[1] else _merged(was, now)
        diff.append((words_of(name), pieces))
    rest = ", ".join(words_of(name) for name in row.changed[2:])
    states = {"accepted": "accepted", "reverted": "put back", "pending": "waits for review"}
    return Event(
        at=row.at,
        kind="edits",
        icon="pencil",
        says=f"{f'Also: {rest}. ' if rest else ''}{states[row.review].capitalize()}.",
        by=row.by.get_short_name() if row.by else "nobody",
        page="admin:directory_listingrevision_change",
        key=row.pk,
        diff=diff,
    )


def _merged(was: list[Piece], now: list[Piece]) -> list[Piece]:
    """Both sides in one line: what went beside what came."""
    rows: list[Piece] = []
    left = list(was)
    for piece in now:
        while left and left[0][0] == "del":
            rows.append(left.pop(0))
        if piece[0] == "same" and left:
            left.pop(0)
        rows.append(piece)
    return rows + [piece for piece in left if piece[0] == "del"]


@tells_timeline("launch")
def moves_of(listing_id: int, before: datetime | None, limit: int) -> list[Event]:
    rows = ListingMove.objects.filter(listing=listing_id)
    bad = {"suspended", "rejected", "draft"}
    return [
        Event(
            at=row.at,
            kind="launch",
            icon="calendar-days",
            says=f"{row.from_status} → {row.to_status}: {row.reason}".replace("_", " "),
            by=who(row.by),
            tone="bad" if row.to_status in bad else "ok" if row.to_status == "live" else "",
        )
        for row in newest(rows, before=before, limit=limit)
    ]


@tells_timeline("launch")
def looks_of(listing_id: int, before: datetime | None, limit: int) -> list[Event]:
    rows = BadgeCheck.objects.filter(listing=listing_id)
    return [
        Event(
            at=row.at,
            kind="launch",
            icon="badge-check" if row.found else "circle-alert",
            says=f"Badge looked for: {row.detail or row.result}",
            by="check",
            tone="ok" if row.found else "bad",
        )
        for row in newest(rows, before=before, limit=limit)
    ]


@tells_timeline("edits", "mail", "staff")
def written_of(listing_id: int, before: datetime | None, limit: int) -> list[Event]:
    """What staff did to it and wrote down, what was mailed about it, and its own news: one statement."""
    on_it, by = {"kind": "directory.listing", "key": str(listing_id)}, ("by__name", "by__email")
    acts = StaffAct.objects.filter(**on_it).exclude(act="people.notes")
    notes = StaffNote.objects.filter(**on_it)
    mails = Mail.objects.filter(about=name_of(Listing(pk=listing_id)))
    updates = ListingUpdate.objects.filter(listing=listing_id)
    parts: tuple[tuple[QuerySet[Any], str, str, tuple[Any, ...]], ...] = (
        (acts, "at", "act", ("said", "label", "reason", *by)),
        (notes, "at", "note", ("text", Value(""), Value(""), *by)),
        (updates, "posted_at", "update", ("title", *[Value("")] * 4)),
        (mails, "queued_at", "mail", ("subject", "template", "state", "address", Value(""))),
    )
    of_acts, *others = (
        newest_rows(rows, before=before, limit=limit, at=at).values_list(at, Value(which), *columns)
        for rows, at, which, columns in parts
    )
    return [_written(row) for row in of_acts.union(*others, all=True)]


def _written(row: tuple[Any, ...]) -> Event:
    at, which, first, second, third, by, email = row
    if which == "mail":
        state = Mail.State(third)
        tone = "bad" if state in {Mail.State.BOUNCED, Mail.State.FAILED} else ""
        says = f"{Mail(subject=first, template=second).title}: {state.label.lower()}"
        return Event(at=at, kind="mail", icon="mail", says=says, by=by, tone=tone)
    if which == "update":
        return Event(at=at, kind="edits", icon="send", says=f"Update posted: {first}", by="owner")
    name = User(name=by, email=email).get_short_name()
    if which == "note":
        return Event(at=at, kind="staff", icon="pen-line", says=first, by=name)
    says = f"{first} {second}".strip().capitalize() + (f": {third}" if third else "")
    return Event(at=at, kind="staff", icon="history", says=says, by=name)
