"""Where ratings come from besides a file: a rating service of the operator's choice, asked one domain at a time."""

import csv
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Protocol

import httpx2
from django.conf import settings

from core.fetch import split_url
from core.timed import timed_client
from directory.limits import DOMAIN
from directory.weeks import day_of
from leaderboards import limits
from leaderboards.errors import RatingFileError
from leaderboards.ratings.storing import Rating

DEFAULT_SOURCE = "import"
TIMEOUT_SECONDS, PATIENCE_SECONDS = 10.0, 120.0


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
                yield rating_of(row, line=rows.line_num, today=today)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RatingFileError(f"{path}: {error}") from error


def rating_of(row: Mapping[str, str | None], *, line: int, today: date) -> Rating:
    """The rating of a row. Raises RatingFileError naming the line."""
    domain = (row["domain"] or "").strip().lower().rstrip(".")
    try:
        host = (split_url(domain if "//" in domain else f"//{domain}").hostname or "").removeprefix("www.")
        value = round(float(row["domain_rating"] or ""))
    except (ValueError, OverflowError) as error:
        raise RatingFileError(f"Line {line}: {error}.") from error
    written = (row.get("date") or "").strip()
    if (day := day_of(written) if written else today) is None:
        raise RatingFileError(f"Line {line}: {written!r} is not a date of the form YYYY-MM-DD.")
    if "." not in host or len(host) > DOMAIN or not host.isprintable() or " " in host:
        raise RatingFileError(f"Line {line}: {domain!r} is not a domain.")
    if day > today:
        raise RatingFileError(f"Line {line}: {day:%-d %B %Y} is still to come.")
    if not 0 <= value <= limits.RATING_MAX:
        raise RatingFileError(f"Line {line}: a rating is from 0 to {limits.RATING_MAX}, not {value}.")
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
