"""Visits: each person once a day, robots and its own people left out, nobody stored, nothing lost or doubled."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import ProgrammingError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from directory import weeks
from directory.engagement import tally, visits
from directory.models import Listing, Site, VisitCount, VisitSource
from tests.conftest import People, signed_in
from tests.factories.listings import make_listing

PATH, VISIT = "/listings/tidewell", "/listings/tidewell/visit"
NOW = datetime(2026, 11, 18, 14, 20, tzinfo=UTC)
HOUR = NOW.replace(minute=0)
MONDAY = date(2026, 11, 16)
ROBOTS = (
    "Mozilla/5.0 (compatible; Googlebot/2.1)",
    "facebookexternalhit/1.1",
    "WhatsApp/2.23",
    "some-spider",
)


@pytest.fixture
def listing(site: Site, people: People) -> Listing:
    return make_listing("tidewell", owner=people.owner, at=NOW)


def counts(listing: Listing) -> list[tuple[datetime, int, int]]:
    visits.fold_visits()
    rows = VisitCount.objects.filter(listing=listing).order_by("at")
    return list(rows.values_list("at", "visits", "clicks"))


def hosts(listing: Listing) -> dict[str, int]:
    return dict(VisitSource.objects.filter(listing=listing).values_list("host", "visits"))


def seen(listing: Listing, number: int, **values: Any) -> None:
    values = {"at": NOW, **values}
    visits.count_view(listing_id=listing.pk, visitor=f"net:203.0.113.{number}", **values)


@time_machine.travel(NOW, tick=False)
def test_a_visit_and_a_click_count_once_a_day_for_a_person(listing: Listing, client: Client) -> None:
    for address in ("192.0.2.1", "192.0.2.1", "198.51.100.7"):
        client.get(PATH, REMOTE_ADDR=address, headers={"Referer": "https://www.news.example/item?id=7"})
    for _ in range(2):
        answer = client.get(VISIT, REMOTE_ADDR="192.0.2.1")
        assert (answer.status_code, answer["Location"]) == (302, "https://tidewell.example/")

    assert counts(listing) == [(HOUR, 2, 1)]
    assert hosts(listing) == {"news.example": 2}


@time_machine.travel(NOW, tick=False)
def test_robots_and_its_own_people_are_left_out(listing: Listing, people: People, client: Client) -> None:
    listing.co_owners.add(people.stranger)
    for robot in ROBOTS:
        client.get(PATH, headers={"User-Agent": robot})
        client.get(VISIT, headers={"User-Agent": robot})
    for person in (people.owner, people.stranger):
        own = signed_in(person)
        own.get(PATH)
        assert own.get(VISIT).status_code == 302

    assert (counts(listing), hosts(listing)) == ([], {})


@time_machine.travel(NOW, tick=False)
def test_a_visit_writes_nothing_to_the_database(listing: Listing, client: Client) -> None:
    for path in (PATH, VISIT):
        with CaptureQueriesContext(connection) as statements:
            client.get(path)
        writing = ("INSERT", "UPDATE", "DELETE")
        assert [row["sql"] for row in statements if row["sql"].lstrip().startswith(writing)] == []


@pytest.mark.parametrize(
    ("referrer", "host"),
    [
        ("https://www.Example.com/path?q=secret", "example.com"),
        ("https://user:pass@news.example:8443/", "news.example"),
        ("android-app://com.slack/", "com.slack"),
        ("", "Direct"),
        ("not an address", "Direct"),
        ("https://[bad", "Direct"),
        ("https://a:b:c.example\n/", "Direct"),
        (f"https://{'a' * 300}.example/", "Direct"),
    ],
)
def test_of_a_referrer_only_the_host_is_taken(referrer: str, host: str) -> None:
    assert visits.host_of(referrer) == host


def test_ten_thousand_visits_leave_the_figures_and_nobody(listing: Listing) -> None:
    store = tally.redis()
    before = set(store.keys("*"))
    expected: Counter[datetime] = Counter()
    for number in range(10_000):
        at = NOW - timedelta(hours=number % 5)
        expected[at.replace(minute=0)] += 1
        visits.count_view(
            listing_id=listing.pk,
            visitor=f"net:2001:db8::{number:x}",
            at=at,
            referrer=f"https://site{number % 3}.example/profile/somebody-{number}",
        )
        if number % 1000 == 0:
            visits.fold_visits()
    assert counts(listing) == [(hour, expected[hour], 0) for hour in sorted(expected)]
    assert sum(hosts(listing).values()) == 10_000

    keys = {key.decode() for key in set(store.keys("*")) - before}
    assert {key.split(":2026")[0] for key in keys} == {"tally:seen", "tally:salt"}
    assert all(0 < store.ttl(key) <= 25 * 3600 for key in keys)
    assert sum(store.memory_usage(key) or 0 for key in keys) < 40 * 1024 * 1024
    texts = [*kept(), *every_row()]
    assert any("site1.example" in text for text in texts)
    assert not [text for text in texts if "2001:db8" in text or "somebody" in text]


@time_machine.travel(NOW, tick=False)
def test_nor_do_visits_over_http_leave_anybody_in_a_table_or_key(listing: Listing) -> None:
    addresses = [f"198.51.100.{number}" for number in range(40)]
    for number, address in enumerate(addresses):
        headers = {
            "Referer": f"https://news.example/of/reader-{number}",
            "User-Agent": f"Browser of {number}",
        }
        for path in (PATH, VISIT):
            assert Client().get(path, REMOTE_ADDR=address, headers=headers).status_code in {200, 302}
    assert counts(listing) == [(HOUR, 40, 40)]

    texts = [*kept(), *every_row()]
    assert not [text for text in texts if "198.51.100" in text or "reader-" in text or "Browser of" in text]


def kept() -> list[str]:
    """Every key of Redis with what it holds, but those that bound a network's calls of the last minutes."""
    store, texts = tally.redis(), []
    for key in store.scan_iter():
        if key.startswith(b"limit:"):
            assert 0 < store.ttl(key) <= 130
            continue
        kind = store.type(key).decode()
        read = {"string": store.get, "hash": store.hgetall, "set": store.smembers}.get(kind, store.dump)
        texts.append(f"{key} {read(key)}")
    return texts


