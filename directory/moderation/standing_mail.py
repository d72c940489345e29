"""Staff tell an owner why the listing is not live."""

from datetime import datetime

from django.db import transaction

from directory.errors import ListingCannotMoveError
from directory.launches.moves import write_to_owner
from directory.launches.why import why_not_live
from directory.models import BadgeCheck, Listing


@transaction.atomic
def tell_why_not_live(*, listing_id: int, at: datetime) -> None:
    """Mail the sentence that staff read. Raises ListingCannotMoveError for a live listing and for one of nobody."""
    listing = Listing.objects.select_related("owner", "site").get(pk=listing_id)
    check = BadgeCheck.objects.filter(listing=listing).order_by("-at", "-pk").first()
    why = why_not_live(listing, check=check, at=at)
    if why is None or listing.owner is None:
        raise ListingCannotMoveError(
            "There is nothing to tell, or nobody to tell it to.", current=listing.status
        )
    write_to_owner(listing, template="why_not_live", key=f"why-{listing.pk}-{at:%Y%m%d%H%M}", why=why.says)
