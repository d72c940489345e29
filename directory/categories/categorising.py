"""Staff shape the tree: a category moves under another, or is merged into it and its address leads there."""

from datetime import datetime

from django.db import transaction

from core import jobs
from core.cache import changed
from directory.errors import CannotUndoError, CategoryCannotMoveError
from directory.models import Category, FormerSlug, ListingCategory, Undo
from directory.search import public_data
from directory.undoing import close, unused

AT_ONCE = 500


@transaction.atomic
def move_category(*, category_id: int, parent_id: int | None, at: datetime) -> Category:
    """Hang a category under another, or under none. Raises CategoryCannotMoveError where the tree would be none."""
    rows = {category.pk: category for category in Category.objects.select_for_update().order_by("pk")}
    category = rows[category_id]
    above = parent_id
    while above is not None:
        if above == category_id:
            raise CategoryCannotMoveError(f"{category.name} cannot be under itself. Nothing was changed.")
        above = rows[above].parent_id
    category.parent_id = parent_id
    category.save(update_fields=["parent"])
    public_data.plan_category_refresh(category_id=category_id, at=at)
    changed("categories")
    return category


@transaction.atomic
def merge_category(*, category_id: int, into_id: int, at: datetime) -> Undo:
    """File the listings of a category in another and lead its address there; what is below it comes along.

    The first listings move at once, the others in a job; the category is gone from the tree when all have moved.
    """
    rows = {category.pk: category for category in Category.objects.select_for_update().order_by("pk")}
    category, into = rows[category_id], rows[into_id]
    if category_id in {into_id, into.parent_id}:
        raise CategoryCannotMoveError(f"{category.name} cannot be merged into that. Nothing was changed.")
    below = list(Category.objects.filter(parent=category).values_list("pk", flat=True))
    details = {"into": into.pk, "category": category.pk, "below": below, "words": into.terms, "both": []}
    undo = Undo.objects.create(kind=Undo.Kind.CATEGORY, details=details, at=at)
    Category.objects.filter(pk__in=below).update(parent=into)
    into.terms = list(dict.fromkeys([*into.terms, *category.terms, category.name.lower()]))
    into.save(update_fields=["terms"])
    refile_more(undo_id=undo.pk)
    public_data.plan_category_refresh(category_id=into.pk, at=at)
    changed("categories")
    return undo


@transaction.atomic
def refile_more(*, undo_id: int) -> None:
    """Move the next listings of a category that is being merged; with the last of them it leaves the tree."""
    undo = Undo.objects.select_for_update().get(pk=undo_id)
    if undo.undone_at is not None:
        return
    category_id, into_id = undo.details["category"], undo.details["into"]
    filed = ListingCategory.objects.filter(category=category_id).order_by("listing_id")
    rows = {row.listing_id: row for row in filed.select_for_update()[:AT_ONCE]}
    there = {
        row.listing_id: row for row in ListingCategory.objects.filter(category=into_id, listing__in=rows)
    }
    for listing_id, row in there.items():
        was = rows[listing_id]
        undo.details["both"].append([listing_id, was.position, row.position, was.is_bought])
        was.delete()
        if was.position < row.position:
            row.position = was.position
            row.save(update_fields=["position"])
    others = [row.pk for listing_id, row in rows.items() if listing_id not in there]
    ListingCategory.objects.filter(pk__in=others).update(category=into_id, merged_from=category_id)
    undo.save(update_fields=["details"])
    public_data.refresh(listing_ids=list(rows))
    if len(rows) == AT_ONCE:
        jobs.add("directory.refile_merged", key=f"{undo.pk}-{max(rows)}", undo_id=undo.pk)
        return
    Category.objects.filter(pk=category_id).update(merged_into=into_id)
    FormerSlug.objects.filter(category=category_id).update(category=into_id)
    slug = Category.everything.values_list("slug", flat=True).get(pk=category_id)
    FormerSlug.objects.get_or_create(slug=slug, site=None, listing=None, category_id=into_id)
    changed("categories")


@transaction.atomic
def undo_merge_category(*, undo_id: int, at: datetime) -> Category:
    """The category is back in the tree with the listings it had. Raises CannotUndoError."""
    undo = unused(undo_id, kind=Undo.Kind.CATEGORY, at=at)
    category = Category.everything.select_for_update().get(pk=undo.details["category"])
    if category.merged_into_id != undo.details["into"]:
        raise CannotUndoError(
            "The merge is still under way, or its category was merged on. Nothing was changed."
        )
    into = Category.objects.select_for_update().get(pk=undo.details["into"])
    category.merged_into = None
    category.save(update_fields=["merged_into"])
    Category.objects.filter(pk__in=undo.details["below"], parent=into).update(parent=category)
    into.terms = undo.details["words"]
    into.save(update_fields=["terms"])
    FormerSlug.objects.filter(category=into, slug=category.slug).delete()
    moved = ListingCategory.objects.filter(category=into, merged_from=category)
    moved.update(category=category, merged_from=None)
    _file_again(undo, category=category, into=into)
    for pk in (category.pk, into.pk):
        public_data.plan_category_refresh(category_id=pk, at=at)
    close(undo, at=at)
    changed("categories")
    return category


def _file_again(undo: Undo, *, category: Category, into: Category) -> None:
    """Listings that were filed in both are so again, unless their places were taken since."""
    for listing_id, position, other, is_bought in undo.details["both"]:
        filed = ListingCategory.objects.filter(listing=listing_id)
        places = set(filed.values_list("position", flat=True))
        free = {position, other} - places
        existing = filed.filter(category=into).first()
        if existing is None or not free:
            continue
        if existing.position == position:
            filed.filter(pk=existing.pk).update(position=free.pop())
        elif position in places:
            continue
        ListingCategory.objects.create(
            listing_id=listing_id, category=category, position=position, is_bought=is_bought
        )


def keep_address(*, category_id: int, slug: str) -> None:
    FormerSlug.objects.filter(listing=None, slug=slug).delete()
    FormerSlug.objects.create(slug=slug, category_id=category_id)
