"""A board that nobody wrote a line for elsewhere: ranked, asked for, shown on every page that shows boards."""

import html
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from config.docs.pages import schema
from core import jobs
from directory.models import ListingStats, Site
from leaderboards.boards import BOARDS
from leaderboards.boards.ranked import RankedBoard
from tests.conftest import Api
from tests.factories.listings import make_listing
from tests.toys import part

PAGE, API = "/leaderboards/most-followed", "/api/v1/leaderboards/most-followed"


class MostFollowed(RankedBoard):
    code, position, title, tab = "most-followed", 90, "Most followed", "Followed"
    summary, metric, unit = "followers", "followers", "followers"
    formula = "People who follow a listing."
    source = """
        SELECT listing_id, followers AS value, '' AS unit, NULL::boolean AS is_verified, NULL::date AS as_of
        FROM directory_listingstats WHERE site_id = %(site)s AND followers > 0
    """


@pytest.fixture(autouse=True)
def board(site: Site) -> Iterator[None]:
    with part(BOARDS, MostFollowed()):
        for slug, followers in {"alpha": 1, "beta": 7, "gamma": 0}.items():
            ListingStats.objects.filter(listing=make_listing(slug)).update(followers=followers)
        yield


def ranked() -> None:
    """The hour's job has come by."""
    jobs.add("leaderboards.refresh_standings", key="now")
    jobs.run_due()


def read(client: Client, url: str) -> str:
    answer = client.get(url, follow=True)
    assert answer.status_code == 200, answer.content
    return " ".join(html.unescape(answer.content.decode()).split())


def test_programs_ask_for_it(api: Api) -> None:
    ranked()

    answer = api().get(API).json()

    assert (answer["board"], answer["title"], answer["paid"], answer["week"]) == (
        "most-followed",
        "Most followed",
        False,
        None,
    )
    assert [(row["rank"], row["listing"]["slug"], row["metric"]) for row in answer["items"]] == [
        (1, "beta", figure(7)),
        (2, "alpha", figure(1)),
    ]
    refused = api().get(f"{API}?week=last")
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (400, "not_applicable")


def figure(value: int) -> dict[str, Any]:
    return {
        "name": "followers",
        "value": value,
        "unit": "followers",
        "currency": None,
        "verified": None,
        "as_of": None,
    }


def test_people_read_it(client: Client) -> None:
    assert "Nobody here yet" in read(client, PAGE)
    ranked()

    page = read(client, PAGE)

    assert ("7 followers" in page, "1 follower<" in page.replace(" <", "<")) == (True, True)
    assert ("People who follow a listing." in page, "Equal figures" in page) == (True, True)
    assert page.index("/listings/beta") < page.index("/listings/alpha")
    assert "/listings/gamma" not in page


def test_every_page_of_boards_leads_to_it(client: Client) -> None:
    pages = ("/weeks/this", *(f"/leaderboards/{code}" for code in BOARDS))

    tabs = [f'<a href="{PAGE}"' in read(client, page) for page in pages]

    assert tabs == [True] * (len(BOARDS) + 1)
    assert f'<a href="{PAGE}" aria-current="page">Followed</a>' in read(client, PAGE)


def test_its_page_can_be_shared_and_written_down(client: Client) -> None:
    ranked()
    page = client.get(PAGE).content.decode()
    picture = page.partition('property="og:image"')[2].partition('content="')[2].partition('"')[0]

    assert "/share/boards/most-followed/" in picture
    assert client.get("/share/" + picture.partition("/share/")[2])["Content-Type"] == "image/png"
    assert "7 followers" in client.get(f"{PAGE}.md").content.decode()


def test_it_has_no_place_among_what_is_paid(client: Client) -> None:
    ranked()

    assert PAGE not in read(client, "/")


def test_the_document_names_it() -> None:
    shapes = schema()["components"]["schemas"]

    operation = next(row["get"] for path, row in schema()["paths"].items() if path.endswith("/{board}"))
    path = next(row for row in operation["parameters"] if row["name"] == "board")
    assert "most-followed" in path["schema"]["enum"]
    assert "followers" in shapes["LeaderboardMetric"]["properties"]["unit"]["description"]
    assert "most-followed" in shapes["Leaderboard"]["properties"]["board"]["description"]
