import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import CharField, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Cast, Now

from accounts.selectors import LISTED_OF_EACH, Waiting, count_for_account, tells_what_waits
from core.models import Job
from directory.categories.filing import divide
from directory.categories.naming import categories_named
from directory.categories.tree import tells_unplaced
from directory.errors import CategoryUnknownError
from directory.facts import is_offered
from directory.listings.sources import reads_websites, suggests
from directory.listings.timeline import QUOTED, Event, newest, tells_timeline
from directory.models import Category, Listing
from drafts.models import Draft, DraftField, DraftPage, Invite

QUEUE_COUNTED = 50
READING = ("drafts.write_from_website", "drafts.read_again")


@dataclass(frozen=True, kw_only=True)
class DraftView:
    draft: Draft
    fields: list[DraftField]
    pages: list[DraftPage]
    invites: list[Invite]
    waiting: list[str]
    gone: list[str]  # what is said of each category that is none any more


def new_draft_view(draft: Draft) -> DraftView:
    """One that has just been submitted: nothing is read or written yet."""
    return DraftView(draft=draft, fields=draft.blank_fields(), pages=[], invites=[], waiting=[], gone=[])


def draft_view(*, owner_id: int, draft_id: uuid.UUID) -> DraftView:
    rows = Draft.objects.select_related("duplicate_of").prefetch_related(
        "field_rows",
        Prefetch("pages", queryset=DraftPage.objects.defer("html", "text").order_by("position")),
        Prefetch("invites", queryset=Invite.objects.with_status_at(at=Now())),
    )
    row = rows.own(owner_id, draft_id)
    return DraftView(
        draft=row,
        fields=list(row.field_rows.all()),
        pages=list(row.pages.all()),
        invites=list(row.invites.all()),
        waiting=_waiting(row),
        gone=_gone(row),
    )


def suggested_in(rows: Iterable[DraftField]) -> dict[str, list[Any]]:
    """The values that are offered, by the name of the field."""
    rows = list(rows)
    stated = {row.name: row.value for row in rows if row.group == DraftField.Group.FIELDS}
    return {
        row.name: [item["value"] for item in row.others if is_offered(row.name, item["value"], stated=stated)]
        for row in rows
    }


def queued_before(draft: Draft) -> int:
    """How many other websites have waited longer to be read than this one; counted up to a bound."""
    others = Draft.objects.filter(
        status=Draft.Status.CRAWLING, stage="queued", updated_at__lt=draft.updated_at
    )
    return others.exclude(pk=draft.pk)[:QUEUE_COUNTED].count()


def _categories(draft: Draft) -> list[str]:
    return next((row.value for row in draft.field_rows.all() if row.name == "categories"), None) or []


def _gone(draft: Draft) -> list[str]:
    """What submit_draft would say of its categories: one was deleted since it was chosen."""
    names = _categories(draft)
    if not set(names) - set(Category.objects.filter(name__in=names).values_list("name", flat=True)):
        return []
    try:
        categories_named(names)
    except CategoryUnknownError as error:
        return [row.message for row in error.errors]
    return []


def _waiting(draft: Draft) -> list[str]:
    """The categories that its listing's plan, or the free one, does not hold."""
    needed = _categories(draft)
    if len(needed) < 2:
        return []
    listing, bought = draft.listing, []
    if listing is not None:
        bought = list(listing.filed.filter(is_bought=True).values_list("category__name", flat=True))
    plan = listing.plan if listing is not None else Listing.Plan.FREE.value
    _, beyond = divide(chosen=needed, bought=bought, plan=plan)
    return [name for name in beyond if name not in bought]


def my_drafts(*, owner_id: int) -> QuerySet[Draft]:
    """A person's drafts, newest first, each with the name it has so far."""
    name = DraftField.objects.filter(draft=OuterRef("pk"), group=DraftField.Group.FIELDS, name="name").values(
        "value"
    )
    own = Draft.objects.whose_listing_is_theirs().filter(pk=OuterRef("pk")).values("listing_id")
    rows = Draft.objects.owned_by(owner_id).annotate(name=Subquery(name), own_listing_id=Subquery(own))
    return rows.order_by("-created_at", "-pk")


