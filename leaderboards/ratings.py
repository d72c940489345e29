"""Domain Rating: values with their source and date, from a file or from a rating service, one domain at a time."""

import csv
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import httpx2
from django.conf import settings
from django.db import transaction
from django.db.models import OuterRef, Q, Subquery

from core.cache import changed
from core.fetch import split_url
from core.timed import timed_client
from directory.limits import DOMAIN
from directory.models import Listing, Site
from directory.search import public_data
from directory.weeks import day_of
from leaderboards import limits
from leaderboards.boards.domain_rating import DomainRatings
from leaderboards.errors import RatingFileError
from leaderboards.models import DomainRating

BATCH = 5000
RATED_AN_HOUR = 200
TREND = timedelta(days=366)
MONTH = timedelta(days=30)
DEFAULT_SOURCE = "import"
TIMEOUT_SECONDS, PATIENCE_SECONDS = 10.0, 120.0


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


def read(path: Path, *, today: date) -> Iterator[Rating]:
    """The ratings of a file. Raises RatingFileError naming the line."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = csv.DictReader(file)
            if not {"domain", "domain_rating"} <= set(rows.fieldnames or ()):
                raise RatingFileError(
                    "The header must name domain and domain_rating; date and source may follow."
                )
            for row in rows:
                yield rating_of(row, where=f"Line {rows.line_num}", today=today)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RatingFileError(f"{path}: {error}") from error


def rating_of(row: Mapping[str, str | None], *, where: str, today: date) -> Rating:
    """The rating of a row. Raises RatingFileError naming where it stands."""
    domain = (row["domain"] or "").strip().lower().rstrip(".")
    try:
        host = (split_url(domain if "//" in domain else f"//{domain}").hostname or "").removeprefix("www.")
        value = round(float(row["domain_rating"] or ""))
    except (ValueError, OverflowError) as error:
        raise RatingFileError(f"{where}: {error}.") from error
    written = (row.get("date") or "").strip()
    if (day := day_of(written) if written else today) is None:
        raise RatingFileError(f"{where}: {written!r} is not a date of the form YYYY-MM-DD.")
    if "." not in host or len(host) > DOMAIN or not host.isprintable() or " " in host:
        raise RatingFileError(f"{where}: {domain!r} is not a domain.")
    if day > today:
        raise RatingFileError(f"{where}: {day:%-d %B %Y} is still to come.")
    if not 0 <= value <= limits.RATING_MAX:
        raise RatingFileError(f"{where}: a rating is from 0 to {limits.RATING_MAX}, not {value}.")
    return Rating(domain=host, value=value, source=_source(row), date=day)


def _source(row: Mapping[str, str | None]) -> str:
    named = "".join(letter for letter in row.get("source") or "" if letter.isprintable())
    return named.strip()[:80] or DEFAULT_SOURCE


logger = logging.getLogger(__name__)


class RatingSource(Protocol):
    """Gives the ratings of domains, as far as it knows them."""

    def ratings(self, domains: Sequence[str], *, today: date) -> Iterator[Rating]:
        """One rating for each domain that is known; unknown ones are left out."""
        ...


class HttpRatingSource:
    """`GET <url>?domain=<domain>` answering `{"domain_rating": 0 to 100}`; 404 means unknown."""

    def __init__(self, *, url: str, key: str, name: str) -> None:
        self.url = url
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.name = name

    def ratings(self, domains: Sequence[str], *, today: date) -> Iterator[Rating]:
        """Ask for each domain, for some minutes at most; what fails is left out and asked again another day."""
        ends = time.monotonic() + PATIENCE_SECONDS
        for domain in domains:
            if time.monotonic() > ends:  # the thread is wanted for mail and payments
                return
            value = self._ask(domain)
            if value is not None:
                yield Rating(domain=domain, value=value, source=self.name, date=today)

    def _ask(self, domain: str) -> int | None:
        try:
            with timed_client(TIMEOUT_SECONDS) as client:
                answer = client.get(self.url, params={"domain": domain}, headers=self.headers)
            if answer.status_code == httpx2.codes.NOT_FOUND:
                return None
            answer.raise_for_status()
            value = round(float(answer.json()["domain_rating"]))
        except (httpx2.HTTPError, ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            logger.warning("no rating", extra={"domain": domain, "error": type(error).__name__})
            return None
        return value if 0 <= value <= limits.RATING_MAX else None


def chosen_source() -> RatingSource | None:
    """The service that the settings name; none by default."""
    if not settings.DOMAIN_RATING_URL:
        return None
    return HttpRatingSource(
        url=settings.DOMAIN_RATING_URL, key=settings.DOMAIN_RATING_KEY, name=settings.DOMAIN_RATING_SOURCE
    )
