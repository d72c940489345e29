"""Fields of forms for what a listing holds as lists and objects: rows with fields, never JSON."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.http import HttpRequest

from core.api.serializers import CONTROL
from directory import limits
from directory.images.drawings import PictureRefusedError
from directory.images.pictures import LEAST_SCREEN, MAX_PIXELS, SCREEN_BYTES, SCREEN_SIDES
from directory.images.process import PicturesBusyError, drawn_apart
from directory.listings.differences import as_text

EMPTY_ROWS = 2


class RowsWidget(forms.Widget):
    """Rows of texts with their order; an emptied row goes, the empty ones at the end are to add with."""

    template_name = "directory/admin/widgets/rows.html"

    def __init__(self, *, columns: Mapping[str, int], most: int) -> None:
        """`columns` are names with the longest text of each."""
        super().__init__()
        self.columns, self.most = columns, most

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """The rows there are and some empty ones."""
        rows = [dict(row) for row in value or []]
        rows += [{} for _ in range(min(EMPTY_ROWS, self.most - len(rows)))]
        cells = [
            {
                "number": number,
                "order": number + 1,
                "cells": [
                    {
                        "name": f"{name}-{number}-{column}",
                        "label": column.replace("_", " ").capitalize(),
                        "value": row.get(column) or "",
                        "limit": limit,
                        "is_long": limit > EMPTY_ROWS * 200,
                    }
                    for column, limit in self.columns.items()
                ],
            }
            for number, row in enumerate(rows)
        ]
        return {**super().get_context(name, value, attrs), "rows": cells, "name": name}

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[dict[str, str]]:
        rows = []
        for number in range(self.most):
            row = {column: str(data.get(f"{name}-{number}-{column}", "")).strip() for column in self.columns}
            if any(row.values()):
                cells = str(data.get(f"{name}-{number}-order", ""))
                rows.append((int(cells) if cells.isdecimal() and len(cells) < 4 else number, number, row))
        return [row for _, _, row in sorted(rows, key=lambda entry: entry[:2])]

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Whether the form had no such rows at all."""
        return not any(key.startswith(f"{name}-") for key in data)


class NamedWidget(forms.Widget):
    """One input for each of a few names, such as a link for each platform."""

    template_name = "directory/admin/widgets/named.html"

    def __init__(self, *, names: Mapping[str, int]) -> None:
        """`names` with the longest text of each."""
        super().__init__()
        self.names = names

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        existing = value or {}
        cells = [
            {
                "name": f"{name}-{part}",
                "part": part,
                "label": part.replace("_", " ").capitalize(),
                "value": existing.get(part) or "",
                "limit": limit,
                "is_long": limit > EMPTY_ROWS * 500,
            }
            for part, limit in self.names.items()
        ]
        return {**super().get_context(name, value, attrs), "cells": cells}

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> dict[str, str]:
        cells = {part: str(data.get(f"{name}-{part}", "")).strip() for part in self.names}
        return {part: text for part, text in cells.items() if text}

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return not any(key.startswith(f"{name}-") for key in data)


def check_text(value: Any) -> None:
    """Text, by itself or in a list or parts, that a feed, a calendar and an answer can hold."""
    if any(map(CONTROL.search, _texts_in(value))):
        raise ValidationError("The text has control characters, which no page shows. Type it again.")


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(part)


class PartsField(forms.Field):
    """What these widgets read, as it is stored."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return as_text(initial) != as_text(data)


class LinesField(forms.CharField):
    """A list of texts, one a line, so that they may hold commas."""

    widget = forms.Textarea

    def __init__(self, *, most: int, limit: int, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 5})
        super().__init__(required=False, validators=[check_text], widget=widget, **options)
        self.most, self.limit = most, limit

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:  # type: ignore[override]
        lines: Sequence[str] = str(super().clean(value) or "").splitlines()
        rows = [line.strip() for line in lines if line.strip()]
        if len(rows) > self.most or any(len(line) > self.limit for line in rows):
            raise forms.ValidationError(f"At most {self.most} lines of at most {self.limit} characters.")
        return rows

    def has_changed(self, initial: Any, data: Any) -> bool:
        return "\n".join(initial or []) != "\n".join(
            line.strip() for line in str(data or "").splitlines() if line.strip()
        )


class ReasonForm(ActionForm):
    """What goes with an action; the owner reads it."""

    reason = forms.CharField(
        max_length=limits.STAFF_REASON, required=False, label="Reason, which the owner reads"
    )


def reason_in(request: HttpRequest) -> str:
    return request.POST.get("reason", "").strip()[: limits.STAFF_REASON]


MEGABYTES, MEGAPIXELS = SCREEN_BYTES // 1024 // 1024, MAX_PIXELS // 1_000_000
HELP = (
    f"PNG, JPEG or WebP, at most {MEGABYTES} MB and {MEGAPIXELS} megapixels,"
    f" at least {LEAST_SCREEN} pixels high and wide. Shown at most {SCREEN_SIDES[0]} pixels wide."
)


class PictureField(forms.FileField):
    """An uploaded picture becomes a file of ours, named by what is in it. Nothing of it is decoded here."""

    widget = forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"})

    def clean(self, data: Any, initial: Any = None) -> Any:
        """The picture as it is stored; without a new one what there was, and `False` where it is taken away."""
        value = super().clean(data, initial)
        return self._drawn(value) if isinstance(value, UploadedFile) else value

    @staticmethod
    def _drawn(values: UploadedFile) -> SimpleUploadedFile:
        if (values.size or 0) > SCREEN_BYTES:
            raise ValidationError(f"The file has more than {MEGABYTES} MB.")
        try:
            content = drawn_apart(values.read()).content
        except PictureRefusedError as error:
            raise ValidationError(str(error)) from error
        except PicturesBusyError as error:
            raise ValidationError(error.detail) from error
        return SimpleUploadedFile(f"{hashlib.sha256(content).hexdigest()[:24]}.webp", content, "image/webp")
