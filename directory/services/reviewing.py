"""Staff's before/after review of owners' edits."""

from datetime import datetime
from typing import Any

from django.db import transaction

from directory.facts import LIST_COLUMNS, TEXT_COLUMNS
from directory.models import Listing, ListingRevision
from directory.selectors.launchable import missing_facts
from directory.services import public_data

TEXTS_WITHOUT_NULL = {*TEXT_COLUMNS, "seo_title", "seo_description", "headline", "summary", "url"}
REVERTIBLE = TEXTS_WITHOUT_NULL | {*LIST_COLUMNS, "founded_year", "faqs", "socials", "story"}


@transaction.atomic
def accept(*, revision_ids: list[int], reviewer_id: int, at: datetime) -> int:
    """The edits stand. Returns how many were pending."""
    pending = ListingRevision.objects.filter(pk__in=revision_ids, review=ListingRevision.Review.PENDING)
    return pending.update(review=ListingRevision.Review.ACCEPTED, reviewed_by_id=reviewer_id, reviewed_at=at)


@transaction.atomic
def put_back(*, revision_ids: list[int], reviewer_id: int, at: datetime) -> int:
    """The texts before the edits come back, newest edit first. What was edited since by others stays theirs to see.

    Returns how many were put back: an edit whose undoing would take the listing's last name or text away stays.
    """
    found = list(
        ListingRevision.objects.select_for_update()
        .filter(pk__in=revision_ids)
        .exclude(review=ListingRevision.Review.REVERTED)
        .order_by("-at", "-pk")
    )
    done = 0
    for revision in found:
        listing = Listing.objects.select_for_update().get(pk=revision.listing_id)
        names = [name for name in revision.changed if name in REVERTIBLE]
        lacked = missing_facts(listing)
        for name in names:
            setattr(listing, name, _stored(name, revision.before.get(name)))
        if set(missing_facts(listing)) - set(lacked):
            continue
        listing.updated_at = at
        listing.save(update_fields=[*names, "updated_at"])
        revision.review, revision.reviewed_by_id, revision.reviewed_at = "reverted", reviewer_id, at
        revision.save(update_fields=["review", "reviewed_by", "reviewed_at"])
        public_data.refresh(listing_ids=[listing.pk])
        done += 1
    return done


def _stored(name: str, value: Any) -> Any:
    return "" if value is None and name in TEXTS_WITHOUT_NULL else value
