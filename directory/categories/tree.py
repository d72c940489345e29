"""The category tree with its counts, and one category with its listings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, FilteredRelation, JSONField, Q, Sum, Value
from django.db.models.expressions import Case, When
from django.db.models.functions import Coalesce

from core.api.errors import NotFoundError
from core.api.pagination import Page
from core.parts import Several
from directory.models import Category, CategoryCount, Site
from directory.search.cards import with_summaries
from directory.search.query.browsing import browse_ids

Node = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Filed:
    """A category as lists show it, and what it takes to put it in its place."""

    pk: int
    parent_id: int | None
    faqs: list[dict[str, str]]
    node: Node


def category_tree(*, site: Site, include_empty: bool) -> list[Node]:
    """The roots with everything below them, in staff's order; empty ones have nothing live below."""
    rows = _rows(site=site)
    if not include_empty:
        rows = [row for row in rows if row.node["total_listings_count"]]
    _hang(rows)
    return [row.node for row in rows if row.parent_id is None]


def fullest(*, site: Site, most: int) -> list[Node]:
    """The roots with the most live listings below them: slug, name and how many."""
    counts = CategoryCount.objects.filter(site=site, category__parent=None, total_listings__gt=0)
    rows = counts.order_by("-total_listings", "category__position", "category").values_list(
        "category__slug", "category__name", "total_listings"
    )
    return [{"slug": slug, "name": name, "total_listings_count": total} for slug, name, total in rows[:most]]


def get_category(*, site: Site, slug: str, page: int, per_page: int) -> tuple[Node, Page]:
    """A category with its questions and neighbours, and a page of its live listings, most voted first.

    Raises NotFoundError.
    """
    category_id, node, _ = _category(site=site, slug=slug)
    result = browse_ids(site=site, sort="votes", category_id=category_id, page=page, per_page=per_page)
    return node, with_summaries(result)


def category_in_tree(*, site: Site, slug: str) -> tuple[Node, list[Node]]:
    """A category with its questions and neighbours, and the whole tree. Raises NotFoundError."""
    _, node, tree = _category(site=site, slug=slug)
    return node, tree


def _category(*, site: Site, slug: str) -> tuple[int, Node, list[Node]]:
    rows = _rows(site=site, in_full=slug)
    chosen = NotFoundError.unless(next((row for row in rows if row.node["slug"] == slug), None), "category")
    _hang(rows)
    tree = [row.node for row in rows if row.parent_id is None]
    return chosen.pk, {**chosen.node, "faqs": chosen.faqs, "subcategories": chosen.node["children"]}, tree


def _hang(rows: Sequence[Filed]) -> None:
    nodes = {row.pk: row.node for row in rows}
    for row in rows:
        if row.parent_id is not None and row.parent_id in nodes:
            nodes[row.parent_id]["children"].append(row.node)


def _rows(*, site: Site, in_full: str = "") -> list[Filed]:
    """Every category, still without children. `in_full` brings one category's questions along."""
    rows = (
        Category.objects.annotate(here=FilteredRelation("counts", condition=Q(counts__site=site)))
        .order_by("position", "pk")
        .values_list(
            "pk",
            "parent_id",
            "slug",
            "name",
            "description",
            "parent__slug",
            "parent__name",
            Coalesce(F("here__listings"), 0),
            Coalesce(F("here__total_listings"), 0),
            Case(When(slug=in_full, then=F("faqs")), default=Value([], JSONField())),
        )
    )
    return [
        Filed(
            pk=pk,
            parent_id=parent_id,
            faqs=faqs,
            node={
                "slug": slug,
                "name": name,
                "description": description or None,
                "parent": {"slug": parent_slug, "name": parent_name} if parent_id else None,
                "listings_count": own,
                "total_listings_count": total,
                "children": [],
            },
        )
        for pk, parent_id, slug, name, description, parent_slug, parent_name, own, total, faqs in rows
    ]


@dataclass(frozen=True, kw_only=True)
class Branch:
    category: Category
    depth: int
    listings: int
    words: int


def staff_tree() -> list[Branch]:
    """Every category below its parent, with how many live listings of all sites are filed in it."""
    rows = list(
        Category.objects.defer("faqs", "description", "attributes")
        .annotate(filed_here=Coalesce(Sum("counts__listings"), 0))
        .order_by("position", "pk")
    )
    below: dict[int | None, list[Any]] = {}
    for row in rows:
        below.setdefault(row.parent_id, []).append(row)

    def walk(parent_id: int | None, depth: int) -> Iterator[Branch]:
        for row in below.get(parent_id, []):
            yield Branch(category=row, depth=depth, listings=row.filed_here, words=len(row.terms))
            yield from walk(row.pk, depth + 1)

    return list(walk(None, 0))


def filed_in(category: Category) -> int:
    return int(CategoryCount.objects.filter(category=category).aggregate(n=Coalesce(Sum("listings"), 0))["n"])


Unplaced = Callable[[], list[dict[str, Any]]]
tells_unplaced = Several[Unplaced]()  # who knows of websites for which no category was found


def unplaced() -> list[dict[str, Any]]:
    return [row for read in tells_unplaced for row in read()]


def below(categories: Iterable[int]) -> set[int]:
    parents = dict(Category.objects.values_list("pk", "parent"))
    result, roots = set[int](), set(categories)
    for pk in parents:
        branch: set[int] = set()
        node: int | None = pk
        while node is not None and node not in roots and node not in branch:
            branch.add(node)
            node = parents.get(node)
        if node in roots:
            result |= branch | {node} if node is not None else branch
    return result
