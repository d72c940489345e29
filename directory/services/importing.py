"""Rows of a file that staff import, written as if they had typed them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from core.cache import changed
from core.domains import domain_of, host_of
from directory.errors import CategoryCannotMoveError
from directory.models import Category, Listing
from directory.services import public_data
from directory.services.staff_edit import StaffEdit

PLAIN, AT_ONCE = ("name", "position", "description"), 200


@transaction.atomic
def put_categories(*, values: Mapping[str, Mapping[str, Any]], at: datetime) -> None:
    """Make categories or change them, by slug; their `parent` is a slug too, or empty at the top.

    Raises CategoryCannotMoveError where the tree would be none once all of them are in place.
    """
    there = {row.slug: row for row in Category.objects.select_for_update().order_by("pk")}
    before = {slug: (row.name, row.parent_id) for slug, row in there.items()}
    made = [Category(slug=slug, name=given["name"]) for slug, given in values.items() if slug not in there]
    there |= {row.slug: row for row in Category.objects.bulk_create(made)}
    for slug, given in values.items():
        _fill(there, slug, given)
    above = {row.pk: row.parent_id for row in there.values()}
    for slug in values:
        _refuse_round(there[slug], above)
    rows = [there[slug] for slug in values]
    Category.objects.bulk_update(rows, [*PLAIN, "parent"], batch_size=AT_ONCE)
    for slug in values.keys() & before.keys():
        if before[slug] != (there[slug].name, there[slug].parent_id):
            public_data.plan_category_refresh(category_id=there[slug].pk, at=at)
    changed("categories")
    changed("listings")


def _fill(there: Mapping[str, Category], slug: str, given: Mapping[str, Any]) -> None:
    row = there[slug]
    for name in given.keys() & set(PLAIN):
        setattr(row, name, given[name])
    parent = given.get("parent")
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


@transaction.atomic
def make_listing(
    *, site_id: int, slug: str, owner_id: int | None, values: Mapping[str, Any], at: datetime
) -> Listing:
    """Make a listing that is not public yet, as staff's form does."""
    listing = Listing.objects.create(
        site_id=site_id,
        slug=slug,
        owner_id=owner_id,
        domain=domain_of(values["url"]),
        host=host_of(values["url"]),
        created_at=at,
        updated_at=at,
        **values,
    )
    public_data.refresh(listing_ids=[listing.pk])
    return listing


@transaction.atomic
def edit_listing(*, listing_id: int, values: Mapping[str, Any], staff_id: int, at: datetime) -> None:
    """Change facts, kept with both sides. Raises InvalidRequestError when the listing lost what it must have."""
    edit = StaffEdit(listing_id=listing_id)
    Listing.objects.filter(pk=listing_id).update(**values, updated_at=at)
    edit.close(staff_id=staff_id, at=at)
