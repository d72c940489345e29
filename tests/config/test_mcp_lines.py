"""The line that stands before an answer says what came back: a sum, names, what to publish, what changed."""

from typing import Any

import pytest

from directory.models import Site
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.mcp import Mcp
from tests.factories.orders import set_price


@pytest.fixture
def mcp(api: Api, site: Site) -> Mcp:
    return Mcp(api("all").headers["Authorization"].removeprefix("Bearer "))


def line(mcp: Mcp, tool: str, arguments: dict[str, Any]) -> str:
    result = mcp.result(tool, arguments)
    assert result["isError"] is False, result
    return str(result["content"][0]["text"])


def test_a_quote_says_the_total(mcp: Mcp, people: People, settings: Any) -> None:
    settings.SELLER_COUNTRY = "DE"
    set_price("featured", 10_000)
    listing = make_listing("brindle", owner=people.owner)
    items = [{"product": "featured", "listing_id": listing.pk}]

    said = line(mcp, "quote_order", {"items": items, "billing_country": "DE"})

    assert said == "quote_order: 119.00 EUR in all, 19.00 VAT at 19.00% included."


def test_a_comparison_says_whom_it_compares(mcp: Mcp) -> None:
    make_listing("brindle", name="Brindle")
    make_listing("ironbook", name="Ironbook")

    said = line(mcp, "compare_listings", {"a": "brindle", "b": "ironbook"})

    assert said.startswith("compare_listings: Brindle and Ironbook: differ in ")


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("dns", "Publish the TXT record _plverify.brindle.example with the value plverify="),
        ("meta", 'Publish <meta name="plverify" content="'),
        ("file", "Publish a file at https://brindle.example/.well-known/plverify.txt whose one line is "),
    ],
)
def test_a_claim_says_what_to_publish_and_where(mcp: Mcp, method: str, words: str) -> None:
    make_listing("brindle")

    assert words in line(mcp, "claim_listing", {"slug": "brindle", "method": method})


def test_an_edit_says_what_changed_and_shows_the_badge_once(mcp: Mcp, people: People) -> None:
    listing = make_listing("brindle", owner=people.owner, status="awaiting_badge")

    said = line(mcp, "update_my_listing", {"listing_id": listing.pk, "fields": {"tagline": "Paid on time"}})

    assert "Changed: tagline." in said
    assert said.count("<a href=") == 1


def test_an_empty_text_for_what_may_be_left_out_is_left_out(mcp: Mcp) -> None:
    make_listing("brindle")

    result = mcp.result("search_listings", {"q": "", "status": "", "sort": "", "page": ""})

    assert result["isError"] is False, result
    assert result["structuredContent"]["total"] == 1


def test_what_must_be_named_cannot_be_empty(mcp: Mcp) -> None:
    result = mcp.result("compare_listings", {"a": "brindle", "b": ""})

    assert [error["parameter"] for error in result["structuredContent"]["errors"]] == ["b"]
