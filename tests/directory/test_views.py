"""Views: once a visitor and day for each listing, and never lost on their way from Redis to the counters."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from directory.engagement import tally, visits
from directory.models import Listing, ListingStats, Site
from tests.conftest import People
from tests.factories.listings import AT, make_listing

PATH = "/listings/tidewell"
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def listing(site: Site) -> Listing:
    return make_listing("tidewell")


def seen(listing: Listing) -> int:
    visits.fold_visits()
    return ListingStats.objects.get(pk=listing.pk).views


def view(listing: Listing, visitor: str = "net:192.0.2.1", at: Any = AT) -> None:
    visits.count_view(listing_id=listing.pk, visitor=visitor, at=at)


def test_a_visitor_counts_once_a_day_for_each_listing(listing: Listing) -> None:
    other = make_listing("other")
    for _ in range(3):
        view(listing)
    view(other)
    view(listing, "net:192.0.2.2")
    assert (seen(listing), seen(other)) == (2, 1)

    view(listing, at=AT + timedelta(hours=14))
    view(listing, at=AT + timedelta(hours=15))
    assert seen(listing) == 3


def test_pages_count_the_person_or_the_network_whatever_the_browser(people: People, listing: Listing) -> None:
    client = Client()
    for number in range(20):
        client.get(PATH, headers={"User-Agent": f"{BROWSER} {number}"})
    assert seen(listing) == 1

    client.force_login(people.stranger)
    client.get(PATH)
    client.get(PATH, REMOTE_ADDR="192.0.2.8")
    assert seen(listing) == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
        {"User-Agent": "some-spider"},
        {"Sec-Purpose": "prefetch;prerender"},
        {"Purpose": "prefetch"},
    ],
)
def test_crawlers_and_prefetching_count_nothing(
    client: Client, listing: Listing, headers: dict[str, str]
) -> None:
    assert client.get(PATH, headers=headers).status_code == 200
    assert client.head(PATH).status_code == 200
    assert seen(listing) == 0


def test_redis_holds_a_days_visitors_in_two_megabytes(listing: Listing) -> None:
    for number in range(200):
        view(listing, f"user:{number}")

    assert seen(listing) == 200
    keys = [key for key in tally.redis().keys("*") if b"seen" in key]
    assert [tally.redis().strlen(key) <= 2 * 1024 * 1024 for key in keys] == [True]
    assert 0 < tally.redis().ttl(keys[0]) <= 25 * 3600
