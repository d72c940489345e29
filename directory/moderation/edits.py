"""The queue of edits that wait for staff, and what they need to know of one to decide it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from accounts.models import User
from core.parts import Named
from directory import limits
from directory.listings.differences import Piece, as_text, is_carried, word_diff
from directory.listings.profile import public_media
from directory.listings.versions import LINK, flags_of
from directory.models import Listing, ListingMove, ListingRevision
from directory.wording import words_of

LISTED, EARLIER_LISTED, COUNTED = 50, 3, 100
Review = ListingRevision.Review
OfPerson = Callable[[int], str]


# one line about a person for staff who judge what they wrote
tells_of_people = Named[OfPerson]()


@dataclass(frozen=True, kw_only=True)
class Change:
    """One fact of an edit: both sides word by word, the website's own words, and whether it can be put back."""

    name: str
    label: str
    before: list[Piece]
    after: list[Piece]
    quote: Mapping[str, Any] | None = None
    is_carried: bool = False
    is_put_back: bool = False
    leads_away: bool = False
    since: list[Piece] = field(default_factory=list)  # the text of today, where a later edit touched it
    seen: str = ""
    pictures: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])


def queued() -> QuerySet[ListingRevision]:
    """Edits that wait; those of a listing that staff took off the site wait until it is back."""
    return ListingRevision.objects.filter(review=Review.PENDING).exclude(
        listing__status__in=(Listing.Status.SUSPENDED, Listing.Status.REJECTED)
    )


def waiting(*, only: str = "") -> list[ListingRevision]:
    """The first of the queue: what staff look at first, then the oldest. `only` leaves those with one flag."""
    items = queued()
    if only:
        items = items.filter(flags__contains=[only])
    rows = items.select_related("listing", "by").order_by("-look_first", "at", "pk")
    return list(rows.defer("listing__description", "listing__evidence")[: LISTED + 1])


def just_decided(*, user_id: int, at: datetime) -> list[ListingRevision]:
    mine = ListingRevision.objects.filter(reviewed_by=user_id, reviewed_at__gt=at - limits.REVIEW_UNDO)
    return list(mine.select_related("listing").order_by("-reviewed_at", "-pk")[:10])


def last_decided() -> list[ListingRevision]:
    done = ListingRevision.objects.exclude(reviewed_at=None).select_related("listing", "reviewed_by")
    return list(done.order_by(F("reviewed_at").desc(), "-pk")[:10])


def changes_of(
    revision: ListingRevision, *, now: Mapping[str, Any], digest: Callable[[Any], str]
) -> list[Change]:
    """The facts of an edit, held against the listing as it is now."""
    quotes = (revision.sources_before or {}).get("evidence", {})
    return [
        _change(revision, name, now=now, quotes=quotes.get(name, []), digest=digest)
        for name in revision.changed
    ]


def _change(
    revision: ListingRevision,
    name: str,
    *,
    now: Mapping[str, Any],
    quotes: Sequence[Mapping[str, Any]],
    digest: Callable[[Any], str],
) -> Change:
    sides = [as_text(side.get(name)) for side in (revision.before, revision.after)]
    before, after = word_diff(*sides)
    today = as_text(now.get(name))
    is_put_back = revision.review == Review.REVERTED or name in (revision.put_back or {})
    texts = [str(quote.get("quote", "")) for quote in quotes]
    return Change(
        name=name,
        label=words_of(name),
        before=before,
        after=after,
        quote=quotes[0] if quotes else None,
        is_carried=is_carried(before=sides[0], after=sides[1], quotes=texts),
        is_put_back=is_put_back,
        leads_away=_leads_away(revision, name),
        since=word_diff(sides[1], today)[1] if not is_put_back and today != sides[1] else [],
        seen=digest(now.get(name)),
        pictures=(public_media(revision.before.get(name) or []), public_media(revision.after.get(name) or []))
        if name == "media"
        else ([], []),
    )


def _leads_away(revision: ListingRevision, name: str) -> bool:
    """Whether this part of the edit brought another website or a link to one."""
    change = {"field": name, "before": revision.before.get(name), "after": revision.after.get(name)}
    return LINK in flags_of([change], domain=revision.listing.domain, is_paid=False, is_new_account=False)


@dataclass(frozen=True, kw_only=True)
class Author:
    person: User | None
    owner_since: datetime | None
    edits: list[ListingRevision]
    accepted: int
    put_back: int
    facts: Mapping[str, str]


def author_of(revision: ListingRevision) -> Author:
    """The author with what is known of them, in a constant number of statements."""
    person, listing = revision.by, revision.listing
    if person is None:
        return Author(person=None, owner_since=None, edits=[], accepted=0, put_back=0, facts={})
    others = ListingRevision.objects.filter(by=person).exclude(pk=revision.pk)
    edits = list(
        others.select_related("listing")
        .only("changed", "review", "at", "listing__name")
        .order_by("-at")[:COUNTED]
    )
    return Author(
        person=person,
        owner_since=_owner_since(listing) if listing.owner_id == person.pk else None,
        edits=edits[:EARLIER_LISTED],
        accepted=sum(edit.review == Review.ACCEPTED for edit in edits),
        put_back=sum(edit.review == Review.REVERTED for edit in edits),
        facts={name: line for name, read in tells_of_people.items() if (line := read(person.pk))},
    )


def _owner_since(listing: Listing) -> datetime:
    handed = ListingMove.objects.filter(listing=listing, reason__startswith="Handed over")
    return handed.order_by("-at").values_list("at", flat=True).first() or listing.created_at
