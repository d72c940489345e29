"""The line that stands before an answer says what came back: a sum, names, what to publish, what changed."""

from typing import Any

import pytest

from directory.models import Site
from drafts.models import Draft
from tests.conftest import Api, People
from tests.contract.world import build_draft
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_category, make_listing
from tests.factories.mcp import Mcp
from tests.factories.orders import set_price
from tests.servers.website import Website


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

    assert said == "quote_order: 119.00 EUR in all for Featured listing, 19.00 VAT at 19.00% included."


def test_what_things_cost_is_said_with_the_currency(mcp: Mcp, people: People) -> None:
    set_price("featured", 10_000)
    items = [{"product": "featured", "listing_id": make_listing("brindle", owner=people.owner).pk}]
    made = mcp.result("create_checkout", {"items": items, "billing_country": "US"})
    number = made["structuredContent"]["order"]["number"]

    assert f"create_checkout: {number}, pending, 100.00 EUR. " in made["content"][0]["text"]
    assert f"get_order: {number}, pending, 100.00 EUR. " in line(mcp, "get_order", {"number": number})
    assert f"{number}, pending, 100.00 EUR." in line(mcp, "list_my_orders", {})
    assert "; Featured listing, 100.00 EUR; " in line(mcp, "list_products", {})


def test_a_line_of_long_addresses_stays_short(mcp: Mcp, people: People, site: Site) -> None:
    address = "https://quillon.example/" + "a" * 2000
    for number in range(12):
        blank_draft(owner=people.owner, site=site, host=f"quillon{number}.example")
    Draft.objects.update(url=address)

    said = line(mcp, "list_my_drafts", {})

    assert said.startswith("list_my_drafts: items 1 to 12 of 12: https://quillon.example/aaaa")
    assert (said.count("aaa…, ready"), len(said) < 2000) == (10, True)


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


def test_a_saved_draft_says_which_listing_it_is(mcp: Mcp, people: People, site: Site) -> None:
    build_draft(site, owner=people.owner)
    draft = str(Draft.objects.get().pk)
    make_category("invoicing", name="Invoicing")
    fields = {"name": "Brindle", "tagline": "Rotas", "categories": ["Invoicing"]}
    line(mcp, "update_draft", {"id": draft, "fields": fields})

    said = line(mcp, "submit_draft", {"id": draft})

    assert " It is listing 981. Changed: name, tagline. Next: choose_free_listing." in said


def test_a_check_that_finds_nothing_says_what_it_saw(mcp: Mcp, website: Website, settings: Any) -> None:
    settings.CRAWL_RESOLVE = website.at("brindle.example")
    make_listing("brindle")
    claim = mcp.result("claim_listing", {"slug": "brindle", "method": "file"})["structuredContent"]

    said = line(mcp, "verify_claim", {"claim_id": claim["claim_id"]})

    assert "The check found nothing: https://brindle.example/.well-known/plverify.txt answered 404." in said


def test_a_list_names_what_is_in_it_with_its_price(mcp: Mcp) -> None:
    set_price("featured", 10_000)

    assert "Featured listing, 100.00" in line(mcp, "list_products", {})


def test_a_number_where_a_text_is_asked_for_is_shown_in_quotes(mcp: Mcp, people: People, site: Site) -> None:
    build_draft(site, owner=people.owner)
    draft = Draft.objects.get()

    result = mcp.result("update_draft", {"id": str(draft.pk), "fields": {"founded_year": 2022}})

    [error] = result["structuredContent"]["errors"]
    assert (error["pointer"], error["message"]) == (
        "/fields/founded_year",
        'This must be a string, in quotes: "2022".',
    )


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
