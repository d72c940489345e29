"""The home page, which shows something of several areas."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any

from django.core.cache import cache, caches
from django.db.models import Count, Sum, Window
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from core.api.links import addresses_of, on_site
from core.methods import require_safe
from core.postgresql.base import fetch_all
from directory import weeks
from directory.categories.tree import fullest
from directory.launches.calendar import BOOKED, launched, lists_in_front, scheduled
from directory.launches.pages.visiting import featured_in
from directory.launches.race import midnights, places_at
from directory.launches.room import headline
from directory.listings.profile import covers, covers_and_makers
from directory.models import FeaturedCount, Listing, Site
from directory.reading import marks_of, week_clock
from directory.reviews.selectors import answering
from directory.search.cards import CARD, of_each, page_of, rows_of, summary
from directory.shown.sharing import Picture, Share, image_response, stated
from directory.sites.lookup import address_of, all_sites, current_site
from leaderboards.boards import BOARDS, Board
from leaderboards.models import Award

ROWS, ALSO_NEW, ASIDE_ROWS, CATEGORIES, ANSWERING = 5, 4, 3, 12, 3
BEST_LISTS, OF_EACH_LIST, COMING = 4, 3, 3
# a worker draws it twice a minute; where there is none, a request does
BESIDE_SECONDS, ALONE_SECONDS = 600, 60
BESIDE = {
    "newest": "parts/home/newest.html",
    "best": "parts/home/best.html",
    "winners": "parts/home/winners.html",
    "billboard": "parts/billboard.html",
}


WON = f"""
SELECT won.week, won.rank, won.votes, {CARD}
FROM leaderboards_award AS won JOIN directory_listingstats AS shown ON shown.listing_id = won.listing_id
{of_each("won.listing_id")}
WHERE won.site_id = %(site)s AND won.week = ANY(%(weeks)s::date[]) AND won.programme_id IS NULL
    AND won.revoked_at IS NULL AND shown.is_live AND card.body IS NOT NULL
ORDER BY won.week DESC, won.rank
"""  # noqa: S608 constants


def winners(*, site: Site, week: date) -> list[tuple[int, int, int]]:
    rows = (
        Award.objects.of_weeks().filter(site=site, week=week, listing__stats__is_live=True).order_by("rank")
    )
    return list(rows.values_list("rank", "listing", "votes"))


def winners_before(*, site: Site, week: date) -> list[tuple[date, list[tuple[int, dict[str, Any], int]]]]:
    """The two weeks before one, as far as they have winners: rank, card and votes of each."""
    last = [max(week, weeks.FIRST + weeks.WEEK) - number * weeks.WEEK for number in (1, 2)]
    rows = fetch_all(WON, {"site": site.pk, "weeks": last})
    return [
        (monday, [(rank, summary(card), votes) for won, rank, votes, *card in rows if won == monday])
        for monday in dict.fromkeys(won for won, *_ in rows)
    ]


def paid_places(*, site: Site) -> list[tuple[Board, list[tuple[int, int, str]]]]:
    """Listing, amount and currency of the first places of each board that is paid."""
    paid = [board for board in BOARDS.values() if board.paid]
    return [(board, board.first_places(site=site, most=ASIDE_ROWS)) for board in paid]


def in_boxes(paid: Sequence[tuple[Board, Any]], cards: dict[int, dict[str, Any]]) -> list[tuple[Board, Any]]:
    """The boards that have places, each place with its card."""
    boxes = [
        (board, [(cards[pk], value, unit) for pk, value, unit in rows if pk in cards]) for board, rows in paid
    ]
    return [box for box in boxes if box[1]]


def cards_of(*groups: Sequence[int]) -> dict[int, dict[str, Any]]:
    rows = rows_of(list({listing_id for group in groups for listing_id in group}))
    return {listing_id: summary(row) for listing_id, row in rows.items()}


def share_of_home(site: Site) -> Share:
    title = "New products, ranked by people"
    search = {
        "@type": "SearchAction",
        "target": {"@type": "EntryPoint", "urlTemplate": on_site("/search?q={words}")},
        "query-input": "required name=words",
    }
    return Share(
        title=f"{site.name}: {title[0].lower()}{title[1:]}",
        text="Each week’s launches in one list. Each fact with the sentence on the product’s own website.",
        path="/",
        name="home",
        picture=Picture(site=site.name, title=title, text=site.purpose),
        data=[stated("WebSite", name=site.name, url=on_site("/"), potentialAction=search)],
    )


@require_safe
def home_image(request: HttpRequest, digest: str) -> HttpResponse:
    return image_response(request, share_of_home(current_site(request)))


def _race(
    rows: Sequence[tuple[int, int, int]], *, cards: dict[int, dict[str, Any]], week: date, at: datetime
) -> list[tuple[int, dict[str, Any], int, int | None]]:
    """Rank, card and votes of the first of a week, with the rank that each had at 00:00 UTC."""
    ends = midnights(week, at=at)[-1:]
    before = places_at(ends, launches=[launch_id for *_, launch_id in rows]) if ends else {}
    return [
        (rank, cards[pk], votes, before[launch_id][ends[0]].rank if before.get(launch_id) else None)
        for rank, (pk, votes, launch_id) in enumerate(rows, start=1)
    ]


def _in_front(
    race: Sequence[tuple[int, dict[str, Any], int, int | None]], *, pictures: dict[str, Any]
) -> dict[str, Any]:
    """The first, where their leader has a picture to be large with; below them the rest."""
    voted = [row for row in race if row[2]]
    front = voted if voted and voted[0][1]["slug"] in pictures else []
    return {"front": front, "week": race[len(front) :]}


def _newest(*, site: Site, but: Collection[int], week: date) -> list[int]:
    """The newest that are in no list beside: of the weeks before this one, as far as there are enough."""
    newest = (
        Listing.objects.live().filter(site=site).order_by("-launched_at", "-pk").values_list("pk", flat=True)
    )
    before, most = weeks.start(week), ALSO_NEW + len(but)
    rows = [*newest.filter(launched_at__lt=before)[:most], *newest.filter(launched_at__gte=before)[:most]]
    return [pk for pk in rows if pk not in but][:ALSO_NEW]


def _booked(*, site: Site, week: date) -> list[int]:
    """What most wait for of a week to come; as booked where that is the same."""
    rows = scheduled(site=site, since=week).filter(week=week).annotate(waiting=Count("listing__reminders"))
    return list(rows.order_by("-waiting", *BOOKED).values_list("listing", flat=True)[:COMING])


def _live(
    places: Sequence[tuple[int, int]], cards: dict[int, dict[str, Any]]
) -> list[tuple[dict[str, Any], int]]:
    """The cards and votes of those that are live still: a list was counted up to an hour ago."""
    rows = [(cards[pk], votes) for pk, votes in places if pk in cards]
    return [row for row in rows if row[0]["status"] == Listing.Status.LIVE]


def draw_beside(*, at: datetime) -> None:
    """Draw for each site what stands below and beside the race, so that no request has to: half of the page's cost."""
    for site in all_sites().by_id.values():
        with addresses_of(partial(address_of, site)):
            cache.set(_name(site), _beside(site=site, at=at), BESIDE_SECONDS)


