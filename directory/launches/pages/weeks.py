from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.sessions import signed_in, user_of
from core.api import throttling
from core.api.errors import NotFoundError
from core.api.pagination import Page
from core.methods import require_safe
from core.postgresql.base import fetch_all
from directory import weeks
from directory.categories.tree import category_in_tree, category_tree
from directory.engagement import coming
from directory.launches.calendar import BOOKED, FEWEST, best_of, lists_beside, scheduled, years
from directory.launches.course import course_of, gap
from directory.launches.pages.visiting import featured_in
from directory.launches.queueing import weeks_with_a_place
from directory.launches.race import PUBLIC, race_week
from directory.listings.profile import covers, covers_and_makers
from directory.models import FeaturedCount, Listing, ListingUpdate, Site
from directory.people.founders import first_founders
from directory.reading import marks_of, page_number, week_clock
from directory.search.cards import CARD, of_each, summary
from directory.shown.pages.sharing import share_of_week
from directory.sites.lookup import current_site, rules_of

ROWS_A_PAGE = 30
RUNNING = f"""
SELECT first.votes, {CARD} FROM (
    SELECT l.listing_id, l.launched_at, l.votes FROM directory_launch AS l WHERE {PUBLIC} AND l.votes > 0
    ORDER BY l.votes DESC, l.launched_at, l.listing_id LIMIT 3
) AS first {of_each("first.listing_id")}
WHERE card.body IS NOT NULL ORDER BY first.votes DESC, first.launched_at, first.listing_id
"""  # noqa: S608 constants
STATES = {"future": "waiting", "current": "live"}
LISTS_BESIDE = 5
FRONT = 5
TILES, LATER = 3, 3


def _page(items: Sequence[Any], *, number: int) -> Page:
    first = (number - 1) * ROWS_A_PAGE
    return Page(items=items[first : first + ROWS_A_PAGE], page=number, per_page=ROWS_A_PAGE, total=len(items))


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


def _rows(race: Mapping[str, Any], page: Page) -> list[tuple[dict[str, Any], str]]:
    """The rows of a page with what lies between each and the next."""
    first = (page.page - 1) * ROWS_A_PAGE
    return [
        ({**item, "has_no_place": not item["votes"]}, gap(race["items"], number=number))
        for number, item in enumerate(page.items, start=first)
    ]


def _lists(race: Mapping[str, Any], page: Page, *, state: str, pictures: Mapping[str, Any]) -> dict[str, Any]:
    """The rows of a page, those apart that it begins with in large pictures, where it has such.

    That is the leader of a race that runs, with those behind it, and what most wait for in a week to come.
    """
    rows = _rows(race, page)
    front = [row for row in rows[:FRONT] if row[0]["votes"]] if state == "live" else []
    large = front[:1]
    if state == "waiting" and len(rows) >= TILES:
        front = large = rows[:TILES]
    if page.page > 1 or not any(item["listing"]["slug"] in pictures for item, _ in large):
        front = []
    return {"front": front, "rows": rows[len(front) :]}


def _news(race: Mapping[str, Any], *, site: Site) -> ListingUpdate | None:
    """What the winner wrote since the week began, the latest of the two weeks after it."""
    slug = race["awards"][0]["listing"]["slug"]
    since, until = race["start"], race["end"] + 2 * weeks.WEEK
    news = ListingUpdate.objects.filter(listing__site=site, listing__slug=slug)
    return news.filter(posted_at__range=(since, until)).order_by("-posted_at", "-pk").first()


def _afterwards(race: Mapping[str, Any], *, site: Site, won: Sequence[str]) -> dict[str, Any]:
    """What the page of a week that ended says of its winners: their latest word, and who made what they launched."""
    return {"news": _news(race, site=site), "makers": first_founders(site=site, slugs=won)}


def _most_awaited_first(items: Sequence[Any], *, waiting: Mapping[str, int]) -> list[Any]:
    """By how many want to be reminded of each; as they were booked where that is the same."""
    return sorted(items, key=lambda item: -waiting.get(item["listing"]["slug"], 0))


def _later(*, site: Site, week: date) -> list[tuple[date, list[str]]]:
    """The weeks after one that have bookings, with the names of what is booked."""
    until = min(week, weeks.LAST - LATER * weeks.WEEK) + LATER * weeks.WEEK  # the calendar ends
    after = scheduled(site=site, since=week + weeks.WEEK).filter(week__lte=until)
    booked = after.values("week").annotate(names=ArrayAgg("listing__name", order_by=BOOKED))
    return list(booked.order_by("week").values_list("week", "names"))


def _waiting(
    request: HttpRequest, *, site: Site, week: date, items: Sequence[Any], at: datetime
) -> dict[str, Any]:
    """What the page of a week to come says besides its products: the time until then, and who waits for them."""
    slugs = [item["listing"]["slug"] for item in items]
    booked = Listing.objects.filter(site=site, slug__in=slugs).annotate(waiting=Count("reminders"))
    waiting = dict(booked.values_list("slug", "waiting"))
    rules = rules_of(site.pk)
    first = weeks.week_of(at) + rules.free_queue_weeks * weeks.WEEK
    return {
        "ahead": rules.free_queue_weeks,
        "free_a_week": rules.free_slots_per_week,
        "opens_in": weeks.time_left(weeks.start(week), at=at),
        "waiting": waiting,
        "next_free": weeks_with_a_place(site=site, not_before=first, most=1, rules=rules),
        "reminders": sum(waiting.values()),
        "later": _later(site=site, week=week),
        "is_awaited": coming.is_week_awaited(user_id=request.user.pk, site=site, week=week),
    }


