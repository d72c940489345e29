"""What a plan holds, one rule everywhere (decision 0099), and a listing's places in the category tree by it.

It has as many as its plan holds and as were bought; the others wait.
"""

from collections.abc import Collection, Sequence
from typing import TypeVar

from django.db.models import Q

from directory import limits
from directory.models import Category, FormerSlug, Listing, ListingCategory

Key = TypeVar("Key", int, str)
PAID_SECTIONS = ("story", "milestones", "media")
OWN = {Listing.Plan.FREE.value: 1, Listing.Plan.PAID.value: 1 + limits.EXTRA_CATEGORIES}


def divide(*, chosen: Sequence[Key], bought: Collection[Key], plan: str) -> tuple[list[Key], list[Key]]:
    """The wanted categories that a plan holds beside bought ones, and those beyond it, in their order."""
    own = [category for category in chosen if category not in bought][: OWN[plan]]
    return own, [category for category in chosen if category not in own]


def file(listing: Listing, slugs: Sequence[str]) -> None:
    """File a locked listing under these categories, the first as the primary one. What was bought stays."""
    existing = dict(Category.objects.filter(slug__in=slugs).values_list("slug", "pk"))
    if gone := set(slugs) - existing.keys():  # merged or renamed since somebody named them
        existing |= dict(
            FormerSlug.objects.filter(listing=None, slug__in=gone).values_list("slug", "category")
        )
    _place(listing, [existing[slug] for slug in slugs if slug in existing], rows=_filed(listing))


def refile(listing: Listing) -> list[str]:
    """File a locked listing anew once its plan or what was bought has changed; gives the names that waited."""
    before, beyond, rows = waiting(listing), _beyond(listing), _filed(listing)
    own = [row.category_id for row in rows if not row.is_bought or row.category_id in beyond]
    _place(listing, [*own, *beyond], rows=rows)
    return [category.name for category in before if category.pk not in listing.beyond_plan]


def waiting(listing: Listing) -> list[Category]:
    if not listing.beyond_plan:
        return []
    ids = _beyond(listing)
    rows = Category.objects.filter(pk__in=ids).exclude(filed__listing=listing)
    return sorted(rows, key=lambda category: ids.index(category.pk))


def _beyond(listing: Listing) -> list[int]:
    """What its plan does not hold; a category that was merged since is the one it was merged into."""
    if not listing.beyond_plan:
        return []
    rows = Category.everything.filter(Q(pk__in=listing.beyond_plan) | Q(merged_into__isnull=False))
    there, result = dict(rows.values_list("pk", "merged_into")), []
    for pk in filter(there.__contains__, listing.beyond_plan):
        current = pk
        while into := there.get(current):
            current = into
        result.append(current)
    return result


def _filed(listing: Listing) -> list[ListingCategory]:
    return list(listing.filed.order_by("position"))


def _place(listing: Listing, needed: Sequence[int], *, rows: Sequence[ListingCategory]) -> None:
    bought = [row.category_id for row in rows if row.is_bought]
    needed = list(dict.fromkeys(needed))
    own, beyond = divide(chosen=needed, bought=bought, plan=listing.plan)
    filed_ids = [pk for pk in dict.fromkeys([*needed, *bought]) if pk in own or pk in bought]
    fresh = [
        ListingCategory(listing=listing, category_id=pk, position=position, is_bought=pk in bought)
        for position, pk in enumerate(filed_ids)
    ]
    if list(map(_content, fresh)) != list(map(_content, rows)):
        listing.filed.all().delete()
        ListingCategory.objects.bulk_create(fresh)
    if beyond != listing.beyond_plan:
        listing.beyond_plan = beyond
        listing.save(update_fields=["beyond_plan"])


def _content(row: ListingCategory) -> tuple[object, ...]:
    return row.category_id, row.position, row.is_bought, row.merged_from_id
