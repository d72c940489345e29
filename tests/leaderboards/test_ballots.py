"""Votes that can be checked: the file of a closed week, its chain over the weeks, its head, the voter's own ballot."""

import gzip
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import services as accounts
from directory.models import Listing, Site, Vote
from leaderboards import ballots, closing
from leaderboards.ballots import ballots_of_voter
from leaderboards.models import BallotFile, WeekResult
from tests.factories.listings import make_listing
from tests.leaderboards.conftest import NEXT_MONDAY, WEDNESDAY, WEEK

CHECK = Path(__file__).resolve().parents[2] / "config" / "docs" / "checks" / "check_ballots.py"
WEEKS = timedelta(days=7)
PASSWORD = "correct horse battery"
ADDRESS = f"/weeks/{WEEK}/ballots.ndjson.gz"


@pytest.fixture
def three(site: Site, vote: Callable[..., Any]) -> list[Listing]:
    """Three launches; two are level, and of three votes for the first one is void."""
    listings = [
        make_listing("first", at=WEDNESDAY),
        make_listing("second", at=WEDNESDAY - timedelta(microseconds=5)),
        make_listing("third", at=WEDNESDAY),
    ]
    for listing, number in zip(listings, (3, 2, 0), strict=True):
        vote(listing, number)
    last = Vote.objects.filter(listing=listings[0]).latest("pk")
    Vote.objects.filter(pk=last.pk).update(voided_at=WEDNESDAY)
    return listings


def close(week: date = WEEK) -> None:
    call_command("close_week", week=week, at=NEXT_MONDAY + (week - WEEK))


def fetch(client: Client, address: str = ADDRESS) -> bytes:
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/gzip")
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def rows_of(packed: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(packed).splitlines()]


