"""Weeks and boards as pages: where one is, what counts so far, who measured and verified."""

import re
from collections.abc import Iterator
from datetime import date

import pytest
import time_machine
from django.test import Client

from directory.models import Listing
from directory.weeks import WEEK
from leaderboards.boards import refresh_boards
from leaderboards.models import Award, RevenueReport, Standing
from leaderboards.ratings import Rating, store_ratings
from tests.factories.listings import AT, make_listing


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def listing(db: None) -> Listing:
    make_listing("wrenly", at=AT - WEEK, votes=3)
    make_listing("ledgerlark", votes=7)
    return make_listing("tidewell", votes=12)


def test_a_running_week_has_its_neighbours_boards_and_totals(listing: Listing, client: Client) -> None:
    text = client.get("/weeks/2026-11-16").content.decode()

    assert "16–22 November 2026" in text
    assert "19 votes by 0 people" in text
    assert re.findall(r'href="/weeks/([\d-]+)"\s+rel="(\w+)"', text) == [
        ("2026-11-09", "prev"),
        ("2026-11-23", "next"),
    ]
    assert 'href="/leaderboards/domain-rating"' in text


def test_a_past_week_shows_numbers_and_no_arrow(listing: Listing, client: Client) -> None:
    text = client.get("/weeks/2026-11-09").content.decode()
    row = text.split('id="wrenly"')[1].split("</li>")[0]

    assert "arrow-big-up" not in row
    assert re.search(r"3\s*<span[^>]*>votes</span>\s*<span class=\"hidden-words\">, final", row)


def test_ratings_are_a_table_with_source_date_and_trend(listing: Listing, client: Client) -> None:
    months = [(date(2026, month, 15), 30 + month) for month in range(1, 12)]
    ratings = [Rating(domain="tidewell.example", value=v, source="Ahrefs", date=d) for d, v in months]
    store_ratings(ratings=ratings, at=AT)
    refresh_boards(at=AT)

    text = client.get("/leaderboards/domain-rating").content.decode()

    assert all(words in text for words in ("Ahrefs, 15 Nov 2026", "From 31 to 41", "+1"))
    assert Standing.objects.filter(board="domain-rating").count() == 1


def test_revenue_says_a_month_and_who_verified_it_when(listing: Listing, client: Client) -> None:
    for slug, method in (("tidewell", "Stripe"), ("ledgerlark", "")):
        RevenueReport.objects.create(
            listing=Listing.objects.get(slug=slug),
            amount_cents=185000,
            is_verified=bool(method),
            method=method,
            as_of=date(2026, 10, 31),
            entered_at=AT,
        )
    refresh_boards(at=AT)

    words = " ".join(re.sub(r"<[^>]+>", " ", client.get("/leaderboards/revenue").content.decode()).split())

    assert "€1,850 a month verified by Stripe 31 Oct 2026" in words
    assert "stated by the owner 31 Oct 2026" in words


def test_a_figure_says_how_that_very_one_was_verified(listing: Listing, client: Client) -> None:
    for method, month in (("Stripe", 9), ("", 10)):
        RevenueReport.objects.create(
            listing=listing,
            amount_cents=month * 100_00,
            is_verified=bool(method),
            method=method or "Their newsletter",
            as_of=date(2026, month, 30),
            entered_at=AT,
        )
    refresh_boards(at=AT)

    words = " ".join(re.sub(r"<[^>]+>", " ", client.get("/leaderboards/revenue").content.decode()).split())

    assert "€900 a month verified by Stripe 30 Sep 2026" in words


def test_past_the_last_page_of_awards_is_not_a_site_without_awards(listing: Listing, client: Client) -> None:
    assert "No awards yet" in client.get("/awards").content.decode()
    Award.objects.create(
        site=listing.site, listing=listing, week=date(2026, 11, 9), rank=1, votes=3, given_at=AT
    )

    text = client.get("/awards?page=99").content.decode()

    assert "No more awards" in text
    assert "of 1" not in text
