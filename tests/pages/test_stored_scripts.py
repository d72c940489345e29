"""Whatever text stands in a column, no page makes a script, a link to one, or markup of it."""

import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

from django.test import Client

from tests.factories.staff import fresh, make_staff
from tests.pages.poison import MARK, poison
from tests.pages.reading import JSON_LD, Read
from tests.pages.staff import staff_addresses
from tests.pages.table import PAGES, Page

FEEDS = (
    "/feeds/launches.atom",
    "/feeds/categories/invoicing.atom",
    "/feeds/blog.atom",
    "/feeds/awards.atom",
    "/feeds/listings/tidewell/updates.atom",
    "/sitemap.xml",
)
PARTS = ("/search/suggestions?q=script", "/listings/tidewell.md", "/feeds/launches.ics")


def test_no_text_of_anybody_runs_on_a_page_of_the_site(
    names: dict[str, str], reader: Callable[[Page], Client]
) -> None:
    assert poison() > 100
    running, shown = {}, 0
    for page in PAGES:
        answer = reader(page).get(page.at(names))
        assert answer.status_code in {200, 302, 400, page.status}, (page.name, answer.status_code)
        text = answer.content.decode()
        shown += MARK in text
        if text and (found := _running(text)):
            running[page.name] = found

    assert running == {}
    assert shown > len(PAGES) / 2
    for address in FEEDS:
        body = Client().get(address).content
        assert ET.fromstring(body).tag, address
        assert b"<script>" not in body.replace(b"<![CDATA[", b"")
    for address in PARTS:
        answer = Client().get(address)
        assert answer.status_code == 200, address
        assert answer["X-Content-Type-Options"] == "nosniff"
        if answer["Content-Type"].startswith("text/html"):
            assert Read(f"<ul>{answer.content.decode()}</ul>").running == []


def test_no_text_of_anybody_runs_in_the_back_office(names: dict[str, str]) -> None:
    poison()
    boss = make_staff("administrator")
    boss.is_superuser = True
    boss.save()
    client = Client(raise_request_exception=False)
    client.force_login(boss)
    running, failed, shown = {}, {}, 0
    for address in staff_addresses():
        answer = fresh(client).get(address)
        if answer.status_code >= 500:
            failed[address] = answer.status_code
        if not answer.get("Content-Type", "").startswith("text/html") or not answer.content:
            continue
        text = answer.content.decode()
        shown += MARK in text
        if found := _running(text):
            running[address] = found

    assert (running, failed) == ({}, {})
    assert shown > 40


def _running(text: str) -> list[Any]:
    """What would run, and structured data that are no longer data."""
    page = Read(text)
    page.data  # noqa: B018  (which refuses what is not JSON)
    ended = [
        block for block in page.all(f"//script[@type='{JSON_LD}']") if len(block) or "<" in (block.text or "")
    ]
    return [*page.running, *ended]
