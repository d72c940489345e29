"""What comes of a featured place is counted once a visitor and day, for its own days, and for nobody else."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from directory.engagement import featured_counts
from directory.launches.featuring import stays
from directory.models import FeaturedCount, FeaturedPlace, Listing, Site
from tests.factories.listings import make_listing

DAY = timedelta(days=1)
PAGES = {"home": "/", "week": "/weeks/this", "category": "/categories/invoicing"}
VISIT = "/listings/tidewell/visit"


@pytest.fixture
def listing(site: Site) -> Listing:
    return make_listing("tidewell", url="https://tidewell.example/")


@pytest.fixture
def place(listing: Listing) -> FeaturedPlace:
    now = timezone.now()
    return FeaturedPlace.objects.create(listing=listing, begins_at=now - DAY, ends_at=now + 6 * DAY)


def numbers() -> dict[tuple[int, str], int]:
    """What is stored, by place and kind."""
    featured_counts.fold(at=timezone.now())
    rows = FeaturedCount.objects.values_list("place", "kind", "number")
    return {(place_id, kind): number for place_id, kind, number in rows}


def test_each_page_counts_each_visitor_once_a_day(place: FeaturedPlace, client: Client) -> None:
    for _ in range(2):
        for path in PAGES.values():
            client.get(path)
        client.get("/", REMOTE_ADDR="192.0.2.8")
    client.get("/listings/tidewell")

    expected = {"home": 2, "week": 1, "category": 1, "visit": 1}
    assert numbers() == {(place.pk, kind): number for kind, number in expected.items()}

    client.get("/", REMOTE_ADDR="192.0.2.9")
    assert numbers()[place.pk, "home"] == 3
    (stay,) = stays(FeaturedPlace.objects.filter(pk=place.pk), at=timezone.now())
    assert stay.impressions == [("Home page", 3), ("Launch week", 1), ("Category", 1)]
    assert (stay.visits, stay.clicks, stay.day_number, stay.days) == (1, 0, 2, 7)


def test_the_way_to_the_website_is_counted(place: FeaturedPlace, client: Client) -> None:
    page = client.get("/listings/tidewell").content.decode()
    assert page.count(f'href="{VISIT}"') == 2

    for _ in range(2):
        answer = client.get(VISIT)
        assert (answer.status_code, answer["Location"]) == (302, "https://tidewell.example/")
        assert answer["X-Robots-Tag"] == "noindex, nofollow"

    assert numbers() == {(place.pk, "visit"): 1, (place.pk, "click"): 1}


def test_crawlers_count_nothing_and_are_asked_to_keep_out(place: FeaturedPlace, client: Client) -> None:
    for path in ("/", "/listings/tidewell", VISIT):
        client.get(path, headers={"User-Agent": "some-spider"})

    assert numbers() == {}
    assert "Disallow: /listings/*/visit\n" in client.get("/robots.txt").content.decode()


def test_what_is_not_featured_is_not_counted(listing: Listing, client: Client) -> None:
    for path in (*PAGES.values(), VISIT):
        client.get(path)

    assert numbers() == {}
    assert client.get("/listings/nothing/visit").status_code == 404


def test_a_second_place_begins_with_nothing(place: FeaturedPlace, listing: Listing, client: Client) -> None:
    client.get("/")
    first = numbers()
    now = timezone.now()
    FeaturedPlace.objects.filter(pk=place.pk).update(ends_at=now)
    second = FeaturedPlace.objects.create(listing=listing, begins_at=now, ends_at=now + DAY)
    client.get("/", REMOTE_ADDR="192.0.2.8")

    assert numbers() == {**first, (second.pk, "home"): 1}
