"""What is in the files: the columns of each table with their words, and where its rows come from.

Only what public pages show of live listings: no account, no address of a person, no founder, no voter.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.api.links import on_site
from directory.categories.tree import Node, category_tree
from directory.models import Listing, Site
from directory.search.cards import summaries
from leaderboards.models import Award, WeekResult

AT_ONCE = 500
Rows = Iterator[Sequence[dict[str, Any]]]


@dataclass(frozen=True, kw_only=True)
class Table:
    """One file's worth: its rows come in batches, each with statements of its own."""

    name: str
    title: str
    columns: dict[str, str]
    batches: Callable[[Site], Rows]


def _listings(site: Site) -> Rows:
    last = 0
    live = Listing.objects.live().filter(site=site).order_by("pk")
    while ids := list(live.filter(pk__gt=last).values_list("pk", flat=True)[:AT_ONCE]):
        yield [_listing(card) for card in summaries(listing_ids=ids)]
        last = ids[-1]


def _listing(card: dict[str, Any]) -> dict[str, Any]:
    slugs = {
        "categories": [category["slug"] for category in card["categories"]],
        "awards": [f"{award['code']} {award['week']}" for award in card["awards"]],
    }
    return {name: {**card, **slugs}[name] for name in LISTING}


def _categories(site: Site) -> Rows:
    yield list(_flat(category_tree(site=site, include_empty=True)))


def _flat(nodes: Sequence[Node]) -> Iterator[dict[str, Any]]:
    for node in nodes:
        page = {"page_url": on_site(f"/categories/{node['slug']}")}
        yield {name: {**node, **page}[name] for name in CATEGORY}
        yield from _flat(node["children"])


def _weeks(site: Site) -> Rows:
    last = 0
    final = WeekResult.objects.filter(close__site=site, listing__in=Listing.objects.live()).order_by("pk")
    columns = ("pk", "close__week", "rank", "listing__slug", "listing__name", "votes")
    while rows := list(final.filter(pk__gt=last).values_list(*columns)[:AT_ONCE]):
        yield [dict(zip(WEEK, row[1:], strict=True)) for row in rows]
        last = rows[-1][0]


def _awards(site: Site) -> Rows:
    last = 0
    won = Award.objects.of_weeks().filter(site=site, listing__in=Listing.objects.live()).order_by("pk")
    while rows := list(won.filter(pk__gt=last).select_related("listing")[:AT_ONCE]):
        yield [_award(award) for award in rows]
        last = rows[-1].pk


def _award(award: Award) -> dict[str, Any]:
    row = {**award.in_short(), "listing": award.listing.slug, "name": award.listing.name}
    return {name: row[name] for name in AWARD}


LISTING = {
    "slug": "Its name in addresses",
    "name": "Its name",
    "tagline": "What it is, in a line",
    "short_description": "What it is, in a few lines; empty where nothing is stated",
    "url": "The product's own website",
    "logo_url": "Its logo",
    "categories": "Slugs of its categories, the primary one first",
    "pricing_model": "How it is paid for",
    "country": "Where the company is, ISO 3166-1",
    "stage": "How far it is",
    "votes": "Votes of all time",
    "followers": "How many follow it",
    "views": "How often its page was opened",
    "domain_rating": "Domain Rating, 0 to 100",
    "launch_week": "The Monday of its launch week",
    "launched_at": "When it went live, UTC",
    "plan": "free or paid",
    "featured": "Whether it stands in a paid place now",
    "claimed": "Whether somebody proved that it is theirs",
    "awards": "What it won, each with its week",
    "page_url": "Its page here",
    "updated_at": "When it last changed, UTC",
}
CATEGORY = {
    "slug": "Its name in addresses",
    "name": "Its name",
    "description": "What belongs in it",
    "parent": "Slug of the category above it",
    "listings_count": "Live listings in it",
    "total_listings_count": "The same with its subcategories",
    "page_url": "Its page here",
}
WEEK = {
    "week": "The Monday of a closed launch week",
    "rank": "The final place",
    "listing": "Slug of the listing",
    "name": "Its name",
    "votes": "Votes of that week that counted",
}
AWARD = {
    "id": "The award's number",
    "code": "Its code in the API",
    "title": "What it is called",
    "week": "The Monday of its week",
    "rank": "1, 2 or 3",
    "votes": "Votes of that week that counted",
    "listing": "Slug of the listing that won it",
    "name": "The listing's name",
}
TABLES = {
    table.name: table
    for table in (
        Table(name="listings", title="Live listings", columns=LISTING, batches=_listings),
        Table(name="categories", title="Categories", columns=CATEGORY, batches=_categories),
        Table(name="weeks", title="Final places of closed weeks", columns=WEEK, batches=_weeks),
        Table(name="awards", title="Awards", columns=AWARD, batches=_awards),
    )
}
