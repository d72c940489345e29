"""Summaries: exactly the contract's keys, in one query, always as the listing is now."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from directory.models import FeaturedPlace, Listing, ListingStats
from directory.search import public_data
from directory.search.cards import summaries
from tests.conftest import People
from tests.factories.listings import AT, make_category, make_listing

pytestmark = pytest.mark.django_db


def test_summary_has_every_key_of_the_contract(people: People, settings: Any) -> None:
    settings.SITE_URL = "https://launch.example"
    make_category("invoicing", name="Invoicing", parent=make_category("finance"))
    listing = make_listing(
        "tidewell",
        owner=people.owner,
        claimed_by_method="dns",
        categories=("invoicing", "notes"),
        tagline="Invoices that send themselves",
        short_description="For small studios.",
        logo_url="https://tidewell.example/logo.png",
        pricing_model="freemium",
        country="PT",
        stage="growing",
        plan="paid",
        domain_rating=43,
        awards=[
            {"id": 7, "code": "launch_of_the_week_1", "title": "Launch of the Week #1", "week": "2026-11-09"}
        ],
    )
    ListingStats.objects.filter(pk=listing.pk).update(votes=128, followers=40, views=900)

    assert summaries(listing_ids=[listing.pk]) == [
        {
            "slug": "tidewell",
            "name": "Tidewell",
            "tagline": "Invoices that send themselves",
            "short_description": "For small studios.",
            "url": "https://tidewell.example/",
            "logo_url": "https://tidewell.example/logo.png",
            "categories": [
                {"slug": "invoicing", "name": "Invoicing", "primary": True},
                {"slug": "notes", "name": "Notes", "primary": False},
            ],
            "pricing_model": "freemium",
            "country": "PT",
            "stage": "growing",
            "votes": 128,
            "followers": 40,
            "views": 900,
            "domain_rating": 43,
            "status": "live",
            "launch_week": "2026-11-16",
            "launched_at": "2026-11-18T09:00:00Z",
            "plan": "paid",
            "featured": False,
            "claimed": True,
            "awards": [{"code": "launch_of_the_week_1", "week": "2026-11-09"}],
            "page_url": "https://launch.example/listings/tidewell",
            "api_url": "https://launch.example/api/v1/listings/tidewell",
            "updated_at": "2026-11-18T09:00:00Z",
        }
    ]


def test_unknown_is_null() -> None:
    listing = make_listing("bare", status="scheduled", categories=())
    (found,) = summaries(listing_ids=[listing.pk])

    unknown = (
        "short_description",
        "logo_url",
        "pricing_model",
        "country",
        "stage",
        "domain_rating",
        "launched_at",
    )
    assert {name: found[name] for name in unknown} == dict.fromkeys(unknown)
    assert (found["status"], found["claimed"], found["categories"], found["awards"]) == (
        "upcoming",
        False,
        [],
        [],
    )


def test_own_logo_is_an_address_of_this_service(settings: Any) -> None:
    settings.SITE_URL = "https://launch.example"
    listing = make_listing(
        "tidewell", logo="logos/tidewell.png", logo_url="https://tidewell.example/logo.png"
    )

    assert (
        summaries(listing_ids=[listing.pk])[0]["logo_url"]
        == "https://launch.example/media/logos/tidewell.png"
    )


def test_a_feature_begins_and_ends_on_time_without_a_refresh() -> None:
    now, hour, second = timezone.now(), timedelta(hours=1), timedelta(seconds=1)
    spans = {"runs": (-second, hour), "ended": (-hour, -second), "comes": (hour, 2 * hour)}
    rows = [make_listing(slug) for slug in spans]
    upcoming = make_listing("upcoming", status="scheduled")
    for listing, (since, until) in zip([*rows, upcoming], [*spans.values(), spans["runs"]], strict=True):
        FeaturedPlace.objects.create(listing=listing, begins_at=now + since, ends_at=now + until)

    cards = summaries(listing_ids=[listing.pk for listing in [*rows, upcoming]])
    assert [card["featured"] for card in cards] == [True, False, False, False]


def test_order_follows_the_ids_and_unknown_ones_are_left_out() -> None:
    first, second = make_listing("first"), make_listing("second")

    assert [card["slug"] for card in summaries(listing_ids=[second.pk, 999_999, first.pk])] == [
        "second",
        "first",
    ]
    assert summaries(listing_ids=[]) == []


def test_any_number_of_summaries_is_one_query() -> None:
    ids = [make_listing(f"listing-{number}").pk for number in range(5)]
    with CaptureQueriesContext(connection) as queries:
        assert len(summaries(listing_ids=ids)) == 5
    assert len(queries) == 1


def test_a_change_is_shown_at_once() -> None:
    listing = make_listing("tidewell")
    Listing.objects.filter(pk=listing.pk).update(tagline="Now different", updated_at=AT + timedelta(hours=1))
    public_data.refresh(listing_ids=[listing.pk])

    (card,) = summaries(listing_ids=[listing.pk])
    assert (card["tagline"], card["updated_at"]) == ("Now different", "2026-11-18T10:00:00Z")


def test_a_renamed_category_is_shown_in_its_listings() -> None:
    category = make_category("invoicing")
    listing = make_listing("tidewell")
    category.name = "Invoices & quotes"
    category.save()
    public_data.refresh_category(category_id=category.pk)

    assert summaries(listing_ids=[listing.pk])[0]["categories"][0]["name"] == "Invoices & quotes"
