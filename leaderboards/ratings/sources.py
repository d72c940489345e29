"""Where ratings come from besides a file: a rating service of the operator's choice, asked one domain at a time."""

import logging
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Protocol

import httpx2
from django.conf import settings

from leaderboards import limits
from leaderboards.ratings.storing import Rating

logger = logging.getLogger(__name__)
TIMEOUT_SECONDS = 10


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
        """Ask for each domain; what fails is left out and asked again another day."""
        with httpx2.Client(headers=self.headers, timeout=TIMEOUT_SECONDS, trust_env=False) as client:
            for domain in domains:
                value = self._ask(client, domain)
                if value is not None:
                    yield Rating(domain=domain, value=value, source=self.name, date=today)

    def _ask(self, client: httpx2.Client, domain: str) -> int | None:
        try:
            answer = client.get(self.url, params={"domain": domain})
            if answer.status_code == httpx2.codes.NOT_FOUND:
                return None
            answer.raise_for_status()
            value = round(float(answer.json()["domain_rating"]))
        except (httpx2.HTTPError, ValueError, TypeError, KeyError, OverflowError) as error:
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
