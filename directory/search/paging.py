"""One page of a list and its total in one statement."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import BigIntegerField, Case, QuerySet, Subquery, Value, When
from django.db.models.lookups import GreaterThanOrEqual

from core.api.pagination import TOTAL_EXACT_UP_TO, Page, capped, capped_count
from core.postgresql.base import Counted
from directory.search.cards import page_summaries
from directory.search.lexemes import SURELY_CAPPED


def page_of(
    rows: QuerySet[Any], *, fields: Sequence[str], page: int, per_page: int, about: Subquery | None = None
) -> Page:
    """A page of an ordered queryset as tuples of `fields`, the capped total counted in the same statement.

    `about` tells without counting how many rows there may be, when that is known from elsewhere.
    """
    first = (page - 1) * per_page
    total: Any = Counted(rows.order_by().values("pk")[: TOTAL_EXACT_UP_TO + 1])
    if about is not None:
        is_capped = GreaterThanOrEqual(about, Value(SURELY_CAPPED))
        total = Case(When(is_capped, then=about), default=total, output_field=BigIntegerField())
    values = list(rows.values_list(*fields, total)[first : first + per_page])
    if values:
        counted, is_estimate = capped(values[0][-1])
    else:
        counted, is_estimate = capped(capped_count(rows) if page > 1 else 0)
    items = [row[:-1] for row in values]
    return Page(items=items, page=page, per_page=per_page, total=counted, total_is_estimate=is_estimate)


def with_summaries(page: Page, *, besides: Mapping[int, Mapping[str, Any]] | None = None) -> Page:
    """The page with summaries in place of listing ids; `besides` adds to those of some ids."""
    page.items = page_summaries(page, besides=besides or {})
    return page
