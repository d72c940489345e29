"""One row of a file that staff import, written as if they had typed it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from core.cache import changed
from core.domains import domain_of, host_of
from directory.models import Category, Listing
from directory.services import public_data
from directory.services.categorising import move_category
from directory.services.staff_edit import StaffEdit


@transaction.atomic
def put_category(*, slug: str, values: Mapping[str, Any], at: datetime) -> Category:
    """Make a category or change its name, place and description; where it hangs is `hang_category`'s."""
    category, is_new = Category.objects.get_or_create(slug=slug, defaults=dict(values))
    if not is_new and values:
        Category.objects.filter(pk=category.pk).update(**values)
        if "name" in values:
            public_data.plan_category_refresh(category_id=category.pk, at=at)
    changed("categories")
    changed("listings")
    return category


@transaction.atomic
def hang_category(*, slug: str, under: str, at: datetime) -> None:
    """Put a category under another, or at the top. Raises CategoryCannotMoveError where the tree would be none."""
    category = Category.objects.get(slug=slug)
    parent = Category.objects.get(slug=under) if under else None
    move_category(category_id=category.pk, parent_id=parent.pk if parent else None, at=at)


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
