"""A website that cannot be read does not keep its product out: its owner says what it is."""

from typing import Any

import pytest
from django.utils import timezone

from core import jobs
from directory.models import Listing
from drafts.models import Draft
from tests.conftest import People, signed_in
from tests.drafts.conftest import blank_draft
from tests.drafts.updating import API, FAQ, Api, everything
from tests.factories.listings import make_category
from tests.servers.website import Website, html, plain

BY_HAND = {"name": "Tidewell", "tagline": "Paid on time", "categories": ["Invoicing"]}


@pytest.fixture
def failed(api: Api, site: Any, tidewell: Website) -> dict[str, Any]:
    """A draft that robots.txt stopped, as get_draft shows it."""
    make_category("invoicing", name="Invoicing")
    tidewell.pages = {"/robots.txt": plain("User-agent: *\nDisallow: /")}
    draft = api("all").post(API, {"url": "https://tidewell.test/"}, X_Request_Id="request-of-ann").json()
    jobs.run_due()
    found: dict[str, Any] = api("all").get(f"{API}/{draft['id']}").json()
    assert (found["status"], found["error"]["request_id"]) == ("failed", "request-of-ann")
    unused = {"name": "extractive", "model": None, "tokens": None, "note": None, "refused": []}
    assert (draft["writer"], found["writer"]) == (unused, unused)
    return found


def test_the_page_that_was_refused_is_named(api: Api, site: Any, tidewell: Website) -> None:
    tidewell.pages = {"/robots.txt": plain("User-agent: *\nAllow: /")}
    draft = api("all").post(API, {"url": "https://tidewell.test/"}).json()
    jobs.run_due()

    found = api("all").get(f"{API}/{draft['id']}").json()

    (page,) = found["crawl"]["pages"]
    assert (found["status"], found["error"]["code"], found["crawl"]["robots"]) == (
        "failed",
        "site_error",
        "allowed",
    )
    assert (page["url"], page["status"], page["skipped"]) == ("https://tidewell.test/", 404, "error")


def test_what_is_no_page_is_named_with_the_status_it_came_with(
    api: Api, site: Any, tidewell: Website
) -> None:
    tidewell.pages = {"/robots.txt": plain(""), "/": html("%PDF-1.4", content_type="application/pdf")}
    draft = api("all").post(API, {"url": "https://tidewell.test/"}).json()
    jobs.run_due()

    found = api("all").get(f"{API}/{draft['id']}").json()

    (page,) = found["crawl"]["pages"]
    assert found["error"]["code"] == "not_html"
    assert (page["url"], page["status"], page["bytes"], page["skipped"]) == (
        "https://tidewell.test/",
        200,
        0,
        "type",
    )


@pytest.mark.parametrize(
    ("robots", "reason"), [("Disallow: /", "robots_blocked"), ("Allow: /", "fetch_failed")]
)
def test_every_blank_field_says_why_also_once_a_value_is_taken_back(
    api: Api, site: Any, tidewell: Website, robots: str, reason: str
) -> None:
    tidewell.pages = {"/robots.txt": plain(f"User-agent: *\n{robots}")}
    draft = api("all").post(API, {"url": "https://tidewell.test/"}).json()
    assert {field["reason"] for field in draft["fields"].values()} == {None}
    jobs.run_due()
    path = f"{API}/{draft['id']}"

    failed = api("all").get(path).json()
    api("all").patch(path, {"fields": {"city": "Ghent", "country": None}})
    restored = api("all").patch(path, {"restore": ["city", "country"]}).json()

    for answer in (failed, restored):
        assert {field["reason"] for field in answer["fields"].values()} == {reason}
        assert {field["state"] for field in answer["fields"].values()} == {"not_found"}


def test_a_page_of_scripts_alone_is_named_as_unused_whatever_its_title_holds(
    api: Api, site: Any, tidewell: Website
) -> None:
    title = "T\x00" + "t" * 600
    shell = html(f'<title>{title}</title><div id="root"></div><script src="/app.js"></script>')
    tidewell.pages = {"/robots.txt": plain(""), "/": shell}
    draft = api("all").post(API, {"url": "https://tidewell.test/"}).json()
    jobs.run_due()

    found = api("all").get(f"{API}/{draft['id']}").json()

    (page,) = found["crawl"]["pages"]
    assert (found["error"]["code"], page["status"], page["skipped"]) == ("script_only", 200, "error")
    assert "scripts" in page["reason"]

    api("all").patch(f"{API}/{draft['id']}", {"fields": {"name": "Tidewell"}, "regenerate": ["city"]})
    jobs.run_due()
    again = api("all").get(f"{API}/{draft['id']}").json()
    assert (again["status"], again["writer"]["note"]) == ("ready", None)


