"""Staff's before/after review of edits: accepted, or put back."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from core.errors import InvalidRequestError
from directory.diffs import as_text
from directory.models import Listing, ListingRevision
from directory.selectors.launchable import live_at
from directory.services import contents, in_step, public_data, versions
from directory.services.moves import locked, write_to_owner
from directory.wording import worded, words_of

Review = ListingRevision.Review
MAILED = 1000  # characters of each side


@transaction.atomic
def accept(*, revision_ids: list[int], reviewer_id: int, at: datetime) -> int:
    """The edits stand. Returns how many were pending."""
    pending = ListingRevision.objects.filter(pk__in=revision_ids, review=Review.PENDING)
    return pending.update(review=Review.ACCEPTED, reviewed_by_id=reviewer_id, reviewed_at=at)


@transaction.atomic
def put_back(*, revision_ids: list[int], reviewer_id: int, at: datetime, reason: str = "") -> int:
    """What stood before the edits comes back, newest edit first, on the listing and on its draft; the owner is told.

    What was edited again since stays: that edit is put back by itself. Returns how many were put back: an edit of
    which nothing is left stays, and so does one whose undoing would take the listing's last name, text or category
    away, or would make it live at an address where another is.
    """
    found = ListingRevision.objects.filter(pk__in=revision_ids).exclude(review=Review.REVERTED)
    listing_ids = sorted(set(found.values_list("listing", flat=True)))
    followers = in_step.held(listing_ids)
    rows = Listing.objects.select_for_update().filter(pk__in=listing_ids).order_by("pk")
    listings = {listing.pk: listing for listing in rows}
    done = 0
    for revision in found.select_for_update().order_by("-at", "-pk"):
        listing = listings[revision.listing_id]
        values = _former(listing, revision)
        if not values or not _restored(listing, revision, values=values, at=at):
            continue
        revision.review, revision.reviewed_by_id = Review.REVERTED, reviewer_id
        revision.reviewed_at, revision.review_note = at, reason
        revision.save(update_fields=["review", "reviewed_by", "reviewed_at", "review_note"])
        for follow in followers[listing.pk]:
            follow(values=values, by="staff", at=at)
        _tell(listing, revision, values=values)
        done += 1
    public_data.refresh(listing_ids=listing_ids)
    return done


def _former(listing: Listing, revision: ListingRevision) -> dict[str, Any]:
    """What the edit replaced, as far as what it wrote still stands; never what an edit wrote that was put back."""
    now = contents.facts_of(listing)
    names = [name for name in revision.changed if name in now]
    standing = [name for name in names if (now[name] or None) == (revision.after.get(name) or None)]
    values = {name: revision.before.get(name) for name in standing}
    earlier = ListingRevision.objects.filter(listing=listing, review=Review.REVERTED, pk__lt=revision.pk)
    for undone in earlier.order_by("-at", "-pk"):
        for name in values.keys() & set(undone.changed):
            if values[name] == undone.after.get(name):
                values[name] = undone.before.get(name)
    return {name: value for name, value in values.items() if (value or None) != (now[name] or None)}


def _restored(
    listing: Listing, revision: ListingRevision, *, values: Mapping[str, Any], at: datetime
) -> bool:
    """Write what stood there, with its quotes, unless the listing would not be whole or not alone at its address."""
    url = values.get("url")
    if url and listing.is_live and live_at(site_id=listing.site_id, url=url, besides=listing.pk):
        return False
    before = contents.facts_of(listing)
    try:
        with transaction.atomic():
            versions.quoted_again(listing, names=values, sources=revision.sources_before or {})
            contents.write(listing, values, at=at)
            versions.refuse_loss(before, contents.facts_of(listing))
    except InvalidRequestError:
        listing.refresh_from_db()
        return False
    return True


def _tell(listing: Listing, revision: ListingRevision, *, values: Mapping[str, Any]) -> None:
    write_to_owner(
        listing,
        template="edit_put_back",
        key=f"edit-put-back-{revision.pk}",
        changes=[
            (
                words_of(name),
                *(as_text(worded(name, side))[:MAILED] for side in (revision.after.get(name), value)),
            )
            for name, value in values.items()
        ],
        reason=revision.review_note,
        edited_at=revision.at,
    )


class StaffEdit:
    """An edit by staff in a form that saves by itself: begun before it and closed after it, in one transaction."""

    def __init__(self, *, listing_id: int) -> None:
        """Lock the listing and what follows it."""
        self.listing_id = listing_id
        self.followers = in_step.held([listing_id])[listing_id]
        self.before = versions.begin(locked(listing_id))

    def close(self, *, staff_id: int, at: datetime) -> None:
        """Keep both sides, as accepted. Raises InvalidRequestError when the listing lost what it must have."""
        listing = locked(self.listing_id)
        after = contents.facts_of(listing)
        fresh = {
            name: value
            for name, value in after.items()
            if (value or None) != (self.before.facts[name] or None)
        }
        versions.stated_anew(listing, fresh)
        listing.save(update_fields=["evidence", "not_found"])
        edit = versions.close(listing, before=self.before, by_id=staff_id, at=at)
        ListingRevision.objects.filter(pk=edit.version_id or 0).update(
            review=Review.ACCEPTED, reviewed_by_id=staff_id, reviewed_at=at
        )
        for follow in self.followers if fresh else ():
            follow(values=fresh, by="staff", at=at)
        public_data.refresh(listing_ids=[self.listing_id])
