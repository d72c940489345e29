"""Edits of one's own listing: public at once, kept with both sides, and followed by the same company's other sites."""

from typing import Any

import pytest
from django.contrib.sites.models import Site as DjangoSite

from directory.models import Listing, ListingRevision, Site
from directory.sites.lookup import forget_sites
from tests.conftest import Api, People
from tests.factories.listings import make_listing

QUOTE = {"quote": "Invoices", "url": "https://a.example/", "link": "https://a.example/#x", "source": "text"}
QUOTE |= {"page_sha256": "0" * 64}
FAQ = {"question": "Is it free?", "answer": "No."}


@pytest.fixture
def listing(people: People, site: Site) -> Listing:
    return make_listing(
        owner=people.owner,
        city="Ghent",
        features=["Reminders"],
        evidence={"tagline": [QUOTE], "city": [QUOTE]},
        not_found=[{"field": "country", "reason": "not_on_site"}],
        socials={"x": "https://x.com/a", "github": "https://github.com/a"},
        faqs=[FAQ],
    )


def send(api: Api, listing: Listing, body: Any, **options: Any) -> Any:
    return api("listings:write").patch(f"/api/v1/me/listings/{listing.pk}", body, **options)


def test_an_edit_is_public_at_once_and_kept_with_both_sides(
    api: Api, listing: Listing, people: People
) -> None:
    was = listing.tagline

    body = send(api, listing, {"fields": {"tagline": " Paid on time ", "country": "be", "city": None}}).json()

    changes = {change["field"]: (change["before"], change["after"]) for change in body["changes"]}
    assert changes == {"tagline": (was, "Paid on time"), "country": (None, "BE"), "city": ("Ghent", None)}
    shown = api().get("/api/v1/listings/tidewell").json()
    assert (shown["tagline"], shown["country"], shown["city"]) == ("Paid on time", "BE", None)
    assert (shown["evidence"], shown["features"]) == ({}, ["Reminders"])
    assert shown["not_found_on_website"] == [{"field": "city", "reason": "removed_by_owner"}]
    found = api().get("/api/v1/listings?q=paid+on+time").json()["items"]
    assert [item["slug"] for item in found] == ["tidewell"]
    (version,) = body["listing"]["versions"]
    assert (version["id"], version["review"]) == (body["version_id"], "pending")
    assert sorted(version["changed"]) == ["city", "country", "tagline"]
    revision = ListingRevision.objects.get()
    assert (revision.before["city"], revision.after["city"], revision.by) == ("Ghent", None, people.owner)
    assert body["applied_to"] == []


@pytest.mark.parametrize(
    "body",
    [{}, {"fields": {}}, {"fields": {"city": "Ghent", "headline": "", "pricing_summary": ""}, "faqs": [FAQ]}],
)
def test_what_changes_nothing_makes_no_version(api: Api, listing: Listing, body: Any) -> None:
    before = Listing.objects.values().get()

    answer = send(api, listing, body)

    assert (answer.status_code, answer.json()["changes"], answer.json()["version_id"]) == (200, [], None)
    assert (Listing.objects.values().get(), ListingRevision.objects.count()) == (before, 0)


def test_links_and_questions_replace_all_and_every_field_is_taken(api: Api, listing: Listing) -> None:
    fields = {
        "tagline": "T" * 200,
        "short_description": "S",
        "description": "# D",
        "pricing_model": "freemium",
        "pricing_summary": "Free for three",
        "country": "dk",
        "city": "Aarhus",
        "founded_year": 2019,
        "demo_video_url": "https://videos.example.com/1",
        "contact_email": "hello@Tidewell.example",
        "features": ["One", "Two"],
        "usps": ["Fair"],
        "keywords": ["invoice"],
        "headline": "H",
        "summary": "Sum",
        "seo_title": "Title",
        "seo_description": "Description",
    }
    socials = {"linkedin": "https://www.linkedin.com/company/tidewell", "x": None}

    found = send(api, listing, {"fields": fields, "socials": socials, "faqs": []}).json()["listing"]

    assert (found["socials"], found["faqs"]) == ({"linkedin": socials["linkedin"]}, [])
    given = {**fields, "country": "DK", "contact_email": "hello@tidewell.example"}
    told = {**found, **{f"pricing_{name}": value for name, value in found["pricing"].items()}}
    told |= {"demo_video_url": found["links"]["demo_video"], "contact_email": found["links"]["contact_email"]}
    assert {name: told[name] for name in fields} == given


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"fields": {"country": "XX", "city": 7}}, {"/fields/country", "/fields/city"}),
        ({"fields": {"founded_year": 1799, "name": "Other"}}, {"/fields/founded_year", "/fields/name"}),
        ({"fields": {"contact_email": "nobody", "demo_video_url": "ftp://a.example"}}, None),
        ({"fields": {"tagline": "T" * 201}, "faqs": [FAQ] * 11}, {"/fields/tagline", "/faqs"}),
        ({"socials": {"myspace": "https://a.example"}}, {"/socials/myspace"}),
        ({"fields": {"tagline": None}}, {"/fields/tagline"}),
        ({"fields": {"city": "Rome"}, "apply_to": ["all", "nowhere"]}, {"/apply_to/1"}),
    ],
)
def test_what_breaks_a_rule_is_named_and_nothing_changes(
    api: Api, listing: Listing, body: Any, pointers: set[str] | None
) -> None:
    before = Listing.objects.values().get()

    answer = send(api, listing, body)

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    named = {error["pointer"] for error in answer.json()["errors"]}
    assert named == (pointers or {"/fields/contact_email", "/fields/demo_video_url"})
    assert (Listing.objects.values().get(), ListingRevision.objects.count()) == (before, 0)


