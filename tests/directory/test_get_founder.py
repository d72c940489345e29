"""get_founder: a person with companies and stories."""

from typing import Any

import pytest

from directory.models import Founder, ListingFounder, Site
from tests.conftest import Api
from tests.factories.listings import AT, make_listing

PATH = "/api/v1/founders/ada"
STORY = {"title": "How it began", "story": "With a shoe box."}


@pytest.fixture
def ada(site: Site) -> Founder:
    return Founder.objects.create(
        slug="ada",
        name="Ada",
        title="Engineer",
        bio="Builds.",
        socials={"x": "https://x.com/ada"},
        created_at=AT,
    )


def test_companies_come_with_the_persons_part_in_them(api: Api, ada: Any) -> None:
    first, second = make_listing("first"), make_listing("second", at=AT.replace(hour=10))
    ListingFounder.objects.create(listing=first, founder=ada, title="Chair")
    ListingFounder.objects.create(listing=second, founder=ada)
    ListingFounder.objects.create(listing=make_listing("soon", status="scheduled"), founder=ada)
    body = api().get(PATH).json()

    assert [(company["slug"], company["role"]) for company in body["companies"]] == [
        ("second", "Engineer"),
        ("first", "Chair"),
    ]
    assert (body["bio"], body["socials"], body["companies_count"]) == (
        "Builds.",
        {"x": "https://x.com/ada"},
        2,
    )
    assert body["stories"] == []


@pytest.mark.parametrize(
    ("fields", "titles"),
    [
        ({"story": STORY}, []),
        ({"story": STORY, "unlocked_sections": ["media"]}, []),
        ({"story": STORY, "unlocked_sections": ["story"]}, ["How it began"]),
        ({"story": STORY, "plan": "paid"}, ["How it began"]),
        ({"story": {"story": "No title."}, "plan": "paid"}, ["Tidewell"]),
        ({"plan": "paid"}, []),
    ],
)
def test_only_published_stories_are_named(api: Api, ada: Any, fields: Any, titles: Any) -> None:
    ListingFounder.objects.create(listing=make_listing(**fields), founder=ada)
    stories = api().get(PATH).json()["stories"]

    assert [story["title"] for story in stories] == titles
    assert all(story["listing"] == "tidewell" for story in stories)
    assert all(story["published_at"] == "2026-11-18T09:00:00Z" for story in stories)


@pytest.mark.parametrize("status", ["draft", "scheduled", "archived"])
def test_without_a_live_listing_there_is_no_page(api: Api, ada: Any, status: int) -> None:
    ListingFounder.objects.create(listing=make_listing(status=status, launched_at=AT), founder=ada)

    assert api().get(PATH).status_code == 404
