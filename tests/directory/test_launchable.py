"""What stands between a listing and its launch: its own facts, and another listing at its address."""

from typing import Any

import pytest

from directory.launches.launchable import live_twin, missing_facts, own_at
from directory.models import Listing
from tests.conftest import People
from tests.factories.listings import make_listing


@pytest.mark.parametrize(
    ("fields", "lacking"),
    [
        ({}, []),
        ({"name": ""}, ["name"]),
        ({"tagline": ""}, ["tagline"]),
        ({"tagline": "", "short_description": "Keeps books."}, []),
        ({"name": "", "tagline": "", "categories": ()}, ["name", "tagline", "categories"]),
    ],
)
def test_a_listing_needs_a_name_a_text_and_a_category(
    site: Any, fields: dict[str, Any], lacking: list[str]
) -> None:
    assert missing_facts(make_listing(status="draft", **fields)) == lacking


@pytest.mark.parametrize(
    ("url", "twin"),
    [
        ("https://acme.example/app", "acme"),
        ("http://www.acme.example/app/?ref=1#top", "acme"),
        ("https://acme.example:443/app", "acme"),
        ("https://acme.example/", None),
        ("https://acme.example/App", None),
        ("https://my.acme.example/app", None),
    ],
)
def test_a_product_address_is_live_once(site: Any, people: People, url: str, twin: str | None) -> None:
    here = {"domain": "acme.example", "host": "acme.example"}
    live = make_listing("acme", url="https://www.acme.example/app/", **here)
    host = "my.acme.example" if "my." in url else "acme.example"
    mine = make_listing("mine", status="draft", url=url, domain="acme.example", host=host, owner=people.owner)

    found = live_twin(mine)

    assert (found.slug if found else None) == twin
    assert live_twin(live) is None


@pytest.mark.parametrize(
    ("status", "slug"), [("draft", "mine"), ("live", "mine"), ("archived", "mine"), ("rejected", None)]
)
def test_ones_own_listing_of_an_address_is_found_unless_rejected(
    site: Any, people: People, status: str, slug: str | None
) -> None:
    mine = make_listing("mine", status=status, owner=people.owner)
    make_listing("other", status="live", owner=people.stranger, url=mine.url, host=mine.host)

    found = own_at(site_id=mine.site_id, owner_id=people.owner.pk, url="http://www.mine.example")

    assert (found.slug if found else None) == slug
    assert Listing.objects.count() == 2
