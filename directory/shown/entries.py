"""What feeds hold, and feeds as Atom (RFC 4287), JSON Feed 1.1 and iCalendar (RFC 5545)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from xml.etree import ElementTree

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

ATOM = "http://www.w3.org/2005/Atom"
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LISTED = 50
AWARD_WEEKS, AWARD_PLACES = 12, 10
CALENDAR_WEEKS_BACK, CALENDAR_NAMES = 4, 20


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One piece of news. `id` never changes; `url` is where to read it."""

    id: str
    title: str
    url: str
    text: str
    published: datetime
    updated: datetime
    author: str = ""
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Feed:
    """News, newest first. `url` is the feed's own address in each form, `page_url` the page it belongs to."""

    title: str
    subtitle: str
    base_url: str
    page_url: str
    entries: Sequence[Entry]
    empty_since: datetime

    @property
    def updated(self) -> datetime:
        return max((entry.updated for entry in self.entries), default=self.empty_since)


@dataclass(frozen=True, kw_only=True)
class Week:
    week: date
    launches: int
    names: Sequence[str]
    url: str


def _time(at: datetime) -> str:
    return at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def atom(feed: Feed) -> bytes:
    url = f"{feed.base_url}.atom"
    root = ElementTree.Element("feed", xmlns=ATOM)
    _add(root, "id", url)
    _add(root, "title", feed.title)
    _add(root, "subtitle", feed.subtitle)
    _add(root, "updated", _time(feed.updated))
    _add(root, "link", rel="self", type="application/atom+xml", href=url)
    _add(root, "link", rel="alternate", type="text/html", href=feed.page_url)
    for entry in feed.entries:
        _add_entry(root, entry, feed=feed)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _add_entry(root: ElementTree.Element, entry: Entry, *, feed: Feed) -> None:
    node = _add(root, "entry")
    _add(node, "id", entry.id)
    _add(node, "title", entry.title)
    _add(node, "link", rel="alternate", type="text/html", href=entry.url)
    _add(node, "published", _time(entry.published))
    _add(node, "updated", _time(entry.updated))
    _add(_add(node, "author"), "name", entry.author or feed.title)
    for category in entry.categories:
        _add(node, "category", term=category)
    _add(node, "content", entry.text, type="text")


def _add(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    node = ElementTree.SubElement(parent, name, {key: _clean(value) for key, value in attributes.items()})
    node.text = _clean(text) or None
    return node


def _clean(text: str) -> str:
    return NOT_XML.sub("", text)


def json_feed(feed: Feed) -> dict[str, Any]:
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "description": feed.subtitle,
        "home_page_url": feed.page_url,
        "feed_url": f"{feed.base_url}.json",
        "language": "en",
        "items": [
            {
                "id": entry.id,
                "url": entry.url,
                "title": _clean(entry.title),
                "content_text": _clean(entry.text),
                "date_published": _time(entry.published),
                "date_modified": _time(entry.updated),
                "authors": [{"name": entry.author or feed.title}],
                "tags": list(entry.categories),
            }
            for entry in feed.entries
        ],
    }


def calendar(*, name: str, host: str, launch_weeks: Sequence[Week]) -> bytes:
    from icalendar import Calendar, Event  # noqa: PLC0415  (2 MB in each process, for those who ask for a calendar)

    result = Calendar()
    result.add("prodid", f"-//{name}//Launch weeks//EN")
    result.add("version", "2.0")
    result.add("method", "PUBLISH")
    result.add("x-wr-calname", f"{name}: launch weeks")
    for entry in launch_weeks:
        event = Event()
        event.add("uid", f"week-{entry.week}@{host}")
        event.add("dtstamp", weeks.start(entry.week))
        event.add("dtstart", entry.week)
        event.add("dtend", entry.week + weeks.WEEK)
        event.add("summary", f"{entry.launches} {'launch' if entry.launches == 1 else 'launches'} on {name}")
        event.add("description", "\n".join(entry.names))
        event.add("url", entry.url)
        event.add("transp", "TRANSPARENT")
        result.add_component(event)
    return result.to_ical()


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
