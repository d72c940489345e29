"""list_categories: the tree with its counts."""

from typing import Any

import pytest

from directory.models import Site
from tests.conftest import Api
from tests.factories.listings import make_category, make_listing

PATH = "/api/v1/categories"


@pytest.fixture
def tree(site: Site) -> None:
    """Finance with two categories below it, and an empty one."""
    finance = make_category("finance", position=0, description="Money.")
    make_category("invoicing", parent=finance, position=1)
    make_category("payroll", parent=finance, position=2)
    make_category("health", position=3)
    make_listing("one", categories=("invoicing",))
    make_listing("two", categories=("invoicing", "finance"), plan="paid")
    make_listing("soon", categories=("payroll",), status="scheduled")


def test_a_node_counts_what_is_filed_in_it_and_below_each_listing_once(api: Api, tree: Any) -> None:
    finance, health = api().get(PATH).json()["items"]

    assert (finance["listings_count"], finance["total_listings_count"]) == (1, 2)
    assert [(child["slug"], child["total_listings_count"]) for child in finance["children"]] == [
        ("invoicing", 2),
        ("payroll", 0),
    ]
    assert finance["children"][0]["parent"] == {"slug": "finance", "name": "Finance"}
    assert (finance["parent"], finance["description"], health["description"]) == (None, "Money.", None)
    assert (health["total_listings_count"], health["children"]) == (0, [])


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ("", ["finance", "health"]),
        ("?include_empty=true", ["finance", "health"]),
        ("?include_empty=false", ["finance"]),
    ],
)
def test_empty_ones_can_be_left_out(api: Api, tree: Any, query: str, slugs: Any) -> None:
    assert [node["slug"] for node in api().get(PATH + query).json()["items"]] == slugs


@pytest.mark.parametrize("value", ["", "1", "0", "True", "FALSE", "yes", "null"])
def test_a_flag_is_true_or_false_and_nothing_like_it(api: Api, tree: Any, value: str) -> None:
    (error,) = api().get(f"{PATH}?include_empty={value}").json()["errors"]

    assert (error["parameter"], error["code"]) == ("include_empty", "invalid")


def test_empty_ones_are_left_out_at_every_level(api: Api, tree: Any) -> None:
    (finance,) = api().get(f"{PATH}?include_empty=false").json()["items"]

    assert [child["slug"] for child in finance["children"]] == ["invoicing"]


def test_the_tree_costs_one_query_however_deep(api: Api, site: Site, django_assert_num_queries: Any) -> None:
    parent = None
    for depth in range(6):
        parent = make_category(f"level-{depth}", parent=parent)
    api().get("/api/v1/site")

    with django_assert_num_queries(1):
        (node,) = api().get(PATH).json()["items"]
    for depth in range(1, 6):
        (node,) = node["children"]
        assert node["slug"] == f"level-{depth}"
