"""Lists of the back office as CSV files: taken along as the list shows them, and brought back with what they change."""

import csv
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from html import unescape
from io import StringIO
from itertools import zip_longest
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.utils import display_for_field, display_for_value, label_for_field, lookup_field
from django.contrib.admin.views.main import ChangeList
from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

from accounts.errors import FileRefusedError
from accounts.staff import pages
from accounts.staff.audit import Acting
from core.api.errors import ApiError

MOST_ROWS, AT_ONCE = 100_000, 1000
HIDDEN = "action_checkbox"
# What a spreadsheet would take for a formula: https://owasp.org/www-community/attacks/CSV_Injection
FORMULA = ("=", "+", "-", "@", "\t", "\r")
BYTE_ORDER_MARK = "\ufeff"  # spreadsheets take the file for another encoding without it
MOST_BYTES, LISTED, SECONDS = 1_000_000, 300, 3600
SALT = "staff-import"
SEPARATORS = {";": "semicolons", "\t": "tabs"}
STATES = ("new", "changed", "unchanged", "refused")


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


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the file: its cells by the names of the first one, in small letters with _ for spaces."""

    line: int
    values: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Line:
    """What a row would do. `fields` are name, before and after; `key` is for whoever writes it."""

    line: int
    name: str
    state: str
    fields: Sequence[tuple[str, Any, Any]] = ()
    reason: str = ""
    key: Any = None

    @property
    def values(self) -> dict[str, Any]:
        return {name: after for name, _, after in self.fields}


@dataclass(frozen=True, kw_only=True)
class Import:
    """What can be imported into a list: the columns that are needed and taken, and what becomes of them."""

    what: str
    act: str
    needs: tuple[str, ...]
    takes: tuple[str, ...]
    says: str
    most: int
    plan: Callable[[Sequence[Row]], list[Line]]
    write: Callable[[Sequence[Line], int, datetime], None]


def compared(
    row: Row, *, name: str, before: Mapping[str, Any] | None, after: Mapping[str, Any], key: Any
) -> Line:
    """The line of a row that is right: what it changes, and whether that is anything."""
    existing = before or {}
    fields = [(field, existing.get(field, ""), value) for field, value in after.items()]
    differing = [entry for entry in fields if before is None or entry[1] != entry[2]]
    state = "new" if before is None else "changed" if differing else "unchanged"
    return Line(line=row.line, name=name, state=state, fields=differing, key=key)


def refused(row: Row, name: str, reason: str) -> Line:
    return Line(line=row.line, name=name, state="refused", reason=reason)


def rows_of(text: str, kind: Import) -> list[Row]:
    """The rows of a file as `exports` writes them, numbered as a spreadsheet does. Raises FileRefusedError."""
    csv.field_size_limit(MOST_BYTES)  # of all readers; how long a cell may be, its column says
    reader, number, rows = csv.reader(StringIO(text, newline=""), strict=True), 0, list[Row]()
    try:
        names, number = _columns(next(reader, ()), kind), 1
        for number, cells in enumerate(reader, 2):
            if cells:
                rows.append(Row(line=number, values=_values(number, names, cells)))
            if len(rows) > kind.most:
                raise FileRefusedError(f"At most {kind.most} rows come in at once.")
    except csv.Error as error:
        raise FileRefusedError(
            f"Row {number + 1}: a cell that begins with a quote has to end with one; within it, a quote stands twice."
        ) from error
    return rows


def _values(number: int, names: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    if len(cells) > len(names):
        raise FileRefusedError(f"Row {number} has more cells than the first row.")
    values = {name: _plain(cell) for name, cell in zip_longest(names, cells, fillvalue="")}
    if nul := next((name for name, cell in values.items() if "\0" in cell), ""):
        raise FileRefusedError(f"Row {number}, {nul}: it holds a NUL, which is no character of a text.")
    return values


def _columns(heads: Sequence[str], kind: Import) -> list[str]:
    names = [name.strip().lower().replace(" ", "_") for name in heads]
    missing = [name for name in kind.needs if name not in names]
    other = next((words for sign, words in SEPARATORS.items() if sign in "".join(heads)), "")
    if missing and other:
        raise FileRefusedError(
            f"Row 1: its cells are separated by {other}, not by commas. Save it as “CSV UTF-8 (comma delimited)”."
        )
    if missing:
        raise FileRefusedError(f"The first row has to name these columns too: {', '.join(missing)}.")
    twice = [name for name in (*kind.needs, *kind.takes) if names.count(name) > 1]
    if twice:
        raise FileRefusedError(f"The first row names these columns twice: {', '.join(twice)}.")
    return names


def _plain(cell: str) -> str:
    """A cell without what `exports` puts before what a spreadsheet would take for a formula."""
    text = cell.strip()
    return text[1:] if text.startswith("'") and is_formula(text) else text


class FileForm(forms.Form):
    file = forms.FileField(
        label="CSV file", help_text="UTF-8, at most 1 MB.", widget=forms.FileInput(attrs={"accept": ".csv"})
    )


def import_page(request: HttpRequest, *, site: AdminSite, kind: Import, back: str) -> HttpResponse:
    """Asks for a file, shows what it would do, and does that once it was seen; nothing is written before."""
    context: dict[str, Any] = {"kind": kind, "back": back, "form": FileForm()}
    if request.method == "POST":
        try:
            text = _sent(request)
            lines = kind.plan(rows_of(text, kind))
            if _may_write(request, lines):
                _write(request, kind, lines)
                return HttpResponseRedirect(back)
            context |= _preview(text, lines)
        except ApiError as error:
            messages.error(request, f"{error.detail} Nothing was changed.")
    return pages.show(request, site, "staff/import.html", title=f"Import {kind.what}", **context)


def _sent(request: HttpRequest) -> str:
    """The file, or what was kept of it between the two steps. Raises FileRefusedError."""
    if again := request.POST.get("again"):
        try:
            return str(signing.loads(again, salt=SALT, max_age=SECONDS))
        except signing.BadSignature as error:
            raise FileRefusedError("That was too long ago. Send the file once more.") from error
    file = request.FILES.get("file")
    if file is None or (file.size or 0) > MOST_BYTES:
        raise FileRefusedError("Choose a file of at most 1 MB.")
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileRefusedError("The file is not UTF-8. Save it as “CSV UTF-8”.") from error


def _may_write(request: HttpRequest, lines: Sequence[Line]) -> bool:
    """Whether these very lines were shown, and each of them can be taken."""
    if "seen" not in request.POST or any(line.state == "refused" for line in lines):
        return False
    if request.POST["seen"] == _digest(lines):
        return True
    messages.warning(request, "Something was changed meanwhile. Nothing was written; look again.")
    return False


def _write(request: HttpRequest, kind: Import, lines: Sequence[Line]) -> None:
    written = [line for line in lines if line.state in {"new", "changed"}]
    number = Counter(line.state for line in written)
    summary = f"imported {kind.what}: {number['new']} new, {number['changed']} changed"
    act = Acting(request, kind.act)
    try:
        with transaction.atomic():
            kind.write(written, act.staff_id, act.at)
            act.record(summary, after=dict(number))
    except IntegrityError as error:  # the button was pressed twice, or somebody made the same
        raise FileRefusedError("Some of it was made meanwhile. Send the file once more.") from error
    messages.success(request, f"{summary.capitalize()}.")


def _preview(text: str, lines: Sequence[Line]) -> dict[str, Any]:
    number = Counter(line.state for line in lines)
    first = sorted(
        (line for line in lines if line.state != "unchanged"), key=lambda item: item.state != "refused"
    )
    return {
        "numbers": [(state, number[state]) for state in STATES],
        "lines": first[:LISTED],
        "more": max(0, len(first) - LISTED),
        "can_write": bool(first) and not number["refused"],
        "to_write": number["new"] + number["changed"],
        "again": signing.dumps(text, salt=SALT, compress=True),
        "seen": _digest(lines),
    }


def _digest(lines: Sequence[Line]) -> str:
    text = repr([(line.line, line.state, line.fields, line.key) for line in lines])
    return hashlib.sha256(text.encode()).hexdigest()
