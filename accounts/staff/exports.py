"""A list of the back office as a CSV file: the columns that the list shows, the rows that its filters leave."""

import csv
from collections.abc import Iterator
from datetime import date, datetime
from html import unescape
from io import StringIO
from typing import Any

from django.contrib.admin.utils import display_for_field, display_for_value, label_for_field, lookup_field
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

MOST_ROWS, AT_ONCE = 100_000, 1000
HIDDEN = "action_checkbox"
# What a spreadsheet would take for a formula: https://owasp.org/www-community/attacks/CSV_Injection
FORMULA = ("=", "+", "-", "@", "\t", "\r")
BYTE_ORDER_MARK = "\ufeff"  # spreadsheets take the file for another encoding without it


def lines_of(changes: ChangeList) -> Iterator[bytes]:
    """The file, in portions of a thousand rows, each one statement by key. It stops at a hundred thousand."""
    admin: Any = changes.model_admin
    columns = [str(name) for name in changes.list_display if name != HIDDEN]
    names = [*columns, *admin.exported]
    heads = [str(label_for_field(name, changes.model, admin)) for name in names]
    yield BYTE_ORDER_MARK.encode() + _written([heads])
    rows, after = changes.queryset.order_by("pk"), None
    for _ in range(MOST_ROWS // AT_ONCE):
        part = list((rows if after is None else rows.filter(pk__gt=after))[:AT_ONCE])
        if not part:
            return
        yield _written([[_cell(name, row, changes) for name in names] for row in part])
        after = part[-1].pk


def _cell(name: str, row: Model, result: ChangeList) -> str:
    field, _, value = lookup_field(name, row, result.model_admin)
    if isinstance(value, date):  # a moment is one too
        return value.isoformat(" ", "seconds") if isinstance(value, datetime) else value.isoformat()
    drawn: Any = display_for_field(value, field, "") if field is not None else display_for_value(value, "")
    text = (unescape(strip_tags(drawn)) if isinstance(drawn, SafeString) else str(drawn)).strip()
    return f"'{text}" if is_formula(text) else text


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would take it for a formula, or an import for one that was marked as none."""
    return text.lstrip("'").startswith(FORMULA)


def _written(rows: list[list[str]]) -> bytes:
    text = StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
