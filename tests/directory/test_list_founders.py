"""list_founders: the founders of live listings."""

from typing import Any

import pytest

from directory.models import Founder, Listing, ListingFounder, Site
from tests.conftest import Api
from tests.factories.listings import AT, make_listing

PATH = "/api/v1/founders"


def founder(name: str, *listings: Listing, country: str = "", **fields: str) -> Founder:
    slug = name.lower().replace(" ", "-").replace("é", "e").replace("ø", "o")
    found = Founder.objects.create(slug=slug, name=name, country=country, created_at=AT, **fields)
    for listing in listings:
        ListingFounder.objects.create(listing=listing, founder=found)
    return found


def names(api: Api, query: str = "") -> list[str]:
    return [item["name"] for item in api().get(PATH + query).json()["items"]]


@pytest.fixture
def people_of_listings(site: Site) -> None:
    """Four founders, one of whom has only a draft."""
    one, two = make_listing("one"), make_listing("two")
    founder("José Ruiz", one, country="ES")
    founder("Ada Lindqvist", one, two, country="SE", title="Engineer")
    founder("Bo Ruiz", two, country="DK")
    founder("Hidden Person", make_listing("draft", status="draft"), make_listing("soon", status="scheduled"))


def test_they_come_by_name_with_the_number_of_their_live_listings(api: Api, people_of_listings: Any) -> None:
    body = api().get(PATH).json()

    assert [(item["name"], item["companies_count"]) for item in body["items"]] == [
        ("Ada Lindqvist", 2),
        ("Bo Ruiz", 1),
        ("José Ruiz", 1),
    ]
    assert body["items"][0] == {
        "slug": "ada-lindqvist",
        "name": "Ada Lindqvist",
        "title": "Engineer",
        "country": "SE",
        "photo_url": None,
        "companies_count": 2,
        "page_url": body["items"][0]["page_url"],
    }
    assert body["items"][0]["page_url"].endswith("/founders/ada-lindqvist")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=ruiz", ["Bo Ruiz", "José Ruiz"]),
        ("?q=jose", ["José Ruiz"]),
        ("?q=JOSÉ%20ruiz", ["José Ruiz"]),
        ("?q=ruiz%20bo", ["Bo Ruiz"]),
        ("?q=%20%20", ["Ada Lindqvist", "Bo Ruiz", "José Ruiz"]),
        ("?country=es", ["José Ruiz"]),
        ("?country=ES&q=ada", []),
        ("?country=XX", []),
        ("?q=ru%25", []),
        ("?q=ru_z", []),
        ("?q=%25", ["Ada Lindqvist", "Bo Ruiz", "José Ruiz"]),
        ("?q=...&country=DK", ["Bo Ruiz"]),
    ],
)
def test_words_and_country_narrow_the_list(api: Api, people_of_listings: Any, query: str, found: Any) -> None:
    assert names(api, query) == found


def test_namesakes_stay_in_one_order_over_pages(api: Api, site: Site) -> None:
    listing = make_listing()
    for number in range(4):
        found = founder(f"Same Name{number}", listing)
        Founder.objects.filter(pk=found.pk).update(name="Same Name")

    pages = [api().get(f"{PATH}?per_page=1&page={page}").json()["items"][0]["slug"] for page in range(1, 5)]
    assert pages == [f"same-name{number}" for number in range(4)]
