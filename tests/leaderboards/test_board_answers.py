"""get_leaderboard: the shape of a place, the links between pages and the weeks it takes."""

from typing import Any

import pytest

from core.api import caching
from directory.models import Site
from directory.moderation.status import moderate
from leaderboards.models import Award
from tests.conftest import Api
from tests.factories.listings import AT, make_listing


def test_an_unknown_part_of_a_metric_is_null_and_not_absent(api: Api, site: Site) -> None:
    make_listing("tidewell", votes=3)

    (place,) = api().get("/api/v1/leaderboards/community-all-time").json()["items"]

    assert place["metric"] == {
        "name": "votes",
        "value": 3,
        "unit": "votes",
        "currency": None,
        "verified": None,
        "as_of": None,
    }


def test_a_board_links_to_its_neighbouring_pages(api: Api, site: Site) -> None:
    for number in range(3):
        make_listing(f"listing-{number}", votes=number)

    answer: Any = api().get("/api/v1/leaderboards/community-all-time?per_page=1&page=2")

    assert answer["Link"] == (
        f'<{answer.json()["next"]}>; rel="next", <{answer.json()["previous"]}>; rel="prev"'
    )


@pytest.mark.parametrize("week", ["next", "Last", "2026-02-30", "2026-W47"])
def test_the_weekly_board_takes_this_last_or_a_date(api: Api, site: Site, week: str) -> None:
    answer = api().get(f"/api/v1/leaderboards/community-weekly?week={week}")

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert [error["parameter"] for error in answer.json()["errors"]] == ["week"]


def test_an_award_is_shown_while_its_winner_is(api: Api, site: Site) -> None:
    listing = make_listing("tidewell", votes=3)
    Award.objects.create(site=site, listing=listing, week=listing.launch_week, rank=1, votes=3, given_at=AT)
    shown = api().get("/api/v1/awards").json()["total"]
    moderate(listing_id=listing.pk, to="suspended", staff_id=1, at=AT, reason="Checked.")
    caching.ANSWERS.clear()

    assert (shown, api().get("/api/v1/awards?listing=tidewell").json()["items"]) == (1, [])
