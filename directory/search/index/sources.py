"""What is read of a listing to prepare its public rows."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, QuerySet

from directory.models import Category, Listing, ListingCategory


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
        """These categories and all above them, each once."""
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
