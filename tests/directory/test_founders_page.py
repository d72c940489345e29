"""The founders page: people by name, product and country, a slip of the pen forgiven."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from directory.models import Site
from tests.directory.test_list_founders import founder
from tests.factories.listings import make_listing


@pytest.fixture
def world(site: Site) -> None:
    one, two = make_listing("tidewell"), make_listing("hourfold")
    founder("Ada Lindqvist", one, two, country="SE", title="Engineer")
    founder("José Ruiz", one, country="ES")
    founder("Bo Holm", two, country="DK")
    founder("Hidden Lindqvist", make_listing("secret", status="draft"), country="SE")


def shown(client: Client, query: str) -> list[str]:
    text = client.get(f"/founders?{query}").content.decode()
    return re.findall(r'<a href="/founders/[\w-]+">([^<]+)</a>', text)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Bo Holm", "José Ruiz", "Ada Lindqvist"]),
        ("q=jose", ["José Ruiz"]),
        ("q=lindqwist", ["Ada Lindqvist"]),
        ("q=jose+ruis", ["José Ruiz"]),
        ("q=Tidewell", ["Ada Lindqvist", "José Ruiz"]),
        ("q=hour&country=DK", ["Bo Holm"]),
        ("q=tidewell&country=DK", []),
        ("country=se", ["Ada Lindqvist"]),
        ("q=secret", []),
        ("q=zzzz", []),
        ("q=%25&country=%00", ["Bo Holm", "José Ruiz", "Ada Lindqvist"]),
    ],
)
def test_people_are_found_by_name_product_and_country(
    world: None, client: Client, query: str, found: list[str]
) -> None:
    assert shown(client, query) == found


def test_a_row_names_a_product_and_a_near_name_is_said_to_be_one(world: None, client: Client) -> None:
    text = client.get("/founders?q=lindqwist&country=SE").content.decode()
    assert "These names come near" in text
    assert '<option value="SE" selected>Sweden' in text
    assert "These names come near" not in client.get("/founders?q=ada").content.decode()
    assert "Engineer, Hourfold and 1 more" in client.get("/founders?q=hourfold").content.decode()
    assert "Engineer, Tidewell and 1 more" in client.get("/founders?q=tidewell").content.decode()


def test_more_people_take_no_more_queries(world: None, client: Client) -> None:
    def queries(query: str) -> int:
        shown(client, query)
        with CaptureQueriesContext(connection) as made:
            shown(client, query)
        return len(made)

    before = [queries("q=lindqwist"), queries("q=tidewell")]
    for number in range(5):
        founder(f"Eva Lindqvist{number}", make_listing(f"tidewell-{number}"))
    assert [queries("q=lindqwist"), queries("q=tidewell")] == before
    assert max(before) <= 12
