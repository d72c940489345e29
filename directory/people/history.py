"""What a maker did of late that everybody may see."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from directory.models import Launch, Listing, ListingUpdate, Question, Review

MOST = 8


def history(*, listing_ids: Sequence[int], user_id: int | None) -> list[tuple[datetime, str, Any]]:
    """When, what and its row, newest first: launches and updates of these listings, what the account answered."""
    sources: list[tuple[str, str, Any]] = [
        ("launch", "launched_at", Launch.objects.filter(listing__in=listing_ids, launched_at__isnull=False)),
        ("update", "posted_at", ListingUpdate.objects.filter(listing__in=listing_ids)),
    ]
    if user_id:
        live = {"listing__status": Listing.Status.LIVE}
        replies = Review.objects.public().filter(replied_by=user_id, **live).exclude(reply="")
        sources += [
            ("answer", "answered_at", Question.objects.public().filter(answered_by=user_id, **live)),
            ("reply", "replied_at", replies),
        ]
    events = [
        (getattr(row, moment), what, row)
        for what, moment, rows in sources
        for row in rows.select_related("listing").order_by(f"-{moment}", "-pk")[:MOST]
    ]
    return sorted(events, key=lambda event: event[0], reverse=True)[:MOST]
