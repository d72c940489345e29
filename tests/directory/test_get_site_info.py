"""get_site_info: what the site says of itself."""

from typing import Any

import time_machine

from directory.models import Site
from directory.sites.lookup import forget_sites
from tests.conftest import Api
from tests.factories.listings import AT, make_category, make_listing

PATH = "/api/v1/site"


def test_says_what_the_site_is_and_where_its_parts_are(api: Api, site: Site) -> None:
    with time_machine.travel(AT, tick=False):
        body = api().get(PATH).json()

    assert (body["name"], body["purpose"]) == (site.name, site.purpose)
    assert (body["current_week"], body["api_version"]) == ("2026-11-16", "1.0.0")
    for name, path in (
        ("docs_url", "/docs"),
        ("openapi_url", "/api/v1/openapi.json"),
        ("mcp_url", "/mcp"),
        ("llms_url", "/llms.txt"),
    ):
        assert body[name].endswith(path)
        assert body[name].startswith("http")


def test_the_operator_names_the_first_site_whatever_was_stored(api: Api, site: Site, settings: Any) -> None:
    settings.SITE_NAME = "Makers' Market"
    forget_sites()

    assert api().get(PATH).json()["name"] == "Makers' Market"


def test_counts_what_is_public(api: Api, site: Site) -> None:
    make_category("finance")
    make_listing("one")
    make_listing("two")
    make_listing("soon", status="scheduled")
    make_listing("hidden", status="draft")
    make_listing("gone", status="archived", launched_at=AT)

    assert api().get(PATH).json()["counts"] == {"live_listings": 2, "categories": 2, "upcoming": 1}


def test_an_installation_without_a_site_says_so(api: Api, site: Site) -> None:
    site.delete()
    forget_sites()
    answer = api().get(PATH)

    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "unavailable", "5")