def _name(site: Site) -> str:
    return f"home:{site.pk}"


def _beside(*, site: Site, at: datetime) -> dict[str, SafeString]:
    this = weeks.week_of(at)
    racing = launched(site=site, week=this).values_list("listing", flat=True)[:ROWS]
    won = winners(site=site, week=this - weeks.WEEK)
    first = [pk for _, pk, _ in won]
    fresh = _newest(site=site, but={*racing, *first}, week=this)
    paid, categories = paid_places(site=site), fullest(site=site, most=CATEGORIES)
    lists = lists_in_front(site=site, tree=categories, most=BEST_LISTS, of_each=OF_EACH_LIST, at=at)
    of_paid = [row[0] for _, rows in paid for row in rows]
    questions = answering(site=site, most=ANSWERING)
    about = [row.listing_id for row in questions]
    cards = cards_of(fresh, first, of_paid, about, [pk for *_, places in lists for pk, _ in places])
    context = {
        "fresh": [cards[pk] for pk in fresh],
        "covers": covers(site=site, slugs=[cards[pk]["slug"] for pk in (*fresh, *first)]),
        "answering": [(row, cards[row.listing_id]) for row in questions if row.listing_id in cards],
        "year": this.year,
        "best": [(node, best, _live(places, cards)) for node, best, places in lists],
        "categories": categories,
        "winners": [(rank, cards[pk], votes) for rank, pk, votes in won],
        "last_week": this - weeks.WEEK,
        "billboard": in_boxes(paid, cards),
    }
    return {name: mark_safe(render_to_string(template, context)) for name, template in BESIDE.items()}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """`/`: this week, what is new, the best of the year; beside them winners, paid places and what comes."""
    site, now = current_site(request), timezone.now()
    this = weeks.week_of(now)
    rows = launched(site=site, week=this).annotate(of_week=Window(Sum("votes")))
    page = page_of(rows, fields=("of_week", "listing_id", "votes", "pk"), page=1, per_page=ROWS)
    ranked = [listing_id for _, listing_id, *_ in page.items]
    coming = _booked(site=site, week=this + weeks.WEEK)
    cards = cards_of(ranked, coming)
    race = _race([row[1:] for row in page.items], cards=cards, week=this, at=now)
    marked = featured_in(request, FeaturedCount.Kind.HOME)
    pictured = [*(card for _, card, *_ in race), *marked[:1]]
    pictures, makers = covers_and_makers(site=site, slugs=[card["slug"] for card in pictured])
    context = {
        "share": share_of_home(site),
        "clock": week_clock(at=now),
        "own_launch": headline(user_id=request.user.pk, at=now, site=site) if request.user.pk else None,
        "total": page.total,
        "votes": page.items[0][0] if page.items else 0,
        **_in_front(race, pictures=pictures),
        "covers": pictures,
        "founded_by": makers,
        "coming": [cards[pk] for pk in coming],
        "featured": marked,
        "next_week": this + weeks.WEEK,
        "marks": marks_of(request, cards.values()),
        "beside": cache.get(_name(site))
        or caches["process"].get_or_set(_name(site), partial(_beside, site=site, at=now), ALONE_SECONDS),
    }
    return render(request, "home.html", context)
