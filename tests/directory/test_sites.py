"""Several sites on one installation: public reads see the asked site's listings only."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.sites.models import Site as DjangoSite
from django.core.management import call_command

from directory.models import Site
from directory.sites.lookup import forget_sites
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.servers.website import Website, html, plain


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
    "path", ["/api/v1/listings/there", "/api/v1/listings/there/badges", "/api/v1/listings/there/alternatives"]
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


@pytest.mark.parametrize("path", ["/api/v1/listings", "/api/v1/launches?section=recent"])
def test_links_lead_back_to_the_site_that_was_asked(api: Api, site: Site, other: Any, path: str) -> None:
    for slug in ("one", "two"):
        make_listing(slug)
        make_listing(slug, site=other)
    ask = f"{path}{'&' if '?' in path else '?'}per_page=1"

    there = api().get(ask, Host="localhost")

    (item,) = there.json()["items"]
    assert item["page_url"] == f"http://localhost/listings/{item['slug']}"
    assert item["api_url"] == f"http://localhost/api/v1/listings/{item['slug']}"
    assert there.json()["next"].startswith("http://localhost/api/v1/")
    assert there.headers["Link"].startswith("<http://localhost/api/v1/")
    assert api().get(ask).json()["next"].startswith(f"{settings.SITE_URL}/api/v1/")


@pytest.mark.parametrize("path", ["/site", "/listings/there", "/listings/there/badges", "/founders", "/blog"])
def test_no_answer_of_a_site_leads_to_another(api: Api, site: Site, other: Any, path: str) -> None:
    make_listing("there", site=other)

    body = api().get(f"/api/v1{path}", Host="localhost").text

    assert settings.SITE_URL not in body.replace(f"{settings.SITE_URL}/mcp", "")


def test_a_host_of_ours_that_is_no_site_is_told_the_default_address(api: Api, site: Site, other: Any) -> None:
    make_listing("here")

    (item,) = api().get("/api/v1/listings", Host="127.0.0.1").json()["items"]
    assert item["page_url"] == f"{settings.SITE_URL}/listings/here"


def test_the_badge_of_a_listing_leads_to_its_own_site(
    api: Api, people: People, site: Site, other: Any, settings: Any
) -> None:
    with Website({"/robots.txt": plain(""), "/": html("<h1>Tidewell</h1>")}) as website:
        settings.CRAWL_RESOLVE = website.at("tidewell.example")
        listing = make_listing("tidewell", site=other, owner=people.owner, status="draft")
        chosen = api("all").post(f"/api/v1/me/listings/{listing.pk}/free").json()
        badge = chosen["queue"]["badge"]
        website.pages["/"] = html(badge["html"])
        call_command("check_badges")

    assert badge["link_url"] == "http://localhost/listings/tidewell"
    listing.refresh_from_db()
    assert listing.status == "scheduled"


def test_an_own_listing_leads_to_its_own_site_wherever_it_is_asked_for(
    api: Api, people: People, site: Site, other: Any, settings: Any
) -> None:
    make_listing("brindle", owner=people.owner)
    there = make_listing("tidewell", site=other, owner=people.owner, status="draft")
    with Website({"/robots.txt": plain(""), "/": html("<h1>Tidewell</h1>")}) as website:
        settings.CRAWL_RESOLVE = website.at("tidewell.example")
        chosen = api("all").post(f"/api/v1/me/listings/{there.pk}/free").json()

    (second, first) = api("all").get("/api/v1/me/listings").json()["items"]
    one = api("all").get(f"/api/v1/me/listings/{there.pk}").json()
    assert chosen["queue"]["badge"]["html"] in chosen["next_actions"][0]["why"]
    assert first["page_url"] == f"{settings.SITE_URL}/listings/brindle"
    for shown in (chosen, second, one):
        assert shown["page_url"] == "http://localhost/listings/tidewell"
        assert shown["api_url"] == "http://localhost/api/v1/listings/tidewell"


def test_each_site_shows_its_own_and_the_way_to_the_other(client: Any, site: Site, other: Any) -> None:
    make_listing("tidewell")
    make_listing("brindle", site=other)

    here = client.get("/").content.decode()
    there = client.get("/", headers={"Host": "localhost"}).content.decode()

    assert [name in here for name in ("Tidewell", "Brindle")] == [True, False]
    assert [name in there for name in ("Tidewell", "Brindle")] == [False, True]
    assert f'<a href="http://localhost/">{other.name}</a>' in here
    assert f'<a href="{settings.SITE_URL}/">{site.name}</a>' in there
