"""Money for the billboard."""

from datetime import datetime

from django.db import transaction

from directory.models import Listing, Site
from leaderboards.boards import BoardName
from leaderboards.models import Contribution
from leaderboards.services.standings import refresh_board


@transaction.atomic
def record_contribution(
    *,
    listing_id: int,
    reference: str,
    amount_cents: int,
    currency: str,
    at: datetime,
    is_test: bool = False,
) -> Contribution:
    """Record money paid (or, negative, given back) for a place. The same reference is recorded once.

    Test money never ranks beside real money, nor where real money is taken.
    """
    listing = Listing.objects.get(pk=listing_id)
    contribution, is_new = Contribution.objects.get_or_create(
        reference=reference,
        defaults={
            "site_id": listing.site_id,
            "listing": listing,
            "amount_cents": amount_cents,
            "currency": currency,
            "is_test": is_test,
            "paid_at": at,
        },
    )
    if is_new:
        refresh_board(site=Site.objects.get(pk=listing.site_id), board=BoardName.BILLBOARD, at=at)
    return contribution


@transaction.atomic
def rank_contributions(*, listing_id: int, at: datetime) -> None:
    """Rank a listing that came onto the site after it had contributed."""
    contribution = Contribution.objects.filter(listing=listing_id).select_related("site").first()
    if contribution is not None:
        refresh_board(site=contribution.site, board=BoardName.BILLBOARD, at=at)
