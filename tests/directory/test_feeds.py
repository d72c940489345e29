"""Feeds: Atom, JSON Feed and iCalendar."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
import time_machine
from icalendar import Calendar

from directory import weeks
from directory.models import BlogPost, Launch, ListingUpdate, Site
from tests.conftest import Api
from tests.factories.listings import make_category, make_listing

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
ATOM = "{http://www.w3.org/2005/Atom}"
MONDAY = date(2026, 11, 16)
FEEDS = ("launches", "categories/finance", "blog", "awards", "listings/tidewell/updates")
HOSTILE = "A & B <script> ]]> \u202e\x0b"


@pytest.fixture
def world(site: Site) -> None:
    """Something in every feed."""
    make_category("invoicing", parent=make_category("finance"))
    award = {
        "id": 7,
        "code": "launch_of_the_week_1",
        "title": "Launch of the Week #1",
        "rank": 1,
        "week": "2026-11-09",
        "votes": 3,
    }
    listing = make_listing(name="Tidewell & Co", at=NOW - timedelta(days=7), votes=3, awards=[award])
    make_listing("brindle", at=NOW, votes=1, categories=("health",))
    make_listing("calder", at=NOW, status="scheduled", launch_week=MONDAY + weeks.WEEK)
    ListingUpdate.objects.create(listing=listing, title=HOSTILE, body="Line one\nline two", posted_at=NOW)
    BlogPost.objects.create(
        site=site,
        slug="hello",
        title="Hello",
        excerpt="Short",
        author="Ed",
        markdown="x",
        published_at=NOW,
        updated_at=NOW,
    )
    BlogPost.objects.create(site=site, slug="draft", title="Draft", markdown="x", updated_at=NOW)


def get(api: Api, path: str, **headers: str) -> Any:
    with time_machine.travel(NOW, tick=False):
        return api().client.get(f"/feeds/{path}", headers=headers)


@pytest.mark.parametrize("name", FEEDS)
def test_both_forms_say_the_same(api: Api, world: Any, name: Any) -> None:
    atom, json = get(api, f"{name}.atom"), get(api, f"{name}.json")
    root, feed = ElementTree.fromstring(atom.content), json.json()
    entries = root.findall(f"{ATOM}entry")

    assert atom["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert json["Content-Type"] == "application/feed+json; charset=utf-8"
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert [entry.findtext(f"{ATOM}id") for entry in entries] == [item["id"] for item in feed["items"]]
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == [item["title"] for item in feed["items"]]
    assert entries != []
    for entry in entries:
        assert {f"{ATOM}{part}" for part in ("id", "title", "updated", "author", "link", "content")} <= {
            part.tag for part in entry
        }
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert (links["self"], links["alternate"]) == (root.findtext(f"{ATOM}id"), feed["home_page_url"])
    assert feed["feed_url"].endswith(f"/feeds/{name}.json")


@pytest.mark.parametrize("path", [*(f"{name}.atom" for name in FEEDS), "launches.json", "launches.ics"])
def test_a_reader_that_has_it_gets_304(api: Api, world: Any, path: str) -> None:
    first = get(api, path)
    again = get(api, path, **{"If-None-Match": first["ETag"]})

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert first["Cache-Control"] == "public, max-age=300, stale-while-revalidate=300"
    assert first["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("name", ["launches", "categories/finance", "blog", "listings/tidewell/updates"])
def test_the_page_of_a_feed_names_it_to_readers_of_news(api: Api, world: Any, name: str) -> None:
    with time_machine.travel(NOW, tick=False):
        page = (
            api().client.get(urlsplit(get(api, f"{name}.json").json()["home_page_url"]).path).content.decode()
        )

    (link,) = re.findall(r'<link rel="alternate"\s+type="application/atom\+xml"[^>]*>', page)
    assert f'href="/feeds/{name}.atom"' in link
    assert f'<a class="small" href="/feeds/{name}.atom">' in page or f'<a href="/feeds/{name}.atom">' in page


def test_launches_come_newest_first_and_a_category_has_its_own(api: Api, world: Any) -> None:
    launches = [item["title"] for item in get(api, "launches.json").json()["items"]]
    finance = [item["title"] for item in get(api, "categories/finance.json").json()["items"]]

    assert (launches, finance) == (["Brindle", "Tidewell & Co"], ["Tidewell & Co"])


def test_updates_are_text_and_cannot_break_the_feed(api: Api, world: Any) -> None:
    (item,) = get(api, "listings/tidewell/updates.json").json()["items"]
    root = ElementTree.fromstring(get(api, "listings/tidewell/updates.atom").content)

    assert item["content_text"] == "Line one\nline two"
    assert root.findtext(f"{ATOM}entry/{ATOM}title") == "A & B <script> ]]> \u202e"


def test_awards_name_week_and_votes(api: Api, world: Any) -> None:
    (item,) = get(api, "awards.json").json()["items"]

    assert item["title"] == "Launch of the Week #1: Tidewell & Co"
    assert (
        item["content_text"]
        == "Tidewell & Co won Launch of the Week #1 in the week of 9 November 2026 with 3 votes."
    )
    assert item["id"].endswith("/listings/tidewell#award-7")


def test_only_published_posts_are_in_the_blogs_feed(api: Api, world: Any) -> None:
    (item,) = get(api, "blog.json").json()["items"]

    assert (item["title"], item["content_text"], item["authors"]) == ("Hello", "Short", [{"name": "Ed"}])


@pytest.mark.parametrize("name", ["launches", "blog", "awards"])
def test_an_empty_feed_is_a_feed(api: Api, site: Site, name: Any) -> None:
    root = ElementTree.fromstring(get(api, f"{name}.atom").content)

    assert root.findall(f"{ATOM}entry") == []
    assert root.findtext(f"{ATOM}updated") == "2026-11-16T00:00:00Z"


@pytest.mark.parametrize(
    "path",
    [
        "launches.rss",
        "categories/nothing.atom",
        "categories/a%00b.atom",
        "listings/a%00b/updates.json",
        "listings/nobody/updates.atom",
        "listings/hidden/updates.atom",
        "nothing.atom",
    ],
)
def test_what_is_not_there_is_404(api: Api, site: Site, path: str) -> None:
    make_listing("hidden", status="draft")

    assert get(api, path).status_code == 404


def test_the_calendar_has_a_week_for_each_week_with_launches(api: Api, world: Any) -> None:
    answer = get(api, "launches.ics")
    calendar = Calendar.from_ical(answer.content)
    events = [
        (event.decoded("dtstart"), event.decoded("dtend"), str(event["summary"]), str(event["description"]))
        for event in calendar.walk("VEVENT")
    ]

    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert events == [
        (date(2026, 11, 9), MONDAY, "1 launch on Launch Directory", "Tidewell & Co"),
        (MONDAY, date(2026, 11, 23), "1 launch on Launch Directory", "Brindle"),
        (date(2026, 11, 23), date(2026, 11, 30), "1 launch on Launch Directory", "Calder"),
    ]


def test_the_calendar_names_twenty_and_counts_all(api: Api, site: Site) -> None:
    for number in range(23):
        make_listing(f"listing-{number:02}", at=NOW, votes=number)
    Launch.objects.filter(listing__slug="listing-00").update(week=MONDAY - 9 * weeks.WEEK)
    (event,) = Calendar.from_ical(get(api, "launches.ics").content).walk("VEVENT")

    assert str(event["summary"]) == "22 launches on Launch Directory"
    assert str(event["description"]).split("\n")[:2] == ["Listing 22", "Listing 21"]
    assert len(str(event["description"]).split("\n")) == 20