def every_row() -> list[str]:
    """Every row of every table that the database has, whether or not a model names it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()")
        tables = [name for (name,) in cursor.fetchall()]
        assert len(tables) > 100
        rows = []
        for name in tables:
            cursor.execute(f"SELECT whole::text FROM {name} AS whole")
            rows += [text for (text,) in cursor.fetchall()]
    return rows


def test_hosts_are_stored_of_launch_weeks_alone_which_alone_show_them(listing: Listing) -> None:
    later = NOW + weeks.WEEK
    seen(listing, 1, referrer="https://news.example/")
    seen(listing, 2, at=later, referrer="https://late.example/")

    assert [row[1:] for row in counts(listing)] == [(1, 0), (1, 0)]
    assert hosts(listing) == {"news.example": 1}


def test_once_the_salt_is_gone_nobody_can_be_asked_for(listing: Listing) -> None:
    seen(listing, 1)
    assert tally.redis().delete("tally:salt:2026-11-18") == 1
    seen(listing, 1)

    assert counts(listing) == [(HOUR, 2, 0)]


@pytest.mark.parametrize("dies", ["before the rows", "after the rows"])
def test_a_worker_that_dies_on_the_way_loses_and_doubles_nothing(
    listing: Listing, monkeypatch: pytest.MonkeyPatch, dies: str
) -> None:
    seen(listing, 1)
    with monkeypatch.context() as broken:
        if dies == "before the rows":
            broken.setattr(visits, "HOURS", "SELECT nothing(%s, %s, %s, %s)")
        else:
            broken.setattr(tally, "DROP", "error('gone')")
        for _ in range(2):
            try:
                visits.fold_visits()
            except ProgrammingError:
                assert dies == "before the rows"
    seen(listing, 2)
    assert counts(listing) == [(HOUR, 1, 0)] or dies == "after the rows"
    assert counts(listing) == [(HOUR, 2, 0)]
    assert visits.fold_visits() == 0
    assert Listing.objects.values_list("stats__views", flat=True).get(pk=listing.pk) == 2


def test_after_ninety_days_hours_become_days(listing: Listing) -> None:
    midnight = HOUR.replace(hour=0)
    for at, number in ((midnight, 2), (HOUR, 3), (HOUR + timedelta(days=1), 5)):
        VisitCount.objects.create(listing=listing, at=at, visits=number, clicks=1)

    visits.thin_out(at=NOW + timedelta(days=91))
    visits.thin_out(at=NOW + timedelta(days=91))
    rows = list(VisitCount.objects.order_by("at").values_list("at", "is_day", "visits", "clicks"))
    assert rows == [(midnight, True, 5, 2), (HOUR + timedelta(days=1), False, 5, 1)]


def test_websites_that_sent_few_in_a_week_become_the_others(listing: Listing) -> None:
    for host, number in (("a.example", 10), ("b.example", 9), ("c.example", 1), ("Direct", 4)):
        VisitSource.objects.create(listing=listing, week=MONDAY, host=host, visits=number)

    visits.thin_out(at=NOW)
    assert len(hosts(listing)) == 4
    for _ in range(2):
        visits.thin_out(at=NOW + weeks.WEEK)
    assert hosts(listing) == {"a.example": 10, "Others": 10, "Direct": 4}


def test_a_week_names_no_more_than_a_hundred_websites(listing: Listing) -> None:
    for number in range(130):
        seen(listing, number, referrer=f"https://s{number}.example/")

    visits.fold_visits()
    seen(listing, 200, referrer="https://late.example/")
    visits.fold_visits()
    assert (len(hosts(listing)), hosts(listing)["Others"]) == (101, 31)
