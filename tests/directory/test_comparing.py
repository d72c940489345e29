"""Comparing two products that are chosen by name, and the suggestions while one types."""

import re
from typing import Any

import pytest
from django.test import Client

from directory.weeks import WEEK
from tests.conftest import People
from tests.directory.test_sources import quote
from tests.factories.listings import AT, make_category, make_listing

ROWS = [
    {"key": name, "label": label, "kind": "text", "fields": [name]}
    for name, label in (("pricing_model", "Pricing model"), ("country", "Country"), ("city", "City"))
]


@pytest.fixture
def world(site: Any, people: People) -> None:
    make_category("invoicing", attributes=ROWS)
    make_listing(
        "tidewell",
        owner=people.owner,
        pricing_model="one_time",
        country="DK",
        evidence={"country": [quote("Tidewell ApS, Denmark")]},
    )
    make_listing("ledgerlark", pricing_model="one_time", country="SE", votes=7)
    make_listing("ledgeworth", name="Ledgeworth & <b>Sons</b>", votes=3)
    make_listing("brindle", status="scheduled", at=AT + WEEK)


def test_names_become_an_address_that_lasts(world: None, client: Client) -> None:
    answer = client.get("/compare", {"a": "TIDEWELL", "b": "Ledgerlark"})
    assert answer["Location"] == "/compare?a=tidewell&b=ledgerlark"

    text = client.get(answer["Location"]).content.decode()

    assert '<link rel="canonical" href="http://127.0.0.1:8000/compare?a=tidewell&amp;b=ledgerlark">' in text
    differ, same = text.index("Where they differ"), text.index("What is the same")
    assert differ < text.index("Denmark") < same < text.index("One-time payment")
    assert re.search(r"Denmark.*?popovertarget=\"source-a-country\".*?Tidewell ApS, Denmark", text, re.S)
    assert text.count("Stated by the owner") == 1
    assert "Stated by the site team" in text
    assert "one_time" not in text
    assert "1 row is hidden" in text


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        ({}, 200, "Choose two products. See what each says"),
        ({"a": "tidewell"}, 200, "Compare Tidewell with"),
        ({"a": "tidewell", "b": "Tidewell"}, 400, "Both fields say Tidewell."),
        ({"a": "tidewell", "b": "ledge"}, 400, "2 products fit “ledge”."),
        ({"a": "tidewell", "b": "lederlark"}, 400, "Did you mean <a href"),
        ({"a": "tidewell", "b": "zzqqx"}, 400, "No product here is called “zzqqx”."),
        ({"a": "tidewell", "b": "Brindle"}, 400, "You can compare it from Monday 23 November 2026."),
    ],
)
def test_what_is_not_clear_is_asked_or_said(
    world: None, client: Client, asked: dict[str, str], status: int, said: str
) -> None:
    answer = client.get("/compare", asked)

    assert (answer.status_code, said in answer.content.decode()) == (status, True)


def test_suggestions_are_a_part_that_is_the_same_for_everybody(
    world: None, client: Client, people: People
) -> None:
    found = client.get("/search/suggestions?q=ledg")
    client.force_login(people.owner)
    again = client.get("/search/suggestions?q=ledg")

    text = found.content.decode()
    assert (text, found["Cache-Control"]) == (again.content.decode(), "public, max-age=60")
    assert re.findall(r'data-href="([^"]+)"', text) == ["/listings/ledgeworth", "/listings/ledgerlark"]
    assert "<b>Sons</b>" not in text
    assert client.get("/search/suggestions?q=%00").content.strip() == b""
