"""get_category: a category with its neighbours and a page of listings."""

from typing import Any

import pytest

from directory.models import Site
from tests.conftest import Api
from tests.factories.listings import make_category, make_listing

PATH = "/api/v1/categories/finance"


@pytest.fixture
def tree(site: Site) -> None:
    """Finance, below money, with invoicing below it; three live listings."""
    money = make_category("money")
    finance = make_category(
        "finance", parent=money, description="Money.", faqs=[{"question": "Why?", "answer": "Because."}]
    )
    make_category("invoicing", parent=finance)
    make_listing("few", categories=("finance",), votes=1)
    make_listing("many", categories=("invoicing",), votes=9)
    make_listing("equal", categories=("invoicing",), votes=1)
    make_listing("soon", categories=("finance",), status="scheduled")


def test_it_has_questions_a_parent_subcategories_and_listings_most_voted_first(api: Api, tree: Any) -> None:
    body = api().get(PATH).json()

    assert (body["name"], body["description"]) == ("Finance", "Money.")
    assert body["faqs"] == [{"question": "Why?", "answer": "Because."}]
    assert body["parent"] == {"slug": "money", "name": "Money"}
    assert body["subcategories"] == body["children"]
    assert [
        (child["slug"], child["listings_count"], child["parent"]["slug"]) for child in body["children"]
    ] == [("invoicing", 2, "finance")]
    assert [listing["slug"] for listing in body["listings"]["items"]] == ["many", "few", "equal"]
    assert (body["listings"]["total"], body["total_listings_count"]) == (3, 3)


def test_its_listings_come_in_pages_that_link_to_each_other(api: Api, tree: Any) -> None:
    answer = api().get(f"{PATH}?page=2&per_page=1")
    listings = answer.json()["listings"]

    assert [listing["slug"] for listing in listings["items"]] == ["few"]
    assert listings["next"].endswith("/api/v1/categories/finance?per_page=1&page=3")
    assert f'<{listings["next"]}>; rel="next"' in answer["Link"]
    assert f'<{listings["previous"]}>; rel="prev"' in answer["Link"]


def test_a_page_past_the_end_is_empty(api: Api, tree: Any) -> None:
    listings = api().get(f"{PATH}?page=1000").json()["listings"]

    assert (listings["items"], listings["total"], listings["next"]) == ([], 3, None)


def test_a_root_has_no_parent_and_an_empty_one_no_listings(api: Api, site: Site) -> None:
    make_category("health")
    body = api().get("/api/v1/categories/health").json()

    assert (body["parent"], body["listings"]["items"], body["subcategories"]) == (None, [], [])