@pytest.mark.parametrize(
    "body", [{"fields": {"city": "Ghent"}}, {"company_socials": {"x": "https://x.com/t"}}, {"faqs": [FAQ]}]
)
def test_the_first_value_makes_it_ready_and_the_cause_stays_told(
    api: Api, failed: dict[str, Any], body: Any
) -> None:
    answer = api("listings:write").patch(f"{API}/{failed['id']}", body)

    found = answer.json()
    assert (answer.status_code, found["status"], found["progress"]["stage"]) == (200, "ready", "ready")
    assert (found["error"], found["crawl"]) == (failed["error"], failed["crawl"])
    assert (found["error"]["code"], found["crawl"]["robots"]) == ("robots_blocked", "blocked")
    assert {"name", "tagline", "categories"} == {e["field"] for e in found["missing"] if e["required"]}


@pytest.mark.parametrize("body", [{}, {"fields": {"name": None}}, {"lock_fields": ["name"]}, {"faqs": []}])
def test_nothing_given_leaves_it_failed(api: Api, failed: dict[str, Any], body: Any) -> None:
    answer = api("listings:write").patch(f"{API}/{failed['id']}", body)

    assert (answer.status_code, answer.json()["status"]) == (200, "failed")


def test_it_is_completed_by_hand_and_submitted(api: Api, failed: dict[str, Any]) -> None:
    path = f"{API}/{failed['id']}"
    refused = api("all").post(f"{path}/submit").json()
    assert (refused["code"], "by hand" in refused["detail"]) == ("draft_not_ready", True)

    ready = api("all").patch(path, {"fields": BY_HAND}).json()
    saved = api("all").post(f"{path}/submit").json()

    assert (ready["ready_to_submit"], saved["created"], saved["slug"]) == (True, True, "tidewell")
    listing = Listing.objects.get()
    assert (listing.tagline, listing.url) == ("Paid on time", "https://tidewell.test/")
    assert {entry["reason"] for entry in listing.not_found} == {"robots_blocked"}
    assert api("all").patch(path, {"regenerate": ["city"]}).json()["code"] == "draft_not_ready"


def test_it_stays_failed_beside_an_open_draft_of_the_same_site(
    api: Api, failed: dict[str, Any], people: People, site: Any
) -> None:
    other = blank_draft(owner=people.owner, site=site)
    draft = Draft.objects.get(pk=failed["id"])
    before = everything(draft)

    answer = api("all").patch(f"{API}/{draft.pk}", {"fields": BY_HAND})

    assert (answer.status_code, answer.json()["code"]) == (400, "duplicate_listing")
    assert (answer.json()["draft_id"], everything(draft)) == (str(other.pk), before)


def test_the_page_offers_it(people: People, failed: dict[str, Any]) -> None:
    client = signed_in(people.owner)
    address = f"/drafts/{failed['id']}"
    assert f'href="{address}/edit"' in client.get(address).content.decode()

    page = client.get(f"{address}/edit").content.decode()
    assert "robots.txt on tidewell.test asks us not to read" in page
    assert "Suggest another" not in page

    saved = client.post(f"{address}/edit", {"name": "Tidewell", "tagline": "Paid", "categories": "Invoicing"})
    assert saved["Location"] == f"{address}#field-name"
    assert 'value="listing">Submit</button>' in client.get(address).content.decode()
    assert Draft.objects.get().status == "ready"


def test_the_editor_of_a_draft_that_is_being_written_waits(people: People, site: Any) -> None:
    draft = blank_draft(owner=people.owner, site=site)
    Draft.objects.update(status="crawling", updated_at=timezone.now())
    client = signed_in(people.owner)

    assert client.get(f"/drafts/{draft.pk}/edit")["Location"] == f"/drafts/{draft.pk}"
