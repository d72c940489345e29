"""What a shop has to know of a person's listings, read in one statement."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from core.postgresql.base import Row, fetch_all
from directory.addresses import product_address
from directory.facts import lacking
from directory.models import Listing

SELLABLE = """
SELECT own.id, own.site_id, own.status, own.plan, own.launch_week, own.url, own.name, own.tagline,
    own.short_description,
    ARRAY(
        SELECT category.slug::text FROM directory_listingcategory AS filed
        JOIN directory_category AS category ON category.id = filed.category_id
        WHERE filed.listing_id = own.id ORDER BY filed.position
    ),
    (SELECT count(*) FROM directory_listingcategory WHERE listing_id = own.id AND is_bought)::int,
    ARRAY(SELECT week FROM directory_launch WHERE listing_id = own.id ORDER BY id),
    ARRAY(SELECT kind::text FROM directory_launch WHERE listing_id = own.id ORDER BY id),
    ARRAY(
        SELECT ARRAY[twin.slug, twin.name, twin.url]::text[] FROM directory_listing AS twin
        WHERE twin.site_id = own.site_id AND twin.host = own.host AND twin.status = 'live' AND twin.id <> own.id
        ORDER BY twin.id
    )
FROM directory_listing AS own
WHERE own.id = ANY(%(ids)s::bigint[]) AND (
    own.owner_id = %(user)s::bigint
    OR EXISTS (
        SELECT FROM directory_listing_co_owners AS shared
        WHERE shared.listing_id = own.id AND shared.user_id = %(user)s::bigint
    )
)
"""


@dataclass(frozen=True, kw_only=True)
class Sellable:
    """A listing as a shop sees it. `twin` is the slug and name of another that is live at its address."""

    pk: int
    site_id: int
    status: str
    plan: str
    launch_week: date | None
    missing: Sequence[str]
    categories: Sequence[str]
    categories_bought: int
    launches: Sequence[tuple[date, str]]
    twin: tuple[str, str] | None

    @property
    def is_live(self) -> bool:
        return self.status == Listing.Status.LIVE


def sellable_listings(*, ids: Iterable[int], user_id: int) -> dict[int, Sellable]:
    rows = fetch_all(SELLABLE, {"ids": sorted(ids), "user": user_id})
    return {row[0]: _sellable(row) for row in rows}


def _sellable(row: Row) -> Sellable:
    pk, site_id, status, plan, launch_week, url, *others = row
    name, tagline, short, categories, bought, booked, kinds, twins = others
    facts = {"name": name, "tagline": tagline, "short_description": short, "categories": categories}
    address = product_address(url) if twins else ""
    same = ((slug, other) for slug, other, where in twins if product_address(where) == address)
    return Sellable(
        pk=pk,
        site_id=site_id,
        status=status,
        plan=plan,
        launch_week=launch_week,
        missing=lacking(facts),
        categories=categories,
        categories_bought=bought,
        launches=list(zip(booked, kinds, strict=True)),
        twin=next(same, None),
    )