def test_somebody_elses_listing_is_not_there(api: Api, listing: Listing, people: People) -> None:
    body = {"fields": {"city": "Rome"}}
    caller = api("listings:write", user=people.stranger)

    assert caller.patch(f"/api/v1/me/listings/{listing.pk}", body).status_code == 404
    assert Listing.objects.get().city == "Ghent"


def test_the_same_key_edits_once(api: Api, listing: Listing) -> None:
    first = send(api, listing, {"fields": {"city": "Rome"}}, Idempotency_Key="e-1")
    again = send(api, listing, {"fields": {"city": "Rome"}}, Idempotency_Key="e-1")

    assert (again.json(), again["Idempotent-Replayed"]) == (first.json(), "true")
    assert ListingRevision.objects.count() == 1


@pytest.fixture
def elsewhere(people: People, listing: Listing) -> dict[str, Listing]:
    """Listings of the company on two more sites, and what is not the company's."""
    sites = {}
    for key in ("nordic", "baltic"):
        django_site = DjangoSite.objects.create(domain=f"{key}.example", name=key)
        sites[key] = Site.objects.create(django_site=django_site, key=key, name=key, purpose=key)
    forget_sites()
    same = {
        "domain": listing.domain,
        "host": f"app.{listing.domain}",
        "url": f"https://app.{listing.domain}/",
    }
    return {
        "nordic": make_listing("tidewell", site=sites["nordic"], owner=people.owner, **same),
        "baltic": make_listing("tidewell", site=sites["baltic"], owner=people.owner, status="draft", **same),
        "stranger": make_listing("other", site=sites["nordic"], owner=people.stranger, **same),
        "another": make_listing("brindle", site=sites["nordic"], owner=people.owner),
        "neighbour": make_listing("tidewell-2", owner=people.owner, **same),
    }


@pytest.mark.parametrize(
    ("apply_to", "written"),
    [(["all"], ["baltic", "nordic"]), (["nordic"], ["nordic"]), (["default"], []), ([], [])],
)
def test_what_goes_to_other_sites_is_told_and_kept_there(
    api: Api, listing: Listing, elsewhere: dict[str, Listing], apply_to: list[str], written: list[str]
) -> None:
    Site.objects.filter(pk=listing.site_id).update(key="default")
    texts = {"headline": "H", "summary": "S", "seo_title": "T", "seo_description": "D"}

    body = send(api, listing, {"fields": {**texts, "city": "Rome"}, "apply_to": apply_to}).json()

    assert sorted(body["applied_to"]) == written
    for name, other in elsewhere.items():
        other.refresh_from_db()
        found = [getattr(other, text) for text in texts]
        assert found == (list(texts.values()) if name in written else [""] * 4)
        assert other.city == ""
        assert other.revisions.count() == (1 if name in written else 0)
    assert {site["key"] for site in body["listing"]["sites"] if site["linked"]} == {
        "default",
        "nordic",
        "baltic",
    }


def test_without_such_texts_nothing_goes_to_other_sites(
    api: Api, listing: Listing, elsewhere: dict[str, Listing]
) -> None:
    body = send(api, listing, {"fields": {"city": "Rome"}, "apply_to": ["all"]}).json()

    assert (body["applied_to"], ListingRevision.objects.count()) == ([], 1)


@pytest.mark.parametrize("status", ["draft", "awaiting_badge", "scheduled", "suspended", "rejected"])
def test_a_listing_is_edited_whatever_its_status(api: Api, people: People, site: Site, status: str) -> None:
    listing = make_listing(owner=people.owner, status=status)

    found = send(api, listing, {"fields": {"city": "Rome"}}).json()["listing"]

    assert (found["status"], found["city"]) == (status, "Rome")
    assert {action["operation"] for action in found["next_actions"]} >= {
        "get_my_listing"
    } or status == "draft"
