from datetime import datetime

from django.db import transaction

from core.api.errors import InvalidStateError, NotFoundError
from core.cache import changed
from directory.engagement import follower_mail
from directory.listings import versions
from directory.listings.reviewed_parts import news_row
from directory.models import Listing, ListingUpdate
from directory.wording import words_of


@transaction.atomic
def post_listing_update(
    *, owner_id: int, listing_id: int, title: str, body: str, at: datetime
) -> ListingUpdate:
    """Post news of a listing. Those who follow it at this moment and want it are told by mail; their number is kept.

    Raises InvalidStateError for a listing that was taken off the site, which has nobody to tell.
    """
    listing = Listing.objects.locked_own(owner_id, listing_id)
    if listing.status in Listing.OFF_SITE:
        raise InvalidStateError.of(
            listing, f"This listing is {words_of(listing.status).lower()}, so its followers aren’t told."
        )
    posted = ListingUpdate.objects.create(listing=listing, title=title, body=body, posted_at=at)
    posted.followers_notified = follower_mail.announce(update=posted)
    posted.save(update_fields=["followers_notified"])
    versions.note_news(listing, before=[], after=[news_row(posted)], by_id=owner_id, at=at)
    changed("listings")
    return posted


@transaction.atomic
def edit_update(
    *, owner_id: int, listing_id: int, update_id: int, title: str, body: str, at: datetime
) -> ListingUpdate:
    """Correct news that were posted. Nobody is told again; a mail that has not gone out has the new words."""
    posted = _own_update(owner_id=owner_id, listing_id=listing_id, update_id=update_id)
    before = news_row(posted)
    posted.title, posted.body = title, body
    if news_row(posted) == before:
        return posted
    posted.save(update_fields=["title", "body"])
    versions.note_news(posted.listing, before=[before], after=[news_row(posted)], by_id=owner_id, at=at)
    changed("listings")
    return posted


@transaction.atomic
def remove_update(*, owner_id: int, listing_id: int, update_id: int) -> None:
    """Take news away, with the notices that have not been mailed."""
    _own_update(owner_id=owner_id, listing_id=listing_id, update_id=update_id).delete()
    changed("listings")


def _own_update(*, owner_id: int, listing_id: int, update_id: int) -> ListingUpdate:
    """One that a person's listing posted, held until the transaction ends."""
    listing = Listing.objects.owned_among(owner_id, [listing_id]).first()
    row = (
        ListingUpdate.objects.select_for_update(of=("self",))
        .select_related("listing")
        .filter(listing=listing, pk=update_id)
        .first()
    )
    if listing is None or row is None:
        raise NotFoundError("There is no such update.")
    return row