@require_http_methods(["GET", "HEAD", "POST"])
def remind(request: HttpRequest, week: str) -> HttpResponse:
    """`/weeks/<monday>/remind`: one mail on its Monday with what launches in a week to come."""
    if not request.user.is_authenticated:
        return redirect_to_login(f"/weeks/{week}")
    return _remind(request, week)


@signed_in
def _remind(request: HttpRequest, week: str) -> HttpResponse:
    monday, user, now = weeks.day_of(week), user_of(request), timezone.now()
    site = current_site(request)
    if monday is None or monday.weekday():
        raise NotFoundError("There is no such week.")
    if request.method != "POST":
        return HttpResponseRedirect(f"/weeks/{week}")
    throttling.enforce("vote", caller=f"user:{user.pk}")
    is_awaited = request.POST.get("do") != "forget"
    if is_awaited:
        coming.remind_of_week(user_id=user.pk, site=site, week=monday, at=now)
    else:
        coming.remind_of_week_no_longer(user_id=user.pk, site=site, week=monday)
    if not request.headers.get("X-Part"):
        return HttpResponseRedirect(f"/weeks/{week}")
    opens_next = monday == weeks.week_of(now) + weeks.WEEK
    context = {"monday": monday, "is_awaited": is_awaited, "opens_next": opens_next}
    return render(request, "directory/parts/remind_week.html", context)


@require_safe
def week(request: HttpRequest, week: str) -> HttpResponse:
    """`/weeks/<monday>` and `/weeks/this`; every other day and word leads to its Monday."""
    now = timezone.now()
    monday = _monday(week, at=now)
    if week != "this" and week != monday.isoformat():
        return HttpResponseRedirect(f"/weeks/{monday}")
    site = current_site(request)
    result = race_week(site=site, week=monday, at=now)
    state = state_of(result)
    won = [award["listing"]["slug"] for award in result["awards"]] if state == "ended" else []
    others = [item for item in result["items"] if item["listing"]["slug"] not in won]
    booked = _waiting(request, site=site, week=monday, items=others, at=now) if state == "waiting" else {}
    others = _most_awaited_first(others, waiting=booked["waiting"]) if booked else others
    page = _page(others, number=page_number(request))
    slugs = [item["listing"]["slug"] for item in page.items]
    marked = featured_in(request, FeaturedCount.Kind.WEEK)
    paid = [card["slug"] for card in marked[:1] if state != "waiting"]  # larger than what is booked
    pictures, makers = covers_and_makers(site=site, slugs=[*won, *slugs, *paid])
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
        **_lists({**result, "items": others} if booked else result, page, state=state, pictures=pictures),
        "course": course_of(result, at=now) if state != "waiting" else None,
        "covers": pictures,
        "founded_by": makers,
        "running": _running(site, at=now) if state != "live" else [],
        "opens_next": monday == weeks.week_of(now) + weeks.WEEK,
        "featured": marked,
        "clock": week_clock(at=now),
        "marks": marks_of(request, [item["listing"] for item in (*result["awards"], *page.items)]),
        **(_afterwards(result, site=site, won=won) if state == "ended" else booked),
    }
    return render(request, "directory/week.html", context)


def _monday(week: str, *, at: datetime) -> date:
    try:
        return weeks.parse(week, at=at)
    except ValueError as error:
        raise NotFoundError("There is no such week.") from error


@require_safe
def this_year(request: HttpRequest, category: str = "") -> HttpResponse:
    """`/best` and `/best/<category>`: lead to the list of the year that runs."""
    address = f"/best/{weeks.week_of(timezone.now()).year}"
    return redirect(f"{address}/{category}" if category else address)


@require_safe
def best(request: HttpRequest, year: int, category: str = "") -> HttpResponse:
    """`/best/<year>` and `/best/<year>/<category>`: the first twenty by the votes of their launch weeks."""
    site, now = current_site(request), timezone.now()
    if category:
        chosen, tree = category_in_tree(site=site, slug=category)
    else:
        chosen, tree = None, category_tree(site=site, include_empty=False)
    result = best_of(site=site, year=year, category=chosen, at=now)
    cards = [card for _, card, _ in result["rows"]]
    context = {
        "best": result,
        "category": chosen,
        "fewest": FEWEST,
        "years": [other for other in years(site=site, at=now) if other != year],
        "beside": lists_beside(tree, chosen=category, most=LISTS_BESIDE),
        "covers": covers(site=site, slugs=[card["slug"] for card in cards]),
        "featured": featured_in(request, FeaturedCount.Kind.CATEGORY, category=category) if category else [],
        "marks": marks_of(request, cards),
    }
    return render(request, "directory/best.html", context)
