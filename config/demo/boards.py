"""What the boards of the demo rank: ratings, revenue, contributions and the votes of weeks that are over."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

from django.conf import settings

from config.demo.data.shapes import DemoListing
from directory.search.index.sources import Source
from directory.services.engagement import refresh_trends
from leaderboards.models import RevenueReport
from leaderboards.services import close_due_weeks, record_contribution, refresh_standings, store_ratings
from leaderboards.services.ratings import Rating

MONTH = timedelta(days=30)


def add_boards(placed: Sequence[tuple[DemoListing, Source]], *, at: datetime) -> None:
    """Fill the boards from listings that were just loaded, close the weeks that are over, give the awards."""
    store_ratings(ratings=_ratings(placed, today=at.date()), at=at)
    RevenueReport.objects.bulk_create(
        RevenueReport(
            listing_id=source.id,
            amount_cents=one.amount_cents,
            currency=settings.CURRENCY,
            is_verified=one.is_verified,
            method=one.method,
            as_of=(at - one.months_ago * MONTH).date(),
            entered_at=at,
        )
        for demo, source in placed
        for one in demo.revenue
    )
    for demo, source in placed:
        if demo.contributed_cents:
            record_contribution(
                listing_id=source.id,
                reference=f"demo-{source.site_id}-{demo.slug}",
                amount_cents=demo.contributed_cents,
                currency=settings.CURRENCY,
                is_test=True,
                at=source.updated_at,
            )
    close_due_weeks(at=at)
    refresh_trends(at=at)
    refresh_standings(at=at)


def _ratings(placed: Sequence[tuple[DemoListing, Source]], *, today: date) -> Iterator[Rating]:
    for demo in {demo.slug: demo for demo, _ in placed}.values():
        if demo.rating:
            for months_ago, value in demo.rating.series:
                yield Rating(
                    domain=demo.domain,
                    value=value,
                    source=demo.rating.source,
                    date=today - months_ago * MONTH,
                )
