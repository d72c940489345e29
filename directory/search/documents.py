"""The prepared rows of one listing: what is read of it, its card and its row of the search.

They are built in the application, so that edits and rebuilds can never differ.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any, NamedTuple

import orjson
from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import F, OuterRef, QuerySet

from core.domains import registrable
from directory.models import Category, Listing, ListingCategory
from directory.search import lexemes
from directory.search.lexemes import DESCRIPTION, KEYWORDS, NAME, SAMPLE_OF, SHORT, TAGLINE
from directory.search.words import hyphenated, words_of, written_apart


class Source(NamedTuple):
    """One listing's facts, as far as lists and search show them."""

    id: int
    site_id: int
    status: str
    slug: str
    name: str
    tagline: str
    short_description: str
    description: str
    url: str
    domain: str
    host: str
    logo_url: str
    logo: str
    pricing_model: str
    country: str
    stage: str
    keywords: list[str]
    tags: list[str]
    plan: str
    claimed_by_method: str
    awards: list[dict[str, Any]]
    domain_rating: int | None
    featured_until: datetime | None
    launch_week: date | None
    launched_at: datetime | None
    created_at: datetime
    updated_at: datetime
    category_ids: list[int]
    votes: int | None
    tier: int | None = None

    @property
    def public_status(self) -> str:
        """live, upcoming, or nothing when it is not public."""
        return {Listing.Status.LIVE.value: "live", Listing.Status.SCHEDULED.value: "upcoming"}.get(
            self.status, ""
        )


@dataclass(frozen=True)
class Tree:
    """The category tree: what categories are called, and what each lies in, itself included."""

    names: dict[int, tuple[str, str]]
    above: dict[int, tuple[int, ...]]

    def lineage(self, category_ids: Collection[int]) -> list[int]:
        return sorted({above for pk in category_ids for above in self.above.get(pk, ())})


def category_tree() -> Tree:
    rows = list(Category.objects.values_list("pk", "slug", "name", "parent_id"))
    parents = {pk: parent for pk, _, _, parent in rows}
    return Tree(
        names={pk: (slug, name) for pk, slug, name, _ in rows},
        above={pk: tuple(_upwards(pk, parents)) for pk in parents},
    )


def _upwards(pk: int | None, parents: Mapping[int, int | None]) -> Iterator[int]:
    seen: set[int] = set()
    while pk is not None and pk not in seen:
        seen.add(pk)
        yield pk
        pk = parents.get(pk)


def sources(listings: QuerySet[Listing]) -> list[Source]:
    """What is read of these listings, in the order of their ids."""
    filed = ListingCategory.objects.filter(listing=OuterRef("pk")).order_by("position").values("category_id")
    rows = listings.order_by("pk").annotate(
        category_ids=ArraySubquery(filed), votes=F("stats__votes"), tier=F("search_document__tier")
    )
    return [Source(*row) for row in rows.values_list(*Source._fields)]


class Card(NamedTuple):
    listing_id: int
    body: str
    featured_until: datetime | None
    counted_as: str
    counted_in: list[int]
    counted_below: list[int]


