"""Rows of a file that staff import, written as if they had typed them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from core.cache import changed
from core.domains import domain_of, host_of
from directory.categories import naming
from directory.errors import CategoryCannotMoveError
from directory.listings.editing import StaffEdit
from directory.models import Category, Listing
from directory.search import public_data

PLAIN, AT_ONCE = ("name", "position", "description"), 200


@transaction.atomic
def put_categories(*, values: Mapping[str, Mapping[str, Any]], at: datetime) -> None:
    """Make categories or change them, by slug; their `parent` is a slug too, or empty at the top.

    Raises CategoryCannotMoveError where the tree would be none once all of them are in place.
    """
    there = {row.slug: row for row in Category.objects.select_for_update().order_by("pk")}
    before = {slug: (row.name, row.parent_id) for slug, row in there.items()}
    made = [Category(slug=slug, name=cells["name"]) for slug, cells in values.items() if slug not in there]
    there |= {row.slug: row for row in Category.objects.bulk_create(made)}
    for slug, cells in values.items():
        _fill(there, slug, cells)
    above = {row.pk: row.parent_id for row in there.values()}
    for slug in values:
        _refuse_round(there[slug], above)
    rows = [there[slug] for slug in values]
    Category.objects.bulk_update(rows, [*PLAIN, "parent"], batch_size=AT_ONCE)
    existing = [row for row in rows if row.slug in before]
    for row in existing:
        if before[row.slug] != (row.name, row.parent_id):
            public_data.plan_category_refresh(category_id=row.pk, at=at)
    renamed = {before[row.slug][0]: row for row in existing if before[row.slug][0] != row.name}
    newly = [row.pk for row in [*made, *renamed.values()]]
    naming.tell_renamed({name: row.name for name, row in renamed.items()}, renamed=newly)
    changed("categories")
    changed("listings")


def _fill(there: Mapping[str, Category], slug: str, values: Mapping[str, Any]) -> None:
    row = there[slug]
    for name in values.keys() & set(PLAIN):
        setattr(row, name, values[name])
    parent = values.get("parent")
    if parent and parent not in there:
        raise CategoryCannotMoveError(f"{row.name} cannot be under {parent}, which is there no more.")
    if parent is not None:
        row.parent = there[parent] if parent else None


def _refuse_round(row: Category, above: Mapping[int, int | None]) -> None:
    seen, pk = {row.pk}, row.parent_id
    while pk is not None:
        if pk in seen:
            raise CategoryCannotMoveError(f"{row.name} cannot be under itself.")
        seen.add(pk)
        pk = above.get(pk)


@dataclass(frozen=True, kw_only=True)
class NewListing:
    """A listing that a file makes: where, whose, and what it states."""

    site_id: int
    slug: str
    owner_id: int | None
    values: Mapping[str, Any]


@transaction.atomic
def make_listings(*, made: Sequence[NewListing], at: datetime) -> None:
    """Make listings that are not public yet, as staff's form does, in as many statements as one needs."""
    rows = Listing.objects.bulk_create(
        Listing(
            site_id=entry.site_id,
            slug=entry.slug,
            owner_id=entry.owner_id,
            domain=domain_of(entry.values["url"]),
            host=host_of(entry.values["url"]),
            created_at=at,
            updated_at=at,
            **entry.values,
        )
        for entry in made
    )
    public_data.refresh(listing_ids=[row.pk for row in rows])


@transaction.atomic
def edit_listings(*, values: Mapping[int, Mapping[str, Any]], staff_id: int, at: datetime) -> None:
    """Change facts by listing, kept with both sides. Raises InvalidRequestError when one lost what it must have."""
    edit = StaffEdit(listing_ids=values)
    for listing_id, cells in values.items():
        Listing.objects.filter(pk=listing_id).update(**cells, updated_at=at)
    edit.close(staff_id=staff_id, at=at)
