"""What is in the files, and their writing: in batches, with a rest after each, so that readers do not wait for them."""

import csv
import gzip
import hashlib
import io
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any, cast

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction

from accounts.staff.files import is_formula
from core import jobs
from core.api.bodies import dumps
from core.api.links import addresses_of, on_site
from directory.categories.tree import Node, category_tree
from directory.models import Listing, Site
from directory.search.cards import summaries
from directory.sites.lookup import address_of
from leaderboards.models import Award, OpenDataFile, WeekResult

AT_ONCE = 500
Rows = Iterator[Sequence[dict[str, Any]]]
FORMATS = {"ndjson": "application/x-ndjson", "csv": "text/csv"}
STORED = 2  # the newest of each, and the one before for whoever is reading it
RESTS = 0.25  # of the time that a batch took
IN_MEMORY = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Table:
    """One file's worth: its rows come in batches, each with statements of its own."""

    name: str
    title: str
    columns: dict[str, str]
    batches: Callable[[Site], Rows]


def _listings(site: Site) -> Rows:
    last = 0
    live = Listing.objects.live().filter(site=site).order_by("pk")
    while ids := list(live.filter(pk__gt=last).values_list("pk", flat=True)[:AT_ONCE]):
        yield [_listing(card) for card in summaries(listing_ids=ids)]
        last = ids[-1]


def _listing(card: dict[str, Any]) -> dict[str, Any]:
    slugs = {
        "categories": [category["slug"] for category in card["categories"]],
        "awards": [f"{award['code']} {award['week']}" for award in card["awards"]],
    }
    return {name: {**card, **slugs}[name] for name in LISTING}


def _categories(site: Site) -> Rows:
    yield list(_flat(category_tree(site=site, include_empty=True)))


def _flat(nodes: Sequence[Node]) -> Iterator[dict[str, Any]]:
    for node in nodes:
        page = {"page_url": on_site(f"/categories/{node['slug']}")}
        yield {name: {**node, **page}[name] for name in CATEGORY}
        yield from _flat(node["children"])


def _weeks(site: Site) -> Rows:
    last = 0
    final = WeekResult.objects.filter(close__site=site, listing__in=Listing.objects.live()).order_by("pk")
    columns = ("pk", "close__week", "rank", "listing__slug", "listing__name", "votes")
    while rows := list(final.filter(pk__gt=last).values_list(*columns)[:AT_ONCE]):
        yield [dict(zip(WEEK, row[1:], strict=True)) for row in rows]
        last = rows[-1][0]


def _awards(site: Site) -> Rows:
    last = 0
    won = Award.objects.of_weeks().filter(site=site, listing__in=Listing.objects.live()).order_by("pk")
    while rows := list(won.filter(pk__gt=last).select_related("listing")[:AT_ONCE]):
        yield [_award(award) for award in rows]
        last = rows[-1].pk


def _award(award: Award) -> dict[str, Any]:
    row = {**award.in_short(), "listing": award.listing.slug, "name": award.listing.name}
    return {name: row[name] for name in AWARD}


LISTING = {
    "slug": "Its name in addresses",
    "name": "Its name",
    "tagline": "What it is, in a line",
    "short_description": "What it is, in a few lines; empty where nothing is stated",
    "url": "The product's own website",
    "logo_url": "Its logo",
    "categories": "Slugs of its categories, the primary one first",
    "pricing_model": "How it is paid for",
    "country": "Where the company is, ISO 3166-1",
    "stage": "How far it is",
    "votes": "Votes of all time",
    "followers": "How many follow it",
    "views": "How often its page was opened",
    "domain_rating": "Domain Rating, 0 to 100",
    "launch_week": "The Monday of its launch week",
    "launched_at": "When it went live, UTC",
    "plan": "free or paid",
    "featured": "Whether it stands in a paid place now",
    "claimed": "Whether somebody proved that it is theirs",
    "awards": "What it won, each with its week",
    "page_url": "Its page here",
    "updated_at": "When it last changed, UTC",
}
CATEGORY = {
    "slug": "Its name in addresses",
    "name": "Its name",
    "description": "What belongs in it",
    "parent": "Slug of the category above it",
    "listings_count": "Live listings in it",
    "total_listings_count": "The same with its subcategories",
    "page_url": "Its page here",
}
WEEK = {
    "week": "The Monday of a closed launch week",
    "rank": "The final place",
    "listing": "Slug of the listing",
    "name": "Its name",
    "votes": "Votes of that week that counted",
}
AWARD = {
    "id": "The award's number",
    "code": "Its code in the API",
    "title": "What it is called",
    "week": "The Monday of its week",
    "rank": "1, 2 or 3",
    "votes": "Votes of that week that counted",
    "listing": "Slug of the listing that won it",
    "name": "The listing's name",
}
TABLES = {
    table.name: table
    for table in (
        Table(name="listings", title="Live listings", columns=LISTING, batches=_listings),
        Table(name="categories", title="Categories", columns=CATEGORY, batches=_categories),
        Table(name="weeks", title="Final places of closed weeks", columns=WEEK, batches=_weeks),
        Table(name="awards", title="Awards", columns=AWARD, batches=_awards),
    )
}


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