@count_for_account("drafts")
def counted_drafts(user_id: int) -> list[QuerySet[Draft]]:
    return [Draft.objects.owned_by(user_id)]


_WAITS = {
    Draft.Status.READY: (
        "Check the draft of {}",
        "Nothing is public until you submit it and it launches.",
        "Check",
    ),
    Draft.Status.FAILED: ("We could not read {}", "Try again, or write the draft by hand.", "Look"),
}


@tells_what_waits
def drafts_waiting(user_id: int) -> list[Waiting]:
    """Drafts that are to be checked, and those whose website could not be read."""
    rows = (
        Draft.objects.owned_by(user_id).filter(listing=None, status__in=_WAITS).order_by("-created_at", "-pk")
    )
    waits = ((draft, *_WAITS[Draft.Status(draft.status)]) for draft in rows[:LISTED_OF_EACH])
    return [
        Waiting(title=title.format(draft.domain), detail=detail, path=f"/drafts/{draft.pk}", act=act)
        for draft, title, detail, act in waits
    ]


LOOKED_AT, UNPLACED_ROWS = 300, 20


@tells_unplaced
def drafts_without_category() -> list[dict[str, Any]]:
    """Websites of the newest drafts that showed no category, with those that they are likest."""
    newest = Draft.objects.filter(status=Draft.Status.READY).order_by("-created_at")
    rows = DraftField.objects.filter(
        draft__in=list(newest.values_list("pk", flat=True)[:LOOKED_AT]),
        group=DraftField.Group.FIELDS,
        name="categories",
        state=DraftField.State.NOT_FOUND,
    )
    return [
        {
            "name": row.draft.domain,
            "says": f"Likest: {', '.join(name for entry in row.suggestions for name in entry['value'])}"
            if row.suggestions
            else "",
            "at": row.draft.created_at,
            "page": "admin:drafts_draft_change",
            "key": row.draft_id,
        }
        for row in rows.select_related("draft").order_by("-draft__created_at")[:UNPLACED_ROWS]
    ]


@tells_timeline("jobs")
def reading_on_timeline(listing_id: int, before: datetime | None, limit: int) -> list[Event]:
    """When its website was read, or waits to be."""
    keys = Draft.objects.filter(listing=listing_id).annotate(key=Cast("pk", CharField())).values("key")
    rows = Job.objects.filter(kind__in=READING, key__in=keys).defer("payload")
    return [
        Event(
            at=row.created_at,
            kind="jobs",
            icon="activity",
            says=f"Website read: {row.get_state_display().lower()} {row.last_error[:QUOTED]}".strip(),
            by="job",
            tone="bad" if row.state == Job.State.DEAD else "",
        )
        for row in newest(rows, before=before, limit=limit, at="created_at")
    ]


@reads_websites
def pages_of_listing(listing_id: int) -> list[tuple[str, str]]:
    """The pages that the newest draft of a listing was written from: address and text."""
    rows = DraftPage.objects.filter(draft__listing=listing_id).exclude(text="")
    newest = rows.order_by("-draft__created_at", "-draft_id").values("draft")[:1]
    return list(rows.filter(draft=Subquery(newest)).order_by("position").values_list("url", "text"))


@suggests
def suggestions_of_listing(listing_id: int) -> dict[str, list[dict[str, Any]]]:
    """What the newest draft of a listing thinks possible, by field."""
    newest = Draft.objects.filter(listing=listing_id).order_by("-created_at", "-pk").values("pk")[:1]
    rows = DraftField.objects.filter(draft=Subquery(newest), group=DraftField.Group.FIELDS)
    return {row.name: row.suggestions for row in rows.exclude(suggestions=[])}