def moment(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def card(source: Source, *, tree: Tree, media_url: str) -> Card:
    """The card of a listing. What depends on votes or on the clock is filled in when it is read."""
    is_live = source.public_status == "live"
    body = {
        "slug": source.slug,
        "name": source.name,
        "tagline": source.tagline or None,
        "short_description": source.short_description or None,
        "url": source.url,
        "logo_url": f"{media_url}{source.logo}" if source.logo else source.logo_url or None,
        "categories": [
            {"slug": slug, "name": name, "primary": number == 0}
            for number, (slug, name) in enumerate(tree.names[pk] for pk in source.category_ids)
        ],
        "pricing_model": source.pricing_model or None,
        "country": source.country or None,
        "stage": source.stage or None,
        "votes": 0,
        "followers": 0,
        "views": 0,
        "domain_rating": source.domain_rating,
        "status": source.public_status or source.status,
        "launch_week": source.launch_week and source.launch_week.isoformat(),
        "launched_at": moment(source.launched_at),
        "plan": source.plan,
        "featured": False,
        "claimed": source.claimed_by_method != "",
        "awards": [{"code": award["code"], "week": award["week"]} for award in source.awards],
        "page_url": f"/listings/{source.slug}",
        "api_url": f"/api/v1/listings/{source.slug}",
        "updated_at": moment(source.updated_at),
    }
    return Card(
        listing_id=source.id,
        body=orjson.dumps(body).decode(),
        featured_until=source.featured_until,
        counted_as=source.public_status,
        counted_in=sorted(source.category_ids) if is_live else [],
        counted_below=tree.lineage(source.category_ids) if is_live else [],
    )


POSITIONS = [
    ",".join(f"{number}{weight}" for number, weight in enumerate("ABCD", 1) if mask & (1 << (number - 1)))
    for mask in range(16)
]
SEARCH_NAME = 200
STEMS_CACHED = 400_000


class Document(NamedTuple):
    listing_id: int
    part: str
    name: str
    newest_at: datetime
    tier: int
    popularity: float
    filters: list[str]
    short: str
    words: str


STEMS = "SELECT word, coalesce((ts_lexize('english_stem', word))[1], '') FROM unnest(%s::text[]) AS word"


class Stems:
    """English stems as PostgreSQL's dictionary makes them, cached for the next text; empty for stop words."""

    def __init__(self) -> None:
        self._stems: dict[str, str] = {}

    def learn(self, words: Iterable[str]) -> None:
        """Ask for all that is not known yet, at once."""
        unknown = [word for word in words if word not in self._stems]
        if not unknown:
            return
        if len(self._stems) > STEMS_CACHED:
            self._stems.clear()
            unknown = list(words)
        with connection.cursor() as cursor:
            cursor.execute(STEMS, [unknown])
            self._stems.update(cursor.fetchall())

    def of(self, word: str) -> str:
        return self._stems[word]


def fields_of(source: Source) -> dict[str, int]:
    """The words of a listing and the fields each stands in, as a mask."""
    result: dict[str, int] = {}
    texts = (
        (NAME, source.name),
        (TAGLINE, source.tagline),
        (KEYWORDS, " ".join((*source.keywords, *source.tags))),
        (DESCRIPTION, f"{source.short_description} {source.description}"),
    )
    for field, text in texts:
        words = words_of(text)
        joined = [first + second for first, second in pairwise(words)] if field == NAME else []
        joined += written_apart(words) if field & SHORT else []
        for word in (*words, *joined, *hyphenated(text)):
            result[word] = result.get(word, 0) | field
    return {word: mask for word, mask in result.items() if mask & NAME or len(word) > 1}


def search_name(name: str) -> str:
    """A name as searches compare it: its words and nothing else."""
    return " ".join(words_of(name))[:SEARCH_NAME]


def filters_of(source: Source, *, tree: Tree) -> list[str]:
    filters = [lexemes.in_category(pk) for pk in tree.lineage(source.category_ids)]
    hosts = {source.domain, source.host, registrable(source.host)}
    filters += [lexemes.of_domain(host) for host in sorted(hosts)]
    if source.country:
        filters.append(lexemes.of_country(source.country))
    if source.stage:
        filters.append(lexemes.at_stage(source.stage))
    if source.pricing_model:
        filters.append(lexemes.with_pricing(source.pricing_model))
    return filters


def lexeme_masks(fields: dict[str, int], *, stems: Stems) -> dict[str, int]:
    """Words and the stems that differ from them, with the fields of each. Stop words stay in names only."""
    result: dict[str, int] = {}
    for word, whole_mask in fields.items():
        stem = stems.of(word)
        mask = whole_mask if stem else whole_mask & NAME
        if stem and stem != word:
            result[lexemes.STEM + stem] = result.get(lexemes.STEM + stem, 0) | mask
        if mask:
            result[lexemes.WORD + word] = mask
    return result


def document(source: Source, *, masks: dict[str, int], filters: list[str], tier: int) -> Document:
    part = lexemes.part_of(site_id=source.site_id, status=source.public_status, tier=tier)
    parts = [part]
    if source.public_status == "live" and source.id % SAMPLE_OF == 0:
        parts.append(lexemes.sample_of(site_id=source.site_id))
    short = (
        f"'{lexeme.removeprefix(lexemes.WORD)}':{POSITIONS[mask & SHORT]}"
        for lexeme, mask in masks.items()
        if mask & SHORT
    )
    words = [f"'{entry}{lexeme}':{POSITIONS[mask]}" for entry in parts for lexeme, mask in masks.items()]
    words += [lexemes.quoted(entry + mark) for entry in parts for mark in filters]
    return Document(
        listing_id=source.id,
        part=part,
        name=search_name(source.name),
        newest_at=source.launched_at or source.created_at,
        tier=tier,
        popularity=math.log((source.votes or 0) + 1),
        filters=filters,
        short=" ".join(short),
        words=" ".join(words),
    )
