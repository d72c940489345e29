"""The search page: facets whose counts are what they show, why a product was found, and what to try when none was."""

import re

import pytest
from django.test import Client

from tests.factories.listings import make_category, make_listing


@pytest.fixture
def world(db: None) -> None:
    make_category("finance")
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
        for one in re.findall(r'<p class="why">.*?</p>', text, re.S)
    ]
    assert reasons == [
        "In its keywords: “<b>invoice</b> &lt;b&gt;maker&lt;/b&gt;”",
        "In its description: “Signed hours become an <b>invoice</b>.”",
    ]


def test_where_nothing_fits_filters_and_near_categories_are_named(world: None, client: Client) -> None:
    text = client.get("/search?q=invoice&country=IE&pricing_model=usage").content.decode()
    assert "Without the filter Pricing" in text

    assert 'href="/categories/finance"' in client.get("/search?q=finanse").content.decode()
