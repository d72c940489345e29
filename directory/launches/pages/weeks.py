"""Launch weeks."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.api.errors import NotFoundError
from core.api.pagination import Page
from core.statements import fetch_all
from directory import weeks
from directory.launches.course import course_of, gap
from directory.launches.pages.visiting import standing_in
from directory.launches.race import PUBLIC, race_week
from directory.listings.profile import covers
from directory.models import FeaturedCount, ListingUpdate, Site
from directory.reading import marks_of, page_number, week_clock
from directory.search.cards import CARD, of_each, summary
from directory.shown.pages.sharing import share_of_week
from directory.sites.lookup import current_site

ROWS_A_PAGE = 30
RUNNING = f"""
SELECT first.votes, {CARD} FROM (
    SELECT l.listing_id, l.launched_at, l.votes FROM directory_launch AS l WHERE {PUBLIC} AND l.votes > 0
    ORDER BY l.votes DESC, l.launched_at, l.listing_id LIMIT 3
) AS first {of_each("first.listing_id")}
WHERE card.body IS NOT NULL ORDER BY first.votes DESC, first.launched_at, first.listing_id
"""  # noqa: S608 constants
STATES = {"future": "waiting", "current": "live"}


def _page(items: Sequence[Any], *, number: int) -> Page:
    first = (number - 1) * ROWS_A_PAGE
    shown = items[first : first + ROWS_A_PAGE]
    return Page(items=shown, page=number, per_page=ROWS_A_PAGE, total=len(items))


def state_of(race: Mapping[str, Any]) -> str:
    """What a week's page is about: waiting, live, counting, ended, unvoted or empty."""
    if race["status"] in STATES:
        return STATES[race["status"]]
    if not race["final"]:
        return "counting"
    return "ended" if race["awards"] else "unvoted" if race["items"] else "empty"


def _running(site: Site, *, at: datetime) -> list[tuple[dict[str, Any], int]]:
    """The first three of the race that runs, for the pages of other weeks."""
    rows = fetch_all(RUNNING, {"site": site.pk, "week": weeks.week_of(at)})
    return [(summary(columns), votes) for votes, *columns in rows]


def _rows(race: Mapping[str, Any], page: Page, *, state: str) -> list[tuple[dict[str, Any], str]]:
    """The rows of a page with what lies between each and the next; the podium has the first three of an ended week."""
    first = (page.page - 1) * ROWS_A_PAGE
    rows = [
        ({**item, "has_no_place": not item["votes"]}, gap(race["items"], number=number))
        for number, item in enumerate(page.items, start=first)
    ]
    won = {award["listing"]["slug"] for award in race["awards"]} if state == "ended" else set()
    return [row for row in rows if row[0]["listing"]["slug"] not in won]


def _news(race: Mapping[str, Any], *, site: Site) -> ListingUpdate | None:
    """What the winner wrote since the week began, the latest of the two weeks after it."""
    slug = race["awards"][0]["listing"]["slug"]
    since, until = race["start"], race["end"] + 2 * weeks.WEEK
    news = ListingUpdate.objects.filter(listing__site=site, listing__slug=slug)
    return news.filter(posted_at__range=(since, until)).order_by("-posted_at", "-pk").first()


@require_safe
def week(request: HttpRequest, week: str) -> HttpResponse:
    """`/weeks/<monday>` and `/weeks/this`; every other day and word leads to its Monday."""
    now = timezone.now()
    try:
        monday = weeks.parse(week, at=now)
    except ValueError as error:
        raise NotFoundError("There is no such week.") from error
    if week != "this" and week != monday.isoformat():
        return HttpResponseRedirect(f"/weeks/{monday}")
    site = current_site(request)
    result = race_week(site=site, week=monday, at=now)
    page = _page(result["items"], number=page_number(request))
    state = state_of(result)
    slugs = [item["listing"]["slug"] for item in page.items]
    marked = standing_in(request, FeaturedCount.Kind.WEEK)
    context = {
        "week": result,
        "share": share_of_week(result, site=site),
        "page": page,
        "total": result.get("total", len(result["items"])),
        "monday": monday,
        "days": weeks.span(monday),
        "before": any(item["previous_rank"] for item in page.items),
        "state": state,
        "now": now,
        "rows": _rows(result, page, state=state),
        "course": course_of(result, at=now) if state != "waiting" else None,
        "covers": covers(site=site, slugs=[*slugs, *(card["slug"] for card in marked[:1])]),
        "news": _news(result, site=site) if state == "ended" else None,
        "running": _running(site, at=now) if state != "live" else [],
        "opens_next": monday == weeks.week_of(now) + weeks.WEEK,
        "opens_in": weeks.time_left(result["start"], at=now) if state == "waiting" else "",
        "featured": marked,
        "clock": week_clock(at=now),
        "marks": marks_of(request, [item["listing"] for item in page.items]),
    }
    return render(request, "directory/week.html", context)
