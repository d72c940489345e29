"""One page of a list and its total in one statement."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models import BigIntegerField, QuerySet, Subquery

from core.pagination import TOTAL_EXACT_UP_TO, Page, capped, capped_count
from directory.selectors.cards import summaries


class Counted(Subquery):
    """How many rows a query has."""

    template = "(SELECT count(*) FROM (%(subquery)s) counted)"
    output_field = BigIntegerField()


def page_of(rows: QuerySet[Any], *, fields: Sequence[str], page: int, per_page: int) -> Page:
    """A page of an ordered queryset as tuples of `fields`, the capped total counted in the same statement."""
    first = (page - 1) * per_page
    total = Counted(rows.order_by().values("pk")[: TOTAL_EXACT_UP_TO + 1])
    found = list(rows.values_list(*fields, total)[first : first + per_page])
    if found:
        counted, is_estimate = capped(found[0][-1])
    else:
        counted, is_estimate = capped(capped_count(rows) if page > 1 else 0)
    items = [row[:-1] for row in found]
    return Page(items=items, page=page, per_page=per_page, total=counted, total_is_estimate=is_estimate)


def shown(found: Page) -> Page:
    """The page with summaries in place of listing ids."""
    return replace(found, items=summaries(listing_ids=found.items))
