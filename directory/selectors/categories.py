"""The category tree with its counts, and one category with its listings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, FilteredRelation, JSONField, Q, Value
from django.db.models.expressions import Case, When
from django.db.models.functions import Coalesce

from core.pagination import Page
from directory.errors import CategoryNotFoundError
from directory.models import Category, Site
from directory.search import browse_ids
from directory.selectors.pages import shown

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


def get_category(*, site: Site, slug: str, page: int, per_page: int) -> tuple[Node, Page]:
    """A category with its questions and neighbours, and a page of its live listings, most voted first.

    Raises CategoryNotFoundError.
    """
    rows = _rows(site=site, in_full=slug)
    wanted = next((row for row in rows if row.node["slug"] == slug), None)
    if wanted is None:
        raise CategoryNotFoundError("There is no such category.")
    _hang(rows)
    found = browse_ids(site=site, sort="votes", category_id=wanted.pk, page=page, per_page=per_page)
    return {**wanted.node, "faqs": wanted.faqs, "subcategories": wanted.node["children"]}, shown(found)


def _hang(rows: Sequence[Filed]) -> None:
    nodes = {row.pk: row.node for row in rows}
    for row in rows:
        if row.parent_id is not None and row.parent_id in nodes:
            nodes[row.parent_id]["children"].append(row.node)


def _rows(*, site: Site, in_full: str = "") -> list[Filed]:
    """Every category, still without children. `in_full` brings one category's questions along."""
    found = (
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
        for pk, parent_id, slug, name, description, parent_slug, parent_name, own, total, faqs in found
    ]
