"""What public pages read from a request, and what all of them show; areas above use it too."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme

from core.api import throttling
from core.api.pagination import PAGE_MAX
from directory import weeks
from directory.engagement.voting import Marks, marks
from directory.errors import ListingNotFoundError, ListingRemovedError
from directory.models import Listing
from directory.reviews.rating import ratings
from directory.sites.lookup import current_site
from directory.weeks import time_left
from directory.wording import STORY_TITLES

PER_PAGE = 20
CRAWLER = re.compile(
    r"bot\b|crawl|spider|slurp|facebookexternalhit|whatsapp|preview|embedly|cardyb|google-inspectiontool|gptbot"
    r"|chatgpt-user|lighthouse|pingdom|uptime",
    re.IGNORECASE,
)
BLANK_REASONS = {
    "not_on_site": "No page we read states it.",
    "robots_blocked": "It may be on a page that robots.txt asked us not to read, so we didn’t.",
    "fetch_failed": "We couldn’t open a page that may say it.",
    "conflicting": "Two pages say different things, so we left it blank.",
    "unconfirmed": "A page may say it, but we aren’t sure enough.",
    "removed_by_owner": "The owner took it out.",
}
DAY_LETTERS = "MTWTFSS"
HOURS_A_QUARTER = 6


def page_number(request: HttpRequest) -> int:
    """The page that is asked for; anything odd is the first."""
    text = request.GET.get("page", "1")
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(PAGE_MAX)) else 1
    return min(max(number, 1), PAGE_MAX)


def marks_of(request: HttpRequest, cards: Iterable[Mapping[str, Any]]) -> Marks:
    """What of these summaries is the reader's own, voted for or followed, and how they are rated."""
    slugs = [card["slug"] for card in cards]
    if not slugs:
        return Marks()
    site = current_site(request)
    user_id = request.user.pk
    own = Marks() if user_id is None else marks(user_id=user_id, site=site, slugs=slugs)
    return replace(own, ratings=ratings(site=site, slugs=slugs))


def of_listing(
    view: Callable[[HttpRequest, str], HttpResponse],
) -> Callable[[HttpRequest, str], HttpResponse]:
    """A page of a listing: where it was public and is off the site now, the page says so with 410."""

    @wraps(view)
    def answered(request: HttpRequest, slug: str) -> HttpResponse:
        try:
            return view(request, slug)
        except ListingNotFoundError:
            row = Listing.objects.filter(site=current_site(request), slug=slug).first()
            if row is None or row.status not in Listing.OFF_SITE or not _was_public(row):
                raise
            raise ListingRemovedError("It is no longer part of this directory.") from None

    return answered


def _was_public(listing: Listing) -> bool:
    return (
        listing.launched_at is not None or listing.moves.filter(from_status=Listing.Status.SCHEDULED).exists()
    )


def is_reader(request: HttpRequest) -> bool:
    """Whether somebody seems to look at the page: no crawler, and no browser that fetches it in case it is wanted."""
    purpose = request.headers.get("Sec-Purpose", "") + request.headers.get("Purpose", "")
    crawls = CRAWLER.search(request.headers.get("User-Agent", ""))
    return request.method == "GET" and "prefetch" not in purpose and not crawls


def visitor_of(request: HttpRequest) -> str:
    """Who looks: the person who is signed in, or the network."""
    return f"user:{request.user.pk}" if request.user.pk else throttling.network_caller(request)


def way_back(request: HttpRequest, *, otherwise: str) -> str:
    """Where a form says it came from, if that is a page of ours."""
    target = request.POST.get("next", "")
    return target if url_has_allowed_host_and_scheme(target, allowed_hosts=None) else otherwise


def texts_of(profile: Mapping[str, Any]) -> dict[str, Any]:
    """What a listing's page says of blanks, and its story by section."""
    sections = profile.get("story") or {}
    return {
        "blanks": [
            (row["field"], BLANK_REASONS.get(row["reason"], "")) for row in profile["not_found_on_website"]
        ],
        "story": [(title, sections[name]) for name, title in STORY_TITLES.items() if sections.get(name)],
    }


@dataclass(frozen=True, kw_only=True)
class WeekClock:
    week: date
    last_day: date
    closes_at: datetime
    days: list[tuple[str, str]]
    left: str


def week_clock(*, at: datetime) -> WeekClock:
    now = at.astimezone(UTC)
    week = weeks.week_of(at)
    part = f"today q{now.hour // HOURS_A_QUARTER + 1}"
    kinds = ["past" if day < now.weekday() else part if day == now.weekday() else "" for day in range(7)]
    return WeekClock(
        week=week,
        last_day=(weeks.end(week) - timedelta(days=1)).date(),
        closes_at=weeks.end(week),
        days=list(zip(DAY_LETTERS, kinds, strict=True)),
        left=time_left(weeks.end(week), at=at),
    )
