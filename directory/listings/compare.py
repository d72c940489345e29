"""Two listings side by side, by the attributes that their categories ask for; and what to look at instead of one."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Now

from core.api.errors import FieldError, InvalidRequestError
from core.api.links import on_site
from core.postgresql.base import fetch_row
from directory.errors import ListingNotFoundError, ListingUnknownError
from directory.listings.profile import ALTERNATIVES_LISTED
from directory.listings.sources import quoted
from directory.models import Category, FeaturedPlace, Listing, ListingCategory, Site
from directory.search.cards import summaries, summary

Attribute = Mapping[str, Any]
Cell = dict[str, Any]
Statement = tuple[str, str]
SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
VALUE_LETTERS, TEXT_READ = 300, 3000
# A large category is met soon when all listings are walked from the most voted down, a small one is sorted sooner.
# Scalar sub-queries, because joins could be turned round to read everything first.
NEIGHBOURS = """
WITH asked AS MATERIALIZED (
    SELECT l.id, f.category_id, coalesce(c.listings, 0) AS filed, coalesce(t.live, 0) AS live
    FROM directory_listing AS l
    LEFT JOIN directory_listingcategory AS f ON f.listing_id = l.id AND f.position = 0
    LEFT JOIN directory_categorycount AS c ON c.site_id = l.site_id AND c.category_id = f.category_id
    LEFT JOIN directory_sitecount AS t ON t.site_id = l.site_id
    WHERE l.site_id = %(site)s AND l.slug = %(slug)s AND l.status IN ('live', 'scheduled')
), chosen AS MATERIALIZED (
    SELECT ARRAY(
        SELECT a.alternative_id
        FROM directory_alternative AS a JOIN directory_listingstats AS s ON s.listing_id = a.alternative_id
        WHERE a.listing_id = asked.id AND a.approved AND s.site_id = %(site)s AND s.is_live
        ORDER BY s.votes DESC, s.listing_id LIMIT %(most)s
    ) AS ids FROM asked
)
SELECT chosen.ids, CASE WHEN %(most)s * asked.live < asked.filed * asked.filed::bigint
    THEN ARRAY(
        SELECT s.listing_id FROM directory_listingstats AS s
        WHERE s.site_id = %(site)s AND s.is_live AND s.listing_id <> asked.id AND s.listing_id <> ALL(chosen.ids)
            AND (
                SELECT f.position = 0 FROM directory_listingcategory AS f
                WHERE f.listing_id = s.listing_id AND f.category_id = asked.category_id
            )
        ORDER BY s.votes DESC, s.listing_id LIMIT %(most)s
    )
    ELSE ARRAY(
        SELECT filed.listing_id
        FROM (
            SELECT f.listing_id, (
                SELECT s.votes FROM directory_listingstats AS s
                WHERE s.listing_id = f.listing_id AND s.site_id = %(site)s AND s.is_live
            ) AS votes
            FROM directory_listingcategory AS f
            WHERE f.category_id = asked.category_id AND f.position = 0
                AND f.listing_id <> asked.id AND f.listing_id <> ALL(chosen.ids)
        ) AS filed
        WHERE filed.votes IS NOT NULL
        ORDER BY filed.votes DESC, filed.listing_id LIMIT %(most)s
    )
END
FROM asked, chosen
"""


def compare_listings(*, site: Site, a: str, b: str) -> dict[str, Any]:
    """Two live listings by the attributes of their categories; a cell is null where nothing is stated.

    Raises ListingUnknownError for a slug without a live listing, InvalidRequestError for one listing twice.
    """
    if a == b:
        error = FieldError(code="same_listing", parameter="b", message="Name another listing than a.")
        raise InvalidRequestError("A listing cannot be compared with itself.", errors=[error])
    result = comparison(site=site, a=a, b=b)
    for group in result["groups"]:
        group["rows"] = [
            {**row, "a": _public_cell(row["a"]), "b": _public_cell(row["b"])} for row in group["rows"]
        ]
    return result


def _public_cell(cell: Cell | None) -> Cell | None:
    """A cell as the interface has it: what is not quoted counts as the owner's."""
    return cell and {"value": cell["value"], "source": "website" if cell["source"] == "website" else "owner"}


def comparison(*, site: Site, a: str, b: str) -> dict[str, Any]:
    """The same, each cell with the fact it comes from and the quotes for it. Raises ListingUnknownError."""
    result = {listing.slug: listing for listing in _listings(site, (a, b))}
    missing = [(name, slug) for name, slug in (("a", a), ("b", b)) if slug not in result]
    if missing:
        raise ListingUnknownError(
            "There is no such live listing.",
            errors=[
                FieldError(
                    code="listing_unknown", parameter=name, message=f"No live listing is called {slug}."
                )
                for name, slug in missing
            ],
        )
    first, second = result[a], result[b]
    return {
        "a": _card(first),
        "b": _card(second),
        "groups": _groups(first, second),
        "page_url": on_site(f"/compare?{urlencode({'a': a, 'b': b})}"),
    }


