"""Domain Rating: values with their source and date, shown on every listing of the domain."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery

from core.cache import changed
from directory.models import Listing, Site
from directory.search import public_data
from leaderboards.boards.domain_rating import DomainRatings
from leaderboards.models import DomainRating

BATCH = 5000
RATED_AN_HOUR = 200
TREND = timedelta(days=366)
MONTH = timedelta(days=30)


@dataclass(frozen=True, kw_only=True)
class Rating:
    domain: str
    value: int
    source: str
    date: date


@transaction.atomic
def store_ratings(*, ratings: Iterable[Rating], at: datetime) -> int:
    """Store ratings and show them. The same domain, source and day is replaced. Returns how many were stored."""
    stored, batch = 0, []
    domains: set[str] = set()
    for rating in ratings:
        batch.append(rating)
        domains.add(rating.domain)
        if len(batch) >= BATCH:
            stored += _store(batch)
            batch = []
    stored += _store(batch)
    touched = show_ratings(domains=domains)
    for site in Site.objects.filter(listings__in=touched).distinct():
        DomainRatings().refresh(site=site, at=at)
    return stored


def _store(batch: Sequence[Rating]) -> int:
    newest = {(rating.domain, rating.source, rating.date): rating for rating in batch}
    rows = [
        DomainRating(domain=rating.domain, value=rating.value, source=rating.source, date=rating.date)
        for rating in newest.values()
    ]
    DomainRating.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["domain", "source", "date"], update_fields=["value"]
    )
    return len(rows)


def show_ratings(*, domains: set[str]) -> list[int]:
    """Bring the ratings that listings show in line with those stored. Returns the listings touched."""
    listings = list(Listing.objects.filter(domain__in=domains).only("pk", "domain"))
    series: dict[str, list[DomainRating]] = {}
    rated = {listing.domain for listing in listings}
    for row in DomainRating.objects.filter(domain__in=rated).order_by("date", "pk"):
        series.setdefault(row.domain, []).append(row)
    for listing in listings:
        listing.domain_rating_detail = detail(series[listing.domain])
        listing.domain_rating = listing.domain_rating_detail["value"]
    Listing.objects.bulk_update(listings, ["domain_rating", "domain_rating_detail"], batch_size=1000)
    ids = [listing.pk for listing in listings]
    public_data.refresh(listing_ids=ids)
    changed("listings")
    return ids


def detail(rows: Sequence[DomainRating]) -> dict[str, Any]:
    """The newest value, its source and date, the change in 30 days and a year's series of that source."""
    newest = rows[-1]
    own = [row for row in rows if row.source == newest.source and row.date >= newest.date - TREND]
    earlier = [row for row in own if row.date <= newest.date - MONTH]
    return {
        "value": newest.value,
        "source": newest.source,
        "checked_at": newest.date.isoformat(),
        "change_30d": newest.value - earlier[-1].value if earlier else None,
        "trend": [{"date": row.date.isoformat(), "value": row.value} for row in own],
    }


def domains_to_rate(*, at: datetime) -> list[str]:
    """Domains of live listings without a rating of the last day, an hour's worth by chance.

    In any other order, what the service does not know would be all that is ever asked for.
    """
    newest = DomainRating.objects.filter(domain=OuterRef("domain")).order_by("-date").values("date")[:1]
    rows = (
        Listing.objects.live()
        .annotate(rated_on=Subquery(newest))
        .filter(Q(rated_on=None) | Q(rated_on__lt=at.date()))
    )
    return list(dict.fromkeys(rows.order_by("?").values_list("domain", flat=True)[:RATED_AN_HOUR]))
