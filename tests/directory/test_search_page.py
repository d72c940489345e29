"""The search page: facets whose counts are what they show, why a product was found, and what to try when none was."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from directory.models import Listing
from tests.factories.listings import AT, make_category, make_listing


@pytest.fixture
def world(db: None) -> None:
    make_category("finance")
    make_category("accounting")
    make_listing("pennant", tagline="Invoices that chase", pricing_model="free", country="IE", votes=9)
    make_listing("quayside", tagline="Links", keywords=["invoice <b>maker</b>"], country="IE", votes=5)
    make_listing(
        "hourfold", tagline="Hours", description="# Hi\n\nSigned hours become an invoice.", country="BE"
    )
    make_listing("other", tagline="Something else")


def shown(text: str) -> list[str]:
    return re.findall(r'<li class="row" id="([\w-]+)"', text)


def counts(text: str) -> dict[str, int]:
    found = re.findall(r'value="([\w-]+)"(?: checked)?>\s*<span>.*?<span class="count">(\d+)', text, re.S)
    return {value: int(count) for value, count in found}


def test_each_count_is_what_its_choice_shows(world: None, client: Client) -> None:
    text = client.get("/search?q=invoice").content.decode()
    assert (set(shown(text)), counts(text)["IE"], counts(text)["none"]) == (
        {"pennant", "quayside", "hourfold"},
        2,
        3,
    )

    narrowed = client.get("/search?q=invoice&country=IE&pricing_model=none").content.decode()

    assert shown(narrowed) == ["quayside"]
    assert counts(narrowed)["free"] == 1
    assert 'href="?q=invoice&amp;country=IE"' in narrowed


def test_a_row_says_where_the_words_stand(world: None, client: Client) -> None:
    text = client.get("/search?q=invoice").content.decode()

    reasons = [
        " ".join(re.sub(r"</?p[^>]*>", "", one).split())
        for one in re.findall(r'<p class="why" dir="auto">.*?</p>', text, re.S)
    ]
    assert reasons == [
        "In its keywords: “<b>invoice</b> &lt;b&gt;maker&lt;/b&gt;”",
        "In its description: “Signed hours become an <b>invoice</b>.”",
    ]


def test_where_nothing_fits_filters_and_near_categories_are_named(world: None, client: Client) -> None:
    text = client.get("/search?q=invoice&country=IE&pricing_model=usage").content.decode()
    assert "Without the filter Pricing" in text

    assert 'href="/categories/finance"' in client.get("/search?q=finanse").content.decode()
    assert 'href="/categories/accounting"' in client.get("/search?q=bookkeepers").content.decode()


def test_where_nothing_is_near_enough_another_spelling_is_offered_if_it_finds_something(
    world: None, client: Client
) -> None:
    text = client.get("/search?q=pennaut+hourfooolt").content.decode()
    assert 'href="/search?q=pennant' not in text  # found as it is

    text = client.get("/search?q=hourfooolt").content.decode()
    assert 'Did you mean <a href="/search?q=hourfold">hourfold</a>?' in text
    assert shown(client.get("/search?q=hourfold").content.decode()) == ["hourfold"]

    for nothing in ("zzyzzx", "hourfooolt&country=IE", "hourfooolt&status=upcoming"):
        assert "Did you mean" not in client.get(f"/search?q={nothing}").content.decode()


def test_a_category_page_narrows_and_sorts_what_is_in_it(world: None, client: Client) -> None:
    make_category("tax", parent=make_category("finance"))
    make_listing("levy", categories=("tax",), pricing_model="free", country="IE", votes=1)
    make_listing("tally", categories=("finance",), pricing_model="usage", country="IE", votes=3)
    text = client.get("/categories/finance").content.decode()
    assert (shown(text), counts(text)["IE"], 'name="category"' in text) == (["tally", "levy"], 2, False)

    text = client.get("/categories/finance?pricing_model=free&country=IE&category=invoicing").content.decode()
    assert (shown(text), counts(text)["usage"]) == (["levy"], 1)
    assert 'href="?country=IE&amp;category=invoicing"' in text

    nothing = client.get("/categories/finance?pricing_model=free&stage=x").content.decode()
    assert (shown(nothing), "Without the filter Pricing" in nothing) == ([], False)
    assert "Without the filter Stage" in nothing
    Listing.objects.filter(slug="levy").update(launched_at=AT + timedelta(hours=1))
    assert shown(client.get("/categories/finance?sort=newest").content.decode()) == ["levy", "tally"]
    assert shown(client.get("/categories/finance?sort=x").content.decode()) == ["tally", "levy"]


def test_more_than_are_looked_through_are_narrowed_by_the_search_itself(
    world: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("directory.search.narrowing.NARROWED_UP_TO", 1)
    for path in ("/categories/invoicing?", "/search?category=invoicing&"):
        assert shown(client.get(f"{path}country=IE").content.decode()) == ["pennant", "quayside"]


def test_a_category_known_to_be_larger_than_is_looked_through_is_read_once(
    world: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("directory.search.narrowing.NARROWED_UP_TO", 1)
    client.get("/categories/invoicing")
    with CaptureQueriesContext(connection) as queries:
        text = client.get("/categories/invoicing").content.decode()

    assert shown(text) == ["pennant", "quayside", "hourfold", "other"]
    assert sum("directory_search_ids" in query["sql"] for query in queries) == 1
