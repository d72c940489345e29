"""Several sites on one installation: public reads see the asked site's listings only."""

from typing import Any

import pytest
from django.contrib.sites.models import Site as DjangoSite

from directory.models import Site
from directory.selectors.sites import forget_sites
from tests.conftest import Api
from tests.factories.listings import make_listing


@pytest.fixture
def other(site: Site) -> Site:
    """A second site, on localhost."""
    django_site = DjangoSite.objects.create(domain="localhost", name="Other")
    found = Site.objects.create(django_site=django_site, key="other", name="Other", purpose="Other things.")
    forget_sites()
    return found


PATHS = ("/api/v1/listings", "/api/v1/launches?section=recent", "/api/v1/launches/weeks/2026-11-16")


@pytest.mark.parametrize("path", PATHS)
def test_a_site_shows_its_own_listings(api: Api, site: Site, other: Any, path: str) -> None:
    make_listing("here")
    make_listing("there", site=other)

    here = [item.get("listing", item)["slug"] for item in api().get(path).json()["items"]]
    there = [item.get("listing", item)["slug"] for item in api().get(path, Host="localhost").json()["items"]]

    assert (here, there) == (["here"], ["there"])


def test_one_slug_on_two_sites_is_two_listings(api: Api, site: Site, other: Any) -> None:
    make_listing("twin", name="Here")
    make_listing("twin", name="There", site=other)

    assert api().get("/api/v1/listings/twin").json()["name"] == "Here"
    assert api().get("/api/v1/listings/twin", Host="localhost").json()["name"] == "There"


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/listings/there",
        "/api/v1/listings/there/badges",
        "/api/v1/listings/there/alternatives",
    ],
)
def test_another_sites_listing_is_not_here(api: Api, site: Site, other: Any, path: str) -> None:
    make_listing("there", site=other)

    assert api().get(path).status_code == 404
    assert api().get(path, Host="localhost").status_code == 200


def test_counts_are_the_sites_own(api: Api, site: Site, other: Any) -> None:
    make_listing("here")
    make_listing("there", site=other)
    make_listing("there-too", site=other)

    (category,) = api().get("/api/v1/categories").json()["items"]
    (elsewhere,) = api().get("/api/v1/categories", Host="localhost").json()["items"]
    assert (category["listings_count"], elsewhere["listings_count"]) == (1, 2)


def test_any_other_host_is_answered_by_the_default_site(api: Api, site: Site, other: Any) -> None:
    make_listing("here")

    assert api().get("/api/v1/site", Host="127.0.0.1").json()["name"] == site.name
