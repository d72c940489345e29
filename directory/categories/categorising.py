"""Staff shape the tree: a category moves under another, or is merged into it and its address leads there."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain

from django.db import transaction

from core import jobs
from core.cache import changed
from directory.categories import naming
from directory.errors import CannotUndoError, CategoryCannotMoveError
from directory.models import Category, FormerSlug, ListingCategory, Undo
from directory.search import public_data
from directory.undoing import came_back, came_from, close, unused

AT_ONCE = 500


@transaction.atomic
def move_category(*, category_id: int, parent_id: int | None, at: datetime) -> Category:
    """Hang a category under another, or under none. Raises CategoryCannotMoveError where the tree would be none."""
    rows = _tree()
    category = rows[category_id]
    if category_id in lineage(rows, parent_id):
        raise CategoryCannotMoveError(f"{category.name} cannot be under itself. Nothing was changed.")
    category.parent_id = parent_id
    category.save(update_fields=["parent"])
    public_data.plan_category_refresh(category_id=category_id, at=at)
    changed("categories")
    return category


def _tree() -> dict[int, Category]:
    """Every category, held until the transaction ends; those that were merged too."""
    return {category.pk: category for category in Category.everything.select_for_update().order_by("pk")}


def lineage(rows: Mapping[int, Category], category_id: int | None) -> Iterator[int]:
    """A category and those above it; one that was merged is the one that it is part of now."""
    while category_id is not None:
        category = rows[category_id]
        if category.merged_into_id is None:
            yield category_id
        category_id = category.merged_into_id or category.parent_id


def is_below(category: Category, category_id: int) -> bool:
    rows = {row.pk: row for row in Category.everything.only("parent", "merged_into")}
    return category_id in lineage(rows, category.pk)


@transaction.atomic
def merge_category(*, category_id: int, into_id: int, at: datetime) -> Undo:
    """File the listings of a category in another and lead its address there; what is below it comes along.

    The first listings move at once, the others in a job; the category is gone from the tree when all have moved.
    """
    rows = _tree()
    category, into = rows[category_id], rows[into_id]
    if category_id in lineage(rows, into_id):
        raise CategoryCannotMoveError(f"{category.name} cannot be merged into that. Nothing was changed.")
    below = list(Category.objects.filter(parent=category).values_list("pk", flat=True))
    details = {"into": into.pk, "category": category.pk, "below": below, "words": into.terms, "both": []}
    undo = Undo.objects.create(kind=Undo.Kind.CATEGORY, details=details, at=at)
    Category.objects.filter(pk__in=below).update(parent=into)
    into.terms = list(dict.fromkeys([*into.terms, *_words(category)]))
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
    ListingCategory.objects.filter(pk__in=others).update(category=into_id, merged_from=came_from(category_id))
    undo.save(update_fields=["details"])
    public_data.refresh(listing_ids=list(rows))
    if len(rows) == AT_ONCE:
        jobs.add("directory.refile_merged", key=f"{undo.pk}-{max(rows)}", undo_id=undo.pk)
        return
    Category.objects.filter(pk=category_id).update(merged_into=into_id)
    FormerSlug.objects.filter(category=category_id).update(category=into_id)
    category, into = (Category.everything.get(pk=pk) for pk in (category_id, into_id))
    FormerSlug.objects.update_or_create(
        slug=category.slug, site=None, listing=None, defaults={"category_id": into_id}
    )
    naming.tell_renamed({category.name: into.name}, renamed=[category_id])
    changed("categories")


@transaction.atomic
def undo_merge_category(*, undo_id: int, at: datetime) -> Category:
    """The category is back in the tree with the listings it had, and those that were merged into it before.

    Raises CannotUndoError.
    """
    undo = unused(undo_id, kind=Undo.Kind.CATEGORY, at=at)
    rows = _tree()
    category, into = rows[undo.details["category"]], rows[undo.details["into"]]
    if category.merged_into_id != undo.details["into"]:
        raise CannotUndoError(
            "The merge is still under way, or its category was merged on. Nothing was changed."
        )
    below = Category.objects.filter(pk__in=undo.details["below"], parent=into)
    above = list(lineage(rows, category.parent_id))
    if set(above) & set(below.values_list("pk", flat=True)):
        raise CannotUndoError(f"{category.name} would be under itself: the tree has changed since.")
    category.merged_into, category.parent_id = None, next(iter(above), None)
    category.save(update_fields=["merged_into", "parent"])
    below.update(parent=category)
    into.terms = _without(into, category=category, before=undo.details["words"])
    into.save(update_fields=["terms"])
    FormerSlug.objects.filter(category=into, slug=category.slug).delete()
    moved = ListingCategory.objects.filter(category=into, merged_from__in=_taken_up(category.pk, rows))
    moved.update(category=category, merged_from=came_back(category.pk))
    _file_again(undo, category=category, into=into)
    for pk in (category.pk, into.pk):
        public_data.plan_category_refresh(category_id=pk, at=at)
    close(undo, at=at)
    changed("categories")
    return category


def _without(into: Category, *, category: Category, before: Sequence[str]) -> list[str]:
    """The words of a category without those that this merge alone brought: what staff typed since stays."""
    others = Category.everything.filter(merged_into=into).exclude(pk=category.pk)
    staying = {*before, *chain.from_iterable(map(_words, others))}
    return [word for word in into.terms if word in staying or word not in _words(category)]


def _words(category: Category) -> list[str]:
    return [*category.terms, category.name.lower()]


def _taken_up(category_id: int, rows: Mapping[int, Category]) -> set[int]:
    """A category with those that were merged into it, by themselves or within others."""
    return {pk for pk in rows if category_id in _heirs(pk, rows)}


def _heirs(category_id: int | None, rows: Mapping[int, Category]) -> Iterator[int]:
    while category_id is not None:
        yield category_id
        category_id = rows[category_id].merged_into_id


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
