"""Open data: files that load into csv and json, of what public pages show, without anybody who was erased."""

import csv
import gzip
import hashlib
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from config import personal_data
from core import jobs
from directory.models import Founder, Listing, ListingFounder, Site
from leaderboards import closing
from leaderboards.models import OpenDataFile
from leaderboards.open_data import tables
from leaderboards.open_data.tables import TABLES
from tests.conftest import Api, People
from tests.factories.listings import make_category, make_listing
from tests.leaderboards.conftest import NEXT_MONDAY, WEDNESDAY, WEEK

NAME, EMAIL = "Inês Caldeira", "owner@people.example"


@pytest.fixture
def world(site: Site, people: People, vote: Callable[..., Any]) -> Listing:
    """Two live listings, one of them an owner's with an award, and one that is not public."""
    make_category("invoicing", name="Invoicing")
    people.owner.name = NAME
    people.owner.save(update_fields=["name"])
    first = make_listing(
        "first", owner=people.owner, at=WEDNESDAY, contact_email=EMAIL, tagline='=SUM("a", 1)'
    )
    make_listing("second", at=WEDNESDAY, tagline="Invoices, “quoted”\nand more")
    make_listing("saved", owner=people.owner, status="draft")
    founder = Founder.objects.create(slug="ines", user=people.owner, name=NAME, created_at=WEDNESDAY)
    ListingFounder.objects.create(listing=first, founder=founder)
    vote(first, 2)
    closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)
    return first


def write(*, days: int = 0) -> None:
    tables.write_all(at=timezone.now() + timedelta(days=days))


def fetch(name: str) -> bytes:
    answer = Client().get(f"/data/{name}.gz")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/gzip")
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def as_json(table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(fetch(f"{table}.ndjson")).splitlines()]


def as_csv(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(gzip.decompress(fetch(f"{table}.csv")).decode(), newline="")))


def test_the_files_load_and_have_what_public_pages_show(world: Listing, api: Api) -> None:
    write()
    public = {card["slug"]: card for card in api().get("/api/v1/listings").json()["items"]}

    rows = as_json("listings")
    assert [row["slug"] for row in rows] == ["first", "second"]
    for row in rows:
        card = public[row["slug"]]
        plain = {name: value for name, value in row.items() if name not in {"categories", "awards"}}
        assert plain == {name: card[name] for name in plain}
        assert row["categories"] == [category["slug"] for category in card["categories"]]
    assert rows[0]["awards"] == ["launch_of_the_week_1 2026-11-16"]
    assert as_json("weeks") == [
        {"week": "2026-11-16", "rank": 1, "listing": "first", "name": world.name, "votes": 2},
        {"week": "2026-11-16", "rank": 2, "listing": "second", "name": "Second", "votes": 0},
    ]
    [award] = as_json("awards")
    assert (award["listing"], award["rank"], award["votes"]) == ("first", 1, 2)
    assert "invoicing" in [row["slug"] for row in as_json("categories")]


@pytest.mark.parametrize("table", list(TABLES))
def test_csv_and_ndjson_say_the_same_and_have_the_columns_that_are_stated(world: Listing, table: str) -> None:
    write()
    columns = list(TABLES[table].columns)
    lines, rows = as_csv(table), as_json(table)

    assert (len(lines), len(rows) > 0) == (len(rows), True)
    assert {tuple(row) for row in rows} == {tuple(columns)} == {tuple(line) for line in lines}
    for line, row in zip(lines, rows, strict=True):
        assert line == {name: _text(value) for name, value in row.items()}


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "|".join(value)
    if isinstance(value, str) and value.startswith("="):
        return f"'{value}"
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_the_index_and_the_page_state_rows_and_digests(world: Listing) -> None:
    write()
    index = Client().get("/data/index.json").json()
    page = Client().get("/data").content.decode()

    files = [(table["name"], file) for table in index["tables"] for file in table["files"]]
    assert [(name, file["format"]) for name, file in files] == [
        (name, kind) for name in ("listings", "categories", "weeks", "awards") for kind in ("ndjson", "csv")
    ]
    for name, file in files:
        packed = fetch(f"{name}.{file['format']}")
        assert (len(packed), hashlib.sha256(packed).hexdigest()) == (file["bytes"], file["sha256"])
        assert file["rows"] == len(as_json(name))
        assert file["sha256"] in page
    [text] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    dataset = json.loads(text)
    assert (dataset["@type"], len(dataset["distribution"])) == ("Dataset", 8)
    assert 'href="/data"' in Client().get("/").content.decode()


def test_the_licence_is_the_operators(world: Listing, settings: Any) -> None:
    write()
    assert Client().get("/data/index.json").json()["license"] is None
    assert "No licence was granted." in Client().get("/data").content.decode()

    settings.DATA_LICENSE = "https://creativecommons.org/publicdomain/zero/1.0/"
    assert Client().get("/data/index.json").json()["license"] == settings.DATA_LICENSE
    page = Client().get("/data").content.decode()
    assert f'<a href="{settings.DATA_LICENSE}" rel="license">' in page
    settings.DATA_LICENSE = "All rights <reserved>"
    assert "All rights &lt;reserved&gt;" in Client().get("/data").content.decode()


def everything() -> str:
    files = [(table, kind) for table in TABLES for kind in tables.FORMATS]
    return "".join(gzip.decompress(fetch(f"{table}.{kind}")).decode() for table, kind in files)


def test_nobody_is_in_a_row_and_what_was_erased_is_out_of_the_next(world: Listing, people: People) -> None:
    Listing.objects.filter(pk=world.pk).update(tagline=f"Made by {NAME}")
    write()
    assert EMAIL not in everything()
    assert NAME not in everything().replace(f"Made by {NAME}", "")

    personal_data.erase(user_id=people.owner.pk, at=timezone.now())
    Listing.objects.filter(pk=world.pk).delete()
    write(days=1)
    text = everything()
    assert [word for word in (EMAIL, NAME, "first", "ines") if word in text] == []
    assert as_json("weeks") == [
        {"week": "2026-11-16", "rank": 2, "listing": "second", "name": "Second", "votes": 0}
    ]


def test_old_files_go_and_the_one_before_stays(world: Listing) -> None:
    names: list[str] = []
    for day in range(3):
        Listing.objects.filter(pk=world.pk).update(tagline=f"Line {day}")
        make_listing(f"more-{day}", at=WEDNESDAY)
        write(days=day)
        newest = tables.newest_of(site=world.site, table="listings", kind="csv")
        assert newest is not None
        names.append(str(newest.file))

    assert [default_storage.exists(name) for name in names] == [False, True, True]
    assert OpenDataFile.objects.count() == 16
    write(days=3)  # nothing has changed: the same file again, and none is lost
    assert [default_storage.exists(name) for name in names] == [False, False, True]
    assert len(as_csv("listings")) == 5


def test_the_nightly_job_writes_them_among_what_gives_way(world: Listing) -> None:
    jobs.add("leaderboards.write_open_data", key="tonight")

    assert jobs.run_due(queues={"crawl"}) == 1
    assert len(as_json("listings")) == 2


def test_before_the_first_night_there_is_nothing(site: Site) -> None:
    assert Client().get("/data/index.json").json()["made_at"] is None
    assert "The first files are on their way." in Client().get("/data").content.decode()
    for name in ("listings.csv", "people.csv", "listings.xlsx"):
        assert Client().get(f"/data/{name}.gz").status_code == 404
