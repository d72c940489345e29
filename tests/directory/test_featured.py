"""The marked places: on three pages, at most three products at a time, by turns, and never among ranks."""

import re
from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from directory.launches.featuring import featured
from directory.models import FeaturedPlace, Listing, Site
from tests.factories.listings import make_listing

HOUR = timedelta(hours=1)
BOX = re.compile(r'<section class="box paid-box" aria-labelledby="featured">.*?</section>', re.S)


def place(
    slug: str, *, category: str = "invoicing", since: timedelta = -HOUR, length: timedelta = 2 * HOUR
) -> Listing:
    """A listing with a place from then on, for so long."""
    listing = make_listing(slug, categories=(category, "payroll"))
    begins_at = timezone.now() + since
    FeaturedPlace.objects.create(listing=listing, begins_at=begins_at, ends_at=begins_at + length)
    return listing


def box(client: Client, path: str) -> str:
    """The marked place of a page, or nothing."""
    shown = BOX.findall(client.get(path).content.decode())
    return shown[0] if shown else ""


@pytest.mark.parametrize("path", ["/", "/weeks/this", "/categories/invoicing"])
def test_it_stands_marked_on_three_pages(site: Site, client: Client, path: str) -> None:
    place("runs")
    place("ended", since=-2 * HOUR, length=HOUR)
    place("comes", since=HOUR)

    text = box(client, path)

    assert re.findall(r'<a href="/listings/([a-z]+)" rel="sponsored">', text) == ["runs"]
    assert '<span class="paid">Paid</span>' in text
    assert "This place was paid for. It changes no rank." in text


def test_a_category_shows_those_that_are_filed_there_first(site: Site, client: Client) -> None:
    place("runs")

    assert box(client, "/categories/payroll") == ""
    assert box(client, "/categories/invoicing?page=2") == ""


def test_nobody_featured_is_no_box(site: Site, client: Client) -> None:
    make_listing("plain")

    assert [box(client, path) for path in ("/", "/weeks/this", "/categories/invoicing")] == ["", "", ""]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_turns_are_equally_long(site: Site, count: int) -> None:
    now = timezone.now()
    listings = [place(f"p{number}", length=200 * HOUR) for number in range(count)]
    hours = [featured(site_id=site.pk, at=now + number * HOUR) for number in range(count * 3)]

    shown = Counter(card["slug"] for cards in hours for card in cards)
    first = Counter(cards[0]["slug"] for cards in hours)
    each = 3 * min(3, count)
    assert {len(cards) for cards in hours} == {min(3, count)}
    assert shown == {listing.slug: each for listing in listings}
    assert set(first) == set(shown)


def test_it_costs_one_statement_however_many_there_are(site: Site) -> None:
    for number in range(7):
        place(f"p{number}")

    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert len(featured(site_id=site.pk, at=timezone.now(), category="invoicing")) == 3
    assert len(queries) == 1
