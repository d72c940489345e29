"""compare_listings: cells hold what a listing states, and nothing else."""

from typing import Any

import pytest

from directory.models import Site
from tests.conftest import Api
from tests.factories.listings import make_category, make_listing

PATH = "/api/v1/compare?a=tidewell&b=brindle"
PRICE = {"key": "pricing_model", "label": "Pricing model", "kind": "text", "fields": ["pricing_model"]}
YEAR = {"key": "founded_year", "label": "Founded", "kind": "year", "fields": ["founded_year"]}
VIDEO = {"key": "demo_video", "label": "Demo video", "kind": "link", "fields": ["demo_video_url"]}
FREE = {
    "key": "free_plan",
    "label": "Free plan",
    "kind": "stated",
    "fields": ["pricing_model", "features", "description"],
    "equals": ["freemium"],
    "phrases": ["free plan"],
}
PLATFORMS = {
    "key": "platforms",
    "label": "Platforms",
    "kind": "choices",
    "fields": ["features"],
    "choices": {"Windows": ["windows"], "iOS": ["ios", "iphone"], "Linux": ["linux"]},
}
CONNECTS = {
    "key": "integrations",
    "label": "Connects to",
    "kind": "lines",
    "fields": ["features"],
    "phrases": ["integrates with"],
}


@pytest.fixture
def tree(site: Site) -> None:
    """Finance with invoicing and payroll below it, and health beside it."""
    finance = make_category("finance", attributes=[PRICE, YEAR])
    make_category("invoicing", parent=finance, attributes=[FREE, PRICE])
    make_category("payroll", parent=finance, attributes=[CONNECTS])
    make_category("health", attributes=[VIDEO, PRICE])


def rows(api: Api, path: str = PATH) -> dict[str, Any]:
    groups = api().get(path).json()["groups"]
    return {row["attribute"]: row for group in groups for row in group["rows"]}


def test_attributes_come_by_category_from_the_root_down_each_once(api: Api, tree: Any) -> None:
    make_listing("tidewell")
    make_listing("brindle")
    body = api().get(PATH).json()

    assert [(group["category"], [row["attribute"] for row in group["rows"]]) for group in body["groups"]] == [
        ("Finance", ["Pricing model", "Founded"]),
        ("Invoicing", ["Free plan"]),
    ]
    assert (body["a"]["slug"], body["b"]["slug"]) == ("tidewell", "brindle")
    assert body["page_url"].endswith("/compare?a=tidewell&b=brindle")


def test_listings_of_two_branches_bring_both(api: Api, tree: Any) -> None:
    make_listing("tidewell", categories=("payroll",))
    make_listing("brindle", categories=("health",))

    groups = [group["category"] for group in api().get(PATH).json()["groups"]]
    assert groups == ["Finance", "Payroll", "Health"]


def test_a_fact_that_neither_states_is_empty_on_both_sides(api: Api, tree: Any) -> None:
    make_listing("tidewell")
    make_listing("brindle")

    assert rows(api)["Founded"] == {"attribute": "Founded", "a": None, "b": None, "same": None}


def test_a_cell_says_whether_the_website_or_the_owner_states_it(api: Api, tree: Any) -> None:
    make_listing("tidewell", pricing_model="paid", evidence={"pricing_model": [{"quote": "From 9 EUR"}]})
    make_listing("brindle", pricing_model="Paid")

    assert rows(api)["Pricing model"] == {
        "attribute": "Pricing model",
        "a": {"value": "paid", "source": "website"},
        "b": {"value": "Paid", "source": "owner"},
        "same": True,
    }


def test_a_statement_is_given_in_the_listings_own_words(api: Api, tree: Any) -> None:
    make_listing("tidewell", features=["Sends invoices", "No FREE PLAN for companies"])
    make_listing(
        "brindle", description="We charge.\nThere is a free plan. It is small.", pricing_model="paid"
    )

    row = rows(api)["Free plan"]
    assert row["a"] == {"value": "No FREE PLAN for companies", "source": "owner"}
    assert row["b"] == {"value": "There is a free plan.", "source": "owner"}


def test_words_are_matched_whole(api: Api, site: Site) -> None:
    make_category("invoicing", attributes=[PLATFORMS, CONNECTS])
    make_listing("tidewell", features=["Portfolios for curiosity", "Runs on Linux and iPhone"])
    make_listing("brindle", features=["Integrates with your bank", "Integrates with mail"])

    found = rows(api)
    assert found["Platforms"]["a"]["value"] == "iOS, Linux"
    assert found["Platforms"]["b"] is None
    assert found["Connects to"]["b"]["value"] == "Integrates with your bank; Integrates with mail"


def test_years_and_links_are_given_as_they_are(api: Api, site: Site) -> None:
    make_category("invoicing", attributes=[YEAR, VIDEO])
    make_listing("tidewell", founded_year=2024, demo_video_url="https://video.example/1")
    make_listing("brindle", founded_year=2023)

    found = rows(api)
    assert (found["Founded"]["a"]["value"], found["Founded"]["b"]["value"]) == (2024, 2023)
    assert found["Demo video"]["a"]["value"] == "https://video.example/1"
    assert (found["Founded"]["same"], found["Demo video"]["same"]) == (False, None)


def test_a_listing_is_not_compared_with_itself(api: Api, tree: Any) -> None:
    make_listing("tidewell")
    answer = api().get("/api/v1/compare?a=tidewell&b=tidewell")

    assert answer.status_code == 400
    assert [(error["parameter"], error["code"]) for error in answer.json()["errors"]] == [
        ("b", "same_listing")
    ]


@pytest.mark.parametrize("status", ["draft", "scheduled", "archived"])
def test_what_is_not_live_is_unknown_and_named(api: Api, tree: Any, status: int) -> None:
    make_listing("tidewell")
    make_listing("brindle", status=status, launched_at="2026-11-18T09:00:00Z")
    body = api().get(PATH).json()

    assert (body["status"], body["code"]) == (400, "listing_unknown")
    assert [error["parameter"] for error in body["errors"]] == ["b"]


def test_both_unknown_slugs_are_named_at_once(api: Api, tree: Any) -> None:
    body = api().get(PATH).json()

    assert [(error["parameter"], error["code"]) for error in body["errors"]] == [
        ("a", "listing_unknown"),
        ("b", "listing_unknown"),
    ]
