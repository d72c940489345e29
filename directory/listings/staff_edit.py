"""Staff's own edits of listings, kept with both sides like everybody's."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from directory.listings import contents, versions
from directory.models import Listing, ListingRevision
from directory.search import public_data

Review = ListingRevision.Review
AT_ONCE = 100


class StaffEdit:
    """Edits by staff, saved by a form or from a file: begun before that and closed after it, in one transaction.

    Its statements are as many for many listings as for one, but for what follows them.
    """

    def __init__(self, *, listing_ids: Collection[int]) -> None:
        self.listing_ids = sorted(listing_ids)
        self.listeners = versions.lock_listeners(self.listing_ids)
        self.before = versions.begin_all(self._locked())

    def _locked(self) -> list[Listing]:
        return list(Listing.objects.select_for_update().filter(pk__in=self.listing_ids).order_by("pk"))

    def close(self, *, staff_id: int, at: datetime) -> None:
        """Keep both sides, as accepted. Raises InvalidRequestError when a listing lost what it must have."""
        listings = self._locked()
        after = contents.facts_of_all(listings)
        fresh = {listing.pk: self._fresh(listing, after[listing.pk]) for listing in listings}
        for listing in listings:
            versions.drop_evidence(listing, fresh[listing.pk])
        Listing.objects.bulk_update(listings, ["evidence", "not_found"], batch_size=AT_ONCE)
        accepted = {"review": Review.ACCEPTED, "reviewed_by_id": staff_id, "reviewed_at": at}
        versions.close_all(listings, before=self.before, by_id=staff_id, at=at, review=accepted)
        for listing_id, values in fresh.items():
            for listener in self.listeners[listing_id] if values else ():
                listener(values=values, by="staff", at=at)
        public_data.refresh(listing_ids=self.listing_ids)

    def _fresh(self, listing: Listing, after: dict[str, Any]) -> dict[str, Any]:
        existing = self.before[listing.pk].facts
        return {name: value for name, value in after.items() if (value or None) != (existing[name] or None)}