def _listings(site: Site, slugs: tuple[str, str]) -> QuerySet[Any]:
    primary = ListingCategory.objects.filter(listing=OuterRef("pk"), position=0).values("category")
    result = Listing.objects.live().filter(site=site, slug__in=slugs).select_related("card", "stats")
    is_featured = Exists(
        FeaturedPlace.objects.filter(listing=OuterRef("pk"), begins_at__lte=Now(), ends_at__gt=Now())
    )
    return result.annotate(primary=Subquery(primary), is_featured=is_featured)


def _card(listing: Any) -> dict[str, Any]:
    stats = listing.stats
    return summary((listing.card.body, stats.votes, stats.followers, stats.views, listing.is_featured))


def _groups(first: Any, second: Any) -> list[dict[str, Any]]:
    seen: set[str] = set()
    groups = []
    for category in _categories(first, second):
        fresh = [attribute for attribute in category.attributes if attribute["key"] not in seen]
        seen |= {attribute["key"] for attribute in fresh}
        if fresh:
            rows = [_row(attribute, first, second) for attribute in fresh]
            groups.append({"category": category.name, "rows": rows})
    return groups


def _categories(first: Any, second: Any) -> list[Category]:
    """The primary categories of both with everything above them, roots first, each once."""
    existing = {category.pk: category for category in Category.objects.defer("faqs", "terms", "description")}
    chains: list[list[Category]] = []
    for listing in (first, second):
        chain: list[Category] = []
        pk = listing.primary
        while pk is not None and existing[pk] not in chain:
            chain.append(existing[pk])
            pk = existing[pk].parent_id
        chains.append(chain[::-1])
    return list(dict.fromkeys(category for chain in chains for category in chain))


def _row(attribute: Attribute, first: Listing, second: Listing) -> dict[str, Any]:
    a, b = cell(attribute, first), cell(attribute, second)
    values = [_plain(stated["value"]) for stated in (a, b) if stated is not None]
    same = values[0] == values[1] if len(values) == 2 else None  # unknown is never false
    return {"attribute": attribute["label"], "a": a, "b": b, "same": same}


def _plain(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def cell(attribute: Attribute, listing: Listing) -> Cell | None:
    result = READERS[attribute["kind"]](attribute, listing)
    if result is None:
        return None
    value, field = result
    quotes = listing.evidence.get(field, [])
    return {
        "value": value,
        "source": "website" if quotes else "owner" if listing.owner_id else "staff",
        "field": field,
        "quotes": quoted([str(value)], quotes)[0] or quotes,
    }


def _column(attribute: Attribute, listing: Listing) -> tuple[Any, str] | None:
    for field in attribute["fields"]:
        if value := getattr(listing, field):
            return value, field
    return None


def _stated(attribute: Attribute, listing: Listing) -> tuple[str, str] | None:
    """The first statement that says it, in the listing's own words."""
    accepted = {word.casefold() for word in attribute.get("equals") or ()}
    pattern = _pattern(attribute["phrases"])
    for text, field in _statements(attribute, listing):
        if text.casefold() in accepted or pattern.search(text):
            return text[:VALUE_LETTERS], field
    return None


def _chosen(attribute: Attribute, listing: Listing) -> tuple[str, str] | None:
    patterns = {label: _pattern(phrases) for label, phrases in attribute["choices"].items()}
    named: dict[str, str] = {}
    for text, field in _statements(attribute, listing):
        for label, pattern in patterns.items():
            if label not in named and pattern.search(text):
                named[label] = field
    if not named:
        return None
    labels = [label for label in patterns if label in named]
    return ", ".join(labels), named[labels[0]]


def _lines(attribute: Attribute, listing: Listing) -> tuple[str, str] | None:
    pattern = _pattern(attribute["phrases"])
    rows = [(text, field) for text, field in _statements(attribute, listing) if pattern.search(text)]
    if not rows:
        return None
    return "; ".join(text for text, _ in rows)[:VALUE_LETTERS], rows[0][1]


def _statements(attribute: Attribute, listing: Listing) -> Iterator[Statement]:
    for field in attribute["fields"]:
        value = getattr(listing, field)
        texts = value if isinstance(value, list) else SENTENCE.split(str(value or "")[:TEXT_READ])
        yield from ((text.strip(), field) for text in texts if text.strip())


def _pattern(phrases: list[str]) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, phrases)) + r")(?!\w)", re.IGNORECASE)


READERS = {
    "text": _column,
    "year": _column,
    "link": _column,
    "stated": _stated,
    "choices": _chosen,
    "lines": _lines,
}


def get_alternatives(*, site: Site, slug: str) -> list[dict[str, Any]]:
    """The owner's own choice first, then live listings of the same primary category, most voted first.

    Raises ListingNotFoundError unless the listing is live or upcoming.
    """
    values = {"site": site.pk, "slug": slug, "most": ALTERNATIVES_LISTED}
    approved, others = ListingNotFoundError.unless(fetch_row(NEIGHBOURS, values), "listing")
    cards = summaries(listing_ids=[*approved, *others][:ALTERNATIVES_LISTED])
    return [{**card, "approved": place < len(approved)} for place, card in enumerate(cards)]
