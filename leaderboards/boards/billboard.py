"""The paid board, and the money that ranks it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction

from directory.models import Listing, Site
from leaderboards.boards.ranked import RankedBoard
from leaderboards.models import Contribution

_rules: list[Callable[[], bool]] = []


def knows_real_money(rule: Callable[[], bool]) -> Callable[[], bool]:
    """Register who says whether real money can be contributed here; test money does not count beside it."""
    _rules.append(rule)
    return rule


def takes_real_money() -> bool:
    """Whether real money can be contributed."""
    return any(rule() for rule in _rules)


class Billboard(RankedBoard):
    """Test money never ranks beside real money, nor where real money is taken."""

    code, position, title, tab = "billboard", 30, "Billboard (paid)", "Billboard"
    summary, metric, unit = "money contributed, paid", "contributed", "cents"
    formula = "Money contributed by each company for its place, in cents, refunds taken off."
    disclosure = (
        "This board is paid. Companies pay for these places. Ranked by money contributed, never by votes; "
        "it has no influence on any other board, on search or on awards."
    )
    source = """
        SELECT listing_id, sum(amount_cents) AS value, max(currency) AS unit, NULL::boolean AS is_verified,
               max(paid_at)::date AS as_of
        FROM leaderboards_contribution AS own WHERE site_id = %(site)s AND currency IN ('', %(currency)s)
            AND (NOT is_test OR NOT %(takes_real_money)s AND NOT EXISTS (
                SELECT FROM leaderboards_contribution WHERE site_id = %(site)s AND NOT is_test
            ))
        GROUP BY listing_id HAVING sum(amount_cents) > 0
    """

    def params(self) -> dict[str, Any]:
        return {"takes_real_money": takes_real_money()}


@transaction.atomic
def record_contribution(
    *, listing_id: int, reference: str, amount_cents: int, currency: str, at: datetime, is_test: bool = False
) -> Contribution:
    """Record money paid (or, negative, given back) for a place. The same reference is recorded once."""
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
        Billboard().refresh(site=Site.objects.get(pk=listing.site_id), at=at)
    return contribution


@transaction.atomic(savepoint=False)
def rank_contributions(*, listing_id: int, at: datetime) -> None:
    """Rank a listing that came onto the site after it had contributed."""
    contribution = Contribution.objects.filter(listing=listing_id).select_related("site").first()
    if contribution is not None:
        Billboard().refresh(site=contribution.site, at=at)
