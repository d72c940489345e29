"""Listings as rows for COPY."""

from collections.abc import Mapping
from typing import Any

import orjson
from django.db import connection
from django.db.models import JSONField

from directory.models import Listing
from directory.search.documents import Source

NEW_IDS = """
SELECT nextval(name), setval(name, nextval(name) + %s) FROM pg_get_serial_sequence(%s, 'id') AS name
"""


class ListingRows:
    """Listings as rows for COPY; columns that nothing is said about hold the model's defaults."""

    def __init__(self) -> None:
        self.defaults: dict[str, Any] = {}
        for field in Listing._meta.concrete_fields:  # noqa: SLF001  (Django documents it as public)
            default = field.get_default()
            if isinstance(field, JSONField) and not field.null:
                default = orjson.dumps(default).decode()
            self.defaults[str(field.column)] = default
        self.columns = list(self.defaults)

    def row(self, source: Source, *, details: Mapping[str, Any]) -> list[Any]:
        """One row; `details` are further columns, JSON as text."""
        values = {**self.defaults, **source._asdict(), "awards": "[]", **details}
        return [values[column] for column in self.columns]


def new_ids(table: str, *, count: int) -> range:
    """So many fresh ids of a table, one after the other."""
    with connection.cursor() as cursor:
        cursor.execute(NEW_IDS, [count, table])
        first = cursor.fetchone()[0]
    return range(first, first + count)