def check(tmp_path: Path, packed: bytes, *secrets: str) -> tuple[int, str]:
    """The script of the docs, which knows nothing of this project."""
    (tmp_path / "b.gz").write_bytes(packed)
    (tmp_path / "jwks.json").write_bytes(Client().get("/.well-known/jwks.json").content)
    command = [
        sys.executable,
        "-I",
        str(CHECK),
        str(tmp_path / "b.gz"),
        str(tmp_path / "jwks.json"),
        *secrets,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_file_names_no_person_and_no_hour_and_marks_what_is_void(
    three: list[Listing], client: Client
) -> None:
    close()
    week, *rows, head = rows_of(fetch(client))

    first, second, third = three
    assert week == {
        "kind": "week", "site": "main", "week": "2026-11-16", "closed_at": "2026-11-23T00:00:00Z",
        "listings": 3, "votes": 4, "previous": "0" * 64,
    } | {"site": week["site"]}  # fmt: skip
    listings = [
        (row["rank"], row["listing"], row["slug"], row["votes"], row["void"])
        for row in rows
        if row["kind"] == "listing"
    ]
    assert listings == [
        (1, second.pk, "second", 2, 0),
        (2, first.pk, "first", 2, 1),
        (3, third.pk, "third", 0, 0),
    ]
    cast = [row for row in rows if row["kind"] == "ballot"]
    assert {frozenset(row) for row in cast} == {
        frozenset({"kind", "listing", "ballot"}),
        frozenset({"kind", "listing", "ballot", "void"}),
    }
    assert [row["listing"] for row in cast] == [second.pk] * 2 + [first.pk] * 3
    for listing in (first, second):
        own = [row["ballot"] for row in cast if row["listing"] == listing.pk]
        assert own == sorted(own)
    assert set(head) == {"kind", "head", "signature"}


def test_the_script_of_the_docs_has_forty_lines_and_counts_it(
    three: list[Listing], client: Client, tmp_path: Path
) -> None:
    close()
    assert len(CHECK.read_text().splitlines()) <= 40

    assert check(tmp_path, fetch(client)) == (0, "Week of 2026-11-16: 4 votes, 3 places, as signed.\n")


def test_a_flipped_byte_anywhere_is_found(three: list[Listing], client: Client, tmp_path: Path) -> None:
    close()
    plain = gzip.decompress(fetch(client))
    lines = plain.splitlines()
    swapped = b"\n".join([*lines[:2], lines[3], lines[2], *lines[4:]])
    missing = b"\n".join([*lines[:3], *lines[4:]])
    voided = plain.replace(b"}\n", b',"void":true}\n', 3)
    flipped = [
        plain[:at] + bytes([plain[at] ^ 1]) + plain[at + 1 :]
        for at in (30, len(plain) // 2, plain.rindex(b"kind"), len(plain) - 4)
    ]

    for wrong in (swapped, missing, voided, *flipped):
        assert check(tmp_path, gzip.compress(wrong))[0] != 0


def test_the_chain_runs_over_the_weeks(
    three: list[Listing], vote: Callable[..., Any], client: Client, site: Site, tmp_path: Path
) -> None:
    later = make_listing("later", at=WEDNESDAY + WEEKS)
    vote(later, 1, at=WEDNESDAY + WEEKS)
    close()
    close(WEEK + WEEKS)
    close(WEEK + WEEKS)

    packed = fetch(client, f"/weeks/{WEEK + WEEKS}/ballots.ndjson.gz")
    assert rows_of(packed)[0]["previous"] == rows_of(fetch(client))[-1]["head"]
    assert check(tmp_path, packed)[0] == 0
    assert BallotFile.objects.count() == 2


def test_a_voter_finds_the_ballot_and_nobody_else_sees_the_secret(
    three: list[Listing], client: Client, tmp_path: Path, site: Site
) -> None:
    voter = Vote.objects.filter(listing=three[1]).earliest("pk").user
    accounts.create_user(email=voter.email, password=PASSWORD)
    signed_in = Client()
    signed_in.post("/accounts/login/", {"login": voter.email, "password": PASSWORD})
    assert "ballots.ndjson.gz" not in signed_in.get(f"/weeks/{WEEK}").content.decode()
    close()
    page = signed_in.get(f"/weeks/{WEEK}").content.decode()
    secret, ballot = re.findall(r"<code>([0-9a-f]{32}|[0-9a-f]{64})</code>", page)

    assert hashlib.sha256(f"{three[1].pk} 2026-11-16 {secret}".encode()).hexdigest() == ballot
    packed = fetch(client)
    assert ballot in [row.get("ballot") for row in rows_of(packed)]
    assert check(tmp_path, packed, secret)[1].endswith(f"Your ballot {ballot} is there.\n")
    assert "is there" not in check(tmp_path, packed, "0" * 32)[1]
    anonymous = client.get(f"/weeks/{WEEK}").content.decode()
    assert secret not in anonymous
    assert "Sign in" in anonymous
    assert secret.encode() not in gzip.decompress(packed)


def test_verify_names_what_does_not_follow_from_the_votes(three: list[Listing], site: Site) -> None:
    close()
    call_command("close_week", week=WEEK, verify=True)
    row = BallotFile.objects.get()
    name, whole = row.file.name, row.file.open("rb").read()

    def wrong() -> str:
        with pytest.raises(CommandError) as refusal:
            call_command("close_week", week=WEEK, verify=True)
        return str(refusal.value).rpartition("(")[2].removesuffix(").")

    default_storage.delete(name)
    assert wrong() == "file"
    default_storage.save(name, _file(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]))
    assert wrong() == "file"
    default_storage.delete(name)
    default_storage.save(name, _file(whole))
    assert ballots.faults_of(site=site, week=WEEK) == []
    BallotFile.objects.update(head="f" * 64)
    assert wrong() == "file, head"
    BallotFile.objects.update(head=row.head, previous="e" * 64)
    assert wrong() == "chain, file, head"
    BallotFile.objects.update(previous=row.previous)
    WeekResult.objects.filter(rank=3).update(rank=9)
    assert wrong() == "places"


def _file(content: bytes) -> Any:
    return ContentFile(content)


def test_what_happens_to_a_vote_later_changes_nothing(
    three: list[Listing], client: Client, site: Site
) -> None:
    close()
    before = fetch(client)
    Vote.objects.filter(listing=three[1]).update(voided_at=NEXT_MONDAY + timedelta(days=1))

    assert ballots.faults_of(site=site, week=WEEK) == []
    assert fetch(client) == before


def test_a_week_without_a_result_that_follows_has_no_file(
    three: list[Listing], client: Client, site: Site
) -> None:
    closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)
    Vote.objects.filter(listing=three[0]).delete()

    assert [ballots.write_missing(), ballots.write_missing()] == [0, 0]
    assert client.get(ADDRESS).status_code == 404
    assert "ballots.ndjson.gz" not in client.get(f"/weeks/{WEEK}").content.decode()


@pytest.mark.parametrize("week", ["2026-11-17", "2026-11-23", "this", "x", "2026-99-99"])
def test_other_weeks_have_none(three: list[Listing], client: Client, week: str) -> None:
    close()

    assert client.get(f"/weeks/{week}/ballots.ndjson.gz").status_code == 404


def test_the_week_page_asks_as_much_for_many_ballots_as_for_one(
    three: list[Listing], vote: Callable[..., Any], site: Site
) -> None:
    voter = Vote.objects.filter(listing=three[1]).earliest("pk").user
    close()

    def cost() -> int:
        with CaptureQueriesContext(connection) as seen:
            ballots_of_voter(user_id=voter.pk, site=site, week=WEEK)
        return len(seen)

    one = cost()
    Vote.objects.create(listing=three[2], user=voter, week=WEEK, created_at=WEDNESDAY)
    assert (one, cost()) == (3, 3)
