"""The list envelope of the interface: page, per_page, a total that never costs a full count."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote_plus

from django.db.models import QuerySet, TextChoices
from rest_framework import serializers
from rest_framework.request import Request

from core.api.links import on_site
from core.api.serializers import Choice
from core.clock import read_time

PAGE_MAX, PER_PAGE_MAX, PER_PAGE_DEFAULT = 1000, 100, 20
TOTAL_EXACT_UP_TO, WORDS_EXACT_UP_TO = 10_000, 1_000  # without and with words in q
DIGITS = re.compile(r"-?[0-9]{1,18}")


class QueryInteger(serializers.IntegerField):
    """An integer written in digits alone: not 1.0, 1_0 or +1, which Python would take."""

    def to_internal_value(self, data: Any) -> int:
        if not DIGITS.fullmatch(str(data)):
            self.fail("invalid")
        return int(data)


class PageIn(serializers.Serializer[Any]):
    """Query parameters of every paged list."""

    page = QueryInteger(min_value=1, max_value=PAGE_MAX, default=1, help_text="Which page, from 1.")
    per_page = QueryInteger(
        min_value=1,
        max_value=PER_PAGE_MAX,
        default=PER_PAGE_DEFAULT,
        help_text="How many items a page holds.",
    )


class QueryTime(serializers.DateTimeField):
    """A time as RFC 3339 writes it: not a date alone, nor one without its offset, which Python would take."""

    default_error_messages = {"invalid": "This must be an RFC 3339 time, such as 2026-11-23T00:00:00Z."}

    def to_internal_value(self, value: Any) -> datetime:
        try:
            return read_time(value)
        except ValueError:
            self.fail("invalid")


class SinceIn(serializers.Serializer[Any]):
    """Query of a person's own list."""

    since = QueryTime(required=False, help_text="Only what was made at or after this time, RFC 3339.")


def own_list_in(statuses: type[TextChoices]) -> type[SinceIn]:
    """Query of a person's own list of what has a status."""
    status = Choice(choices=statuses.values, required=False, help_text="Only those in this status.")
    return type("OwnListIn", (SinceIn,), {"status": status})


@dataclass(kw_only=True)
class Page:
    """One page of a list. `total` is exact unless `total_is_estimate`."""

    items: Sequence[Any]
    page: int
    per_page: int
    total: int
    total_is_estimate: bool = False

    @property
    def total_pages(self) -> int:
        return min(PAGE_MAX, -(-self.total // self.per_page))

    @property
    def has_next(self) -> bool:
        """Whether a page follows; where the total is an estimate there may be more pages than it says, or fewer."""
        if self.total_is_estimate:
            return len(self.items) == self.per_page and self.page < PAGE_MAX
        return self.page < self.total_pages

    @property
    def total_in_words(self) -> str:
        """The total as pages show it: an estimate as what there surely is."""
        if not self.total_is_estimate:
            return str(self.total)
        return f"{TOTAL_EXACT_UP_TO if self.total >= TOTAL_EXACT_UP_TO else WORDS_EXACT_UP_TO}+"


def capped(total: int) -> tuple[int, bool]:
    """A total as the interface gives it: exact up to 10,000, and whether it is an estimate."""
    return min(total, TOTAL_EXACT_UP_TO), total > TOTAL_EXACT_UP_TO


def capped_count(rows: QuerySet[Any]) -> int:
    """How many rows there are, counting no further than one past the exact range."""
    return rows.order_by()[: TOTAL_EXACT_UP_TO + 1].count()


def paginate(rows: QuerySet[Any], *, page: int, per_page: int, total: int | None = None) -> Page:
    """One page of a queryset in two queries: the capped count and the rows."""
    counted, is_estimate = capped(capped_count(rows) if total is None else total)
    first = (page - 1) * per_page
    items = list(rows[first : first + per_page]) if is_estimate or first < counted else []
    return Page(items=items, page=page, per_page=per_page, total=counted, total_is_estimate=is_estimate)


_quoted = lru_cache(maxsize=1024)(quote_plus)


def page_link(request: Request, *, page: int) -> str:
    """The address of another page of the list that was asked for, the same in whatever order it was asked."""
    query = "".join(
        f"{name}={_quoted(str(value))}&" for name, value in sorted(request.GET.items()) if name != "page"
    )
    return on_site(f"{request.path}?{query}page={page}")


def envelope(page: Page, *, request: Request, items: Sequence[Any]) -> dict[str, Any]:
    """The list envelope. `next` is null on the last page, `previous` on the first and the last one past the end."""
    before = page.page - 1 if items else min(page.page - 1, page.total_pages)
    body: dict[str, Any] = {
        "items": items,
        "page": page.page,
        "per_page": page.per_page,
        "total": page.total,
        "total_pages": page.total_pages,
        "next": page_link(request, page=page.page + 1) if page.has_next else None,
        "previous": page_link(request, page=before) if before else None,
    }
    if page.total_is_estimate:
        body["total_is_estimate"] = True
    return body


def link_header(body: dict[str, Any]) -> str:
    """An RFC 8288 Link header for the neighbours of a page; empty when there are none."""
    pairs = (("next", body.get("next")), ("prev", body.get("previous")))
    return ", ".join(f'<{url}>; rel="{name}"' for name, url in pairs if url)


def paginate_own(
    rows: QuerySet[Any], *, status: str | None = None, since: datetime | None = None, **page: int
) -> Page:
    """One page of a person's own rows, of one status or of those made since a time.

    Rows whose status follows from the time as well have it as `status_now`.
    """
    if status is not None:
        rows = rows.filter(**{"status_now" if "status_now" in rows.query.annotations else "status": status})
    if since is not None:
        rows = rows.filter(created_at__gte=since)
    return paginate(rows, **page)
