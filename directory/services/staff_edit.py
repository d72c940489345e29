"""Staff's own edits of a listing, kept with both sides like everybody's."""

from datetime import datetime

from directory.models import ListingRevision
from directory.services import contents, in_step, public_data, versions
from directory.services.moves import locked

Review = ListingRevision.Review


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
