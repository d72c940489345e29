"""What a maker did of late that everybody may see."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from directory.models import Launch, ListingUpdate, Question, Review

MOST = 8


def history(*, listing_ids: Sequence[int], user_id: int | None) -> list[tuple[datetime, str, Any]]:
    """When, what and its row, newest first: launches and updates of these listings, what the account answered there."""
    sources: list[tuple[str, str, Any]] = [
        ("launch", "launched_at", Launch.objects.filter(listing__in=listing_ids, launched_at__isnull=False)),
        ("update", "posted_at", ListingUpdate.objects.filter(listing__in=listing_ids)),
    ]
    if user_id:
        answers = Question.objects.public().filter(listing__in=listing_ids, answered_by=user_id)
        replies = (
            Review.objects.public().filter(listing__in=listing_ids, replied_by=user_id).exclude(reply="")
        )
        sources += [("answer", "answered_at", answers), ("reply", "replied_at", replies)]
    events = [
        (getattr(row, moment), what, row)
        for what, moment, rows in sources
        for row in rows.select_related("listing").order_by(f"-{moment}", "-pk")[:MOST]
    ]
    return sorted(events, key=lambda event: event[0], reverse=True)[:MOST]
