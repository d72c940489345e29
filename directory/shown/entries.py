from datetime import date, datetime
from typing import Any

from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber

from core.api.errors import NotFoundError
from core.api.links import on_site
from directory import weeks
from directory.editorial.posts import published
from directory.launches.calendar import launched
from directory.listings.profile import public_id
from directory.models import Category, Launch, Listing, ListingUpdate, Site
from directory.search.cards import summaries
from directory.search.query.browsing import browse_ids
from directory.shown.feeds import Entry, Feed, Week

LISTED = 50
AWARD_WEEKS, AWARD_PLACES = 12, 10
CALENDAR_WEEKS_BACK, CALENDAR_NAMES = 4, 20


def launches_feed(*, site: Site, at: datetime) -> Feed:
    ids = browse_ids(site=site, sort="newest", page=1, per_page=LISTED).items
    return Feed(
        title=f"{site.name}: launches",
        subtitle="Products as they launch.",
        base_url=on_site("/feeds/launches"),
        page_url=on_site("/weeks/this"),
        entries=[_launch(card) for card in summaries(listing_ids=ids)],
        empty_since=weeks.start(weeks.week_of(at)),
    )


def category_feed(*, site: Site, slug: str, at: datetime) -> Feed:
    """What launched last in a category or below it. Raises NotFoundError."""
    category = NotFoundError.unless(Category.objects.filter(slug=slug).only("pk", "name").first(), "category")
    ids = browse_ids(site=site, sort="newest", category_id=category.pk, page=1, per_page=LISTED).items
    return Feed(
        title=f"{site.name}: {category.name}",
        subtitle=f"Products in {category.name} as they launch.",
        base_url=on_site(f"/feeds/categories/{slug}"),
        page_url=on_site(f"/categories/{slug}"),
        entries=[_launch(card) for card in summaries(listing_ids=ids)],
        empty_since=weeks.start(weeks.week_of(at)),
    )


def _launch(card: dict[str, Any]) -> Entry:
    at = datetime.fromisoformat(card["launched_at"])
    return Entry(
        id=f"{card['page_url']}#launch",
        title=card["name"],
        url=card["page_url"],
        text=card["tagline"] or card["short_description"] or "",
        published=at,
        updated=at,
        categories=tuple(category["name"] for category in card["categories"]),
    )


def blog_feed(*, site: Site, at: datetime) -> Feed:
    posts = published(site=site, at=at).defer("faqs")[:LISTED]
    return Feed(
        title=f"{site.name}: blog",
        subtitle=f"What {site.name} writes.",
        base_url=on_site("/feeds/blog"),
        page_url=on_site("/blog"),
        entries=[
            Entry(
                id=on_site(f"/blog/{post.slug}"),
                title=post.title,
                url=on_site(f"/blog/{post.slug}"),
                text=post.excerpt or post.markdown,
                published=post.published_at or at,
                updated=max(post.updated_at, post.published_at or post.updated_at),
                author=post.author,
            )
            for post in posts
        ],
        empty_since=weeks.start(weeks.week_of(at)),
    )


def updates_feed(*, site: Site, slug: str) -> Feed:
    """The newest updates of a listing. Raises ListingNotFoundError unless it is live or upcoming."""
    listing = Listing.objects.only("name", "created_at").get(pk=public_id(site=site, slug=slug))
    page = on_site(f"/listings/{slug}")
    rows = ListingUpdate.objects.filter(listing=listing).order_by("-posted_at", "-pk")[:LISTED]
    return Feed(
        title=f"{listing.name}: updates",
        subtitle=f"What is new at {listing.name}, on {site.name}.",
        base_url=on_site(f"/feeds/listings/{slug}/updates"),
        page_url=page,
        entries=[
            Entry(
                id=f"{page}#update-{row.pk}",
                title=row.title,
                url=f"{page}#update-{row.pk}",
                text=row.body,
                published=row.posted_at,
                updated=row.posted_at,
                author=listing.name,
            )
            for row in rows
        ],
        empty_since=listing.created_at,
    )


def awards_feed(*, site: Site, at: datetime) -> Feed:
    current = weeks.week_of(at)
    rows = [
        launched(site=site, week=current - back * weeks.WEEK).values_list(
            "listing", "listing__awards", "week"
        )[:AWARD_PLACES]
        for back in range(AWARD_WEEKS + 1)  # a week may be closed ahead of its end
    ]
    won = [
        (week, award, listing_id)
        for listing_id, awards, week in rows[0].union(*rows[1:], all=True)
        for award in awards
        if award["week"] == week.isoformat()
    ]
    won.sort(key=lambda row: (-row[0].toordinal(), row[1]["rank"]))
    cards = summaries(listing_ids=[listing_id for _, _, listing_id in won])
    return Feed(
        title=f"{site.name}: awards",
        subtitle="The three launches of each week with the most votes.",
        base_url=on_site("/feeds/awards"),
        page_url=on_site("/awards"),
        entries=[_award(week, award, card) for (week, award, _), card in zip(won, cards, strict=True)],
        empty_since=weeks.start(current),
    )


def _award(week: date, award: dict[str, Any], card: dict[str, Any]) -> Entry:
    return Entry(
        id=f"{card['page_url']}#award-{award['id']}",
        title=f"{award['title']}: {card['name']}",
        url=card["page_url"],
        text=f"{card['name']} won {award['title']} in the week of {week:%-d %B %Y} with {award['votes']} votes.",
        published=weeks.end(week),
        updated=weeks.end(week),
    )


def launch_weeks(*, site: Site, at: datetime) -> list[Week]:
    """The last weeks and every week to come that has launches, with the first names of each."""
    since = weeks.week_of(at) - CALENDAR_WEEKS_BACK * weeks.WEEK
    rows = (
        Launch.objects.filter(site=site, week__gte=since, is_hidden=False)
        .annotate(
            place=Window(
                RowNumber(),
                partition_by=[F("week")],
                order_by=["-votes", "launched_at", "booked_at", "listing"],
            ),
            launches=Window(Count("pk"), partition_by=[F("week")]),
        )
        .filter(place__lte=CALENDAR_NAMES)
        .order_by("week", "place")
        .values_list("week", "launches", "listing__name")
    )
    result: dict[date, tuple[int, list[str]]] = {}
    for week, launches, name in rows:
        result.setdefault(week, (launches, []))[1].append(name)
    return [
        Week(week=week, launches=launches, names=names, url=on_site(f"/weeks/{week}"))
        for week, (launches, names) in result.items()
    ]
