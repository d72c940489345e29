"""Writing the files: in batches, with a rest after each, so that readers of the site do not wait for them."""

import csv
import gzip
import hashlib
import io
import tempfile
import time
from contextlib import ExitStack
from datetime import datetime
from typing import IO, Any, cast

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction

from accounts.staff.exports import is_formula
from core import jobs
from core.api.bodies import dumps
from core.api.links import addresses_of
from directory.models import Site
from directory.sites.lookup import address_of
from leaderboards.models import OpenDataFile
from leaderboards.open_data.tables import TABLES, Table

FORMATS = {"ndjson": "application/x-ndjson", "csv": "text/csv"}
STORED = 2  # the newest of each, and the one before for whoever is reading it
RESTS = 0.25  # of the time that a batch took
IN_MEMORY = 1_000_000


class _Sink:
    """A packed file of one format that is being written, with what it comes to."""

    def __init__(self, *, table: Table, kind: str, stack: ExitStack) -> None:
        self.table, self.kind, self.rows = table, kind, 0
        self.content = stack.enter_context(tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))  # noqa: SIM115
        self._packed = gzip.GzipFile(fileobj=cast("IO[bytes]", self.content), mode="wb", mtime=0)
        if kind == "csv":
            self._packed.write(_line(list(table.columns)))

    def add(self, row: dict[str, Any]) -> None:
        self.rows += 1
        self._packed.write(
            _line([_cell(value) for value in row.values()]) if self.kind == "csv" else dumps(row) + b"\n"
        )

    def stored(self, *, site: Site, at: datetime) -> OpenDataFile:
        """Have the file in its place; its name says what is in it."""
        self._packed.close()
        self.content.seek(0)
        digest = hashlib.file_digest(cast("Any", self.content), "sha256").hexdigest()
        size = self.content.tell()
        self.content.seek(0)
        name = f"data/{site.key}-{self.table.name}-{digest[:32]}.{self.kind}.gz"
        if not default_storage.exists(name):
            default_storage.save(name, File(cast("IO[bytes]", self.content)))
        return OpenDataFile(
            site=site,
            table=self.table.name,
            format=self.kind,
            file=name,
            sha256=digest,
            rows=self.rows,
            size=size,
            made_at=at,
        )


def _line(cells: list[Any]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode()


def _cell(value: Any) -> Any:
    """A list with a bar between its entries; what a spreadsheet would take for a formula is marked as none."""
    if isinstance(value, list):
        return "|".join(str(entry) for entry in value)
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}" if isinstance(value, str) and is_formula(value) else value


def write_all(*, at: datetime, lease: jobs.Lease | None = None) -> int:
    """Write every table of every site in both formats, and forget what came before the last ones."""
    files = 0
    for site in Site.objects.order_by("pk"):
        with addresses_of(lambda site=site: address_of(site)):  # type: ignore[misc]
            for table in TABLES.values():
                files += _write(site, table, at=at, lease=lease)
    return files


def _write(site: Site, table: Table, *, at: datetime, lease: jobs.Lease | None) -> int:
    with ExitStack() as stack:
        sinks = [_Sink(table=table, kind=kind, stack=stack) for kind in FORMATS]
        began = time.monotonic()
        for batch in table.batches(site):
            for row in batch:
                for sink in sinks:
                    sink.add(row)
            if lease is not None:
                lease.renew()
                time.sleep((time.monotonic() - began) * RESTS)
            began = time.monotonic()
        rows = [sink.stored(site=site, at=at) for sink in sinks]
    with transaction.atomic():
        if lease is not None:
            lease.guard()
        OpenDataFile.objects.bulk_create(rows)
        gone = [name for row in rows for name in _prune(row)]
    for name in gone:
        default_storage.delete(name)
    return len(rows)


def _prune(row: OpenDataFile) -> set[str]:
    """Forget all but the newest of a kind; gives the names of files that no row has any more."""
    alike = OpenDataFile.objects.filter(site=row.site, table=row.table, format=row.format)
    old = list(alike.order_by("-made_at", "-pk")[STORED:])
    alike.filter(pk__in=[other.pk for other in old]).delete()
    return {str(other.file) for other in old} - set(alike.values_list("file", flat=True))


def newest(site: Site) -> list[OpenDataFile]:
    """The newest file of each table and format, in the order of the tables."""
    rows = OpenDataFile.objects.filter(site=site).order_by("table", "format", "-made_at", "-pk")
    by_kind = {(row.table, row.format): row for row in rows.distinct("table", "format")}
    return [by_kind[table, kind] for table in TABLES for kind in FORMATS if (table, kind) in by_kind]


def newest_of(*, site: Site, table: str, kind: str) -> OpenDataFile | None:
    rows = OpenDataFile.objects.filter(site=site, table=table, format=kind)
    return rows.order_by("-made_at", "-pk").first()
