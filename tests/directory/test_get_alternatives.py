"""get_alternatives: the owner's choice first, then the neighbours by votes."""

import pytest

from directory.models import Alternative, Site
from tests.conftest import Api
from tests.factories.listings import AT, make_listing

PATH = "/api/v1/listings/tidewell/alternatives"


def shown(api: Api) -> list[tuple[str, bool]]:
    return [(item["slug"], item["approved"]) for item in api().get(PATH).json()["items"]]


def test_approved_ones_stand_first_then_the_same_primary_category_by_votes(api: Api, site: Site) -> None:
    tidewell = make_listing("tidewell")
    make_listing("few", votes=1)
    make_listing("many", votes=9)
    chosen = make_listing("chosen", categories=("finance",), votes=0)
    asked = make_listing("asked", categories=("finance",))
    make_listing("second-category", categories=("finance", "invoicing"), plan="paid", votes=99)
    Alternative.objects.create(listing=tidewell, alternative=chosen, approved=True, at=AT)
    Alternative.objects.create(listing=tidewell, alternative=asked, approved=False, at=AT)

    assert shown(api) == [("chosen", True), ("many", False), ("few", False)]


def test_an_approved_neighbour_is_shown_once(api: Api, site: Site) -> None:
    tidewell = make_listing("tidewell")
    neighbour = make_listing("neighbour")
    Alternative.objects.create(listing=tidewell, alternative=neighbour, approved=True, at=AT)

    assert shown(api) == [("neighbour", True)]
    assert api().get("/api/v1/listings/tidewell").json()["alternatives_count"] == 1


def test_approval_works_one_way(api: Api, site: Site) -> None:
    tidewell, other = make_listing("tidewell"), make_listing("other", categories=("finance",))
    Alternative.objects.create(listing=other, alternative=tidewell, approved=True, at=AT)

    assert shown(api) == []


@pytest.mark.parametrize("status", ["draft", "scheduled", "archived", "suspended"])
def test_only_live_ones_are_shown(api: Api, site: Site, status: int) -> None:
    tidewell = make_listing("tidewell")
    hidden = make_listing("hidden", status=status, launched_at=AT)
    Alternative.objects.create(listing=tidewell, alternative=hidden, approved=True, at=AT)

    assert shown(api) == []


def test_there_are_twenty_at_most_and_the_profile_counts_them(api: Api, site: Site) -> None:
    tidewell = make_listing("tidewell")
    for number in range(22):
        make_listing(f"other-{number}")
    chosen = make_listing("chosen", categories=("finance",))
    Alternative.objects.create(listing=tidewell, alternative=chosen, approved=True, at=AT)

    assert len(shown(api)) == 20
    assert api().get("/api/v1/listings/tidewell").json()["alternatives_count"] == 20


def test_an_upcoming_listing_has_alternatives_and_a_draft_has_none(api: Api, site: Site) -> None:
    make_listing("tidewell", status="scheduled")
    make_listing("other")
    make_listing("hidden", status="draft")

    assert shown(api) == [("other", False)]
    assert api().get("/api/v1/listings/hidden/alternatives").status_code == 404
