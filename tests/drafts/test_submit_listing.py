"""A website comes in, a draft is there at once and written in the background."""

from collections.abc import Callable
from typing import Any

import pytest

from core import jobs
from core.models import Job
from directory.facts import FACTS
from directory.models import Site
from drafts.models import Draft
from tests.conftest import Caller, People
from tests.factories.listings import make_listing
from tests.servers.website import Canary, Website, html, plain, redirect

API = "/api/v1/drafts"


def test_answers_at_once_with_a_draft_that_is_being_crawled(
    api: Callable[..., Caller], site: Site, tidewell: Website
) -> None:
    caller = api("listings:write account:read")
    answer = caller.post(API, {"url": "https://TideWell.test/#top"})

    body = answer.json()
    assert body == caller.get(f"{API}/{body['id']}").json()
    assert (answer.status_code, body["status"], body["url"]) == (201, "crawling", "https://tidewell.test/")
    assert (answer["Retry-After"], body["poll_after_seconds"]) == ("2", 2)
    assert body["next_actions"][0]["operation"] == "get_draft"
    assert {field["state"] for field in body["fields"].values()} == {"not_found"}
    assert list(body["fields"]) == list(FACTS)
    assert tidewell.requests == []


def test_a_person_has_so_many_sites_read_and_no_more(
    api: Callable[..., Caller], site: Site, tidewell: Website, settings: Any
) -> None:
    settings.RATE_LIMIT_FACTOR = 2 / 120  # two an hour
    caller = api("listings:write")
    answers = [
        caller.post(API, {"url": f"https://{name}.test/"}) for name in ("tidewell", "brindle", "cobalt")
    ]

    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert (answers[2].json()["policy"], Draft.objects.count(), Job.objects.count()) == ("crawl", 2, 2)


def test_every_value_of_the_ready_draft_is_quoted_from_a_page_that_robots_txt_opens(
    ready: dict[str, Any], tidewell: Website
) -> None:
    values = {name: field["value"] for name, field in ready["fields"].items()}
    assert values["name"] == "Tidewell"
    assert values["tagline"] == "Invoices that chase themselves"
    assert values["founded_year"] == "2021"
    assert (values["country"], values["city"]) == ("BE", "Ghent")
    assert values["contact_email"] == "hello@tidewell.test"
    assert values["categories"] == ["Invoicing"]
    assert values["stage"] is None
    for name, field in ready["fields"].items():
        assert bool(field["evidence"]) == (field["state"] == "ai"), name
    assert ready["crawl"]["robots"] == "partly"
    assert {page["url"]: page.get("skipped") for page in ready["crawl"]["pages"]}[
        "https://tidewell.test/secret/plans"
    ] == "robots"
    assert [request.path for request in tidewell.requests if request.path.startswith("/secret")] == []
    assert ready["completeness"] > 50
    assert ready["ready_to_submit"] is True


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://tidewell.test/", "invalid_url"),
        ("not a url", "invalid_url"),
        ("https://user:pass@tidewell.test/", "invalid_url"),
        ("http://127.0.0.1/", "url_not_public"),
        ("http://2130706433/", "url_not_public"),
        ("http://[::ffff:127.0.0.1]/", "url_not_public"),
        ("http://localhost/", "url_not_public"),
        ("http://intranet/", "url_not_public"),
        ("http://example.com:8080/", "url_not_public"),
        ("http://169.254.169.254/latest/meta-data", "url_not_public"),
    ],
)
def test_refuses_at_once_what_cannot_be_a_public_website_and_leaves_nothing(
    api: Callable[..., Caller], site: Site, tidewell: Website, url: str, code: str
) -> None:
    answer = api("listings:write").post(API, {"url": url})

    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert [(error["pointer"], error["code"]) for error in answer.json()["errors"]] == [("/url", code)]
    assert (Draft.objects.count(), Job.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({}, "/url", "required"),
        ({"url": 5}, "/url", "invalid"),
        ({"url": None}, "/url", "null"),
        ({"url": ""}, "/url", "blank"),
        ({"url": "https://a.example/" + "a" * 2048}, "/url", "max_length"),
        ({"url": "https://a.example/", "plan": "paid"}, "/plan", "unknown_property"),
        (["https://a.example/"], "", "not_an_object"),
    ],
)
def test_names_the_field_and_the_rule(
    api: Callable[..., Caller], site: Site, body: Any, pointer: str, code: str
) -> None:
    answer = api("listings:write").post(API, body)

    problem = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert problem["code"] == "invalid_request"
    assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [(pointer, code)]
    assert Draft.objects.count() == 0


@pytest.mark.parametrize(("scope", "status"), [(None, 401), ("account:read", 403), ("orders:write", 403)])
def test_refuses_without_the_scope_and_leaves_nothing(
    api: Callable[..., Caller], site: Site, scope: str | None, status: int
) -> None:
    answer = api(scope).post(API, {"url": "https://tidewell.example/"})

    assert (answer.status_code, Draft.objects.count()) == (status, 0)
    assert answer["WWW-Authenticate"].startswith("Bearer ")


def test_a_second_draft_of_the_same_site_is_refused_and_names_the_first(
    api: Callable[..., Caller], site: Site, tidewell: Website, people: People
) -> None:
    first = api("listings:write").post(API, {"url": "https://tidewell.test/"}).json()

    second = api("listings:write").post(API, {"url": "http://www.tidewell.test/pricing?x=1"})
    other = api("listings:write", user=people.stranger).post(API, {"url": "https://tidewell.test/"})

    assert (second.status_code, second.json()["code"]) == (400, "duplicate_listing")
    assert second.json()["draft_id"] == first["id"]
    assert (other.status_code, Draft.objects.count()) == (201, 2)


def test_a_draft_of_a_site_with_a_live_listing_says_so(
    api: Callable[..., Caller], site: Site, tidewell: Website
) -> None:
    make_listing("tidewell", url="https://tidewell.test/", host="tidewell.test", domain="tidewell.test")

    body = api("listings:write").post(API, {"url": "https://tidewell.test/"}).json()

    assert body["duplicate_of"] == {"slug": "tidewell", "claimable": True}


def test_an_address_kept_for_examples_is_drafted_beside_its_listing_and_ends_in_failed(
    api: Callable[..., Caller], site: Site
) -> None:
    make_listing("lumenfold", url="https://lumenfold.example/", domain="lumenfold.example")
    caller = api("all")

    made = caller.post(API, {"url": "https://www.lumenfold.example"})
    jobs.run_due()

    assert (made.status_code, made.json()["duplicate_of"]["slug"]) == (201, "lumenfold")
    failed = caller.get(f"{API}/{made.json()['id']}").json()
    assert (failed["status"], failed["error"]["code"]) == ("failed", "url_not_public")


def test_the_same_key_makes_one_draft_and_another_body_is_refused(
    api: Callable[..., Caller], site: Site, tidewell: Website
) -> None:
    caller = api("listings:write")
    first = caller.post(API, {"url": "https://tidewell.test/"}, Idempotency_Key="k-1")
    again = caller.post(API, {"url": "https://tidewell.test/"}, Idempotency_Key='"k-1"')
    other = caller.post(API, {"url": "https://other.example/"}, Idempotency_Key="k-1")

    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json(), again["Idempotent-Replayed"]) == (first.json(), "true")
    assert (first["Retry-After"], again["Retry-After"]) == ("2", "2")
    assert (other.status_code, other.json()["code"]) == (400, "idempotency_key_reused")
    assert Draft.objects.count() == 1


def failed(api: Callable[..., Caller]) -> dict[str, Any]:
    """Submit tidewell.test, let the worker run, and give the draft back."""
    body = api("all").post(API, {"url": "https://tidewell.test/"}).json()
    jobs.run_due()
    found: dict[str, Any] = api("all").get(f"{API}/{body['id']}").json()
    return found


@pytest.mark.parametrize(
    ("pages", "code"),
    [
        ({"/robots.txt": plain("User-agent: *\nDisallow: /")}, "robots_blocked"),
        ({"/robots.txt": plain("down", status=503)}, "robots_unreachable"),
        ({"/": html("<p>gone</p>", status=500)}, "site_error"),
        ({"/": plain("%PDF-1.7")}, "not_html"),
        ({"/": html('<div id="root"></div><script src="/app.js"></script>')}, "script_only"),
    ],
)
def test_a_site_that_gives_no_draft_ends_it_with_a_reason_and_may_be_tried_again(
    api: Callable[..., Caller], site: Site, tidewell: Website, pages: dict[str, Any], code: str
) -> None:
    original = dict(tidewell.pages)
    tidewell.pages = {"/robots.txt": plain(""), **pages}

    draft = failed(api)

    assert (draft["status"], draft["error"]["code"]) == ("failed", code)
    assert len(draft["error"]["detail"]) > 20
    assert len(draft["error"]["request_id"]) == 32
    assert draft["crawl"]["robots"] == ("blocked" if code.startswith("robots") else "allowed")
    assert [action["operation"] for action in draft["next_actions"]] == ["submit_listing", "update_draft"]
    tidewell.pages = original
    assert failed(api)["status"] == "ready"


def test_a_redirect_into_our_own_network_is_not_followed(
    api: Callable[..., Caller], site: Site, tidewell: Website, canary: Canary
) -> None:
    tidewell.pages = {"/robots.txt": plain(""), "/": redirect(f"http://127.0.0.1:{canary.address[1]}/")}

    assert failed(api)["status"] == "failed"
    assert canary.visits == 0


def test_a_site_that_a_redirect_reveals_is_recognised(
    api: Callable[..., Caller], site: Site, tidewell: Website, settings: Any
) -> None:
    settings.CRAWL_RESOLVE = tidewell.at("tidewell.test", "old-tidewell.test")
    make_listing("tidewell", url="https://tidewell.test/", host="tidewell.test", domain="tidewell.test")
    home = tidewell.pages["/"]

    def moved(handler: Any) -> None:
        reply = redirect("http://tidewell.test/") if handler.headers["Host"].startswith("old") else home
        reply(handler)

    tidewell.pages["/"] = moved
    body = api("all").post(API, {"url": "http://old-tidewell.test/"}).json()
    assert body["duplicate_of"] is None
    jobs.run_due()

    found = api("all").get(f"{API}/{body['id']}").json()

    assert (found["status"], found["duplicate_of"]) == ("ready", {"slug": "tidewell", "claimable": True})
    again = api("all").post(API, {"url": "http://tidewell.test/"})
    assert (again.status_code, again.json()["draft_id"]) == (400, body["id"])


def test_a_redirect_to_a_site_of_an_own_draft_ends_with_its_name(
    api: Callable[..., Caller], site: Site, tidewell: Website, ready: dict[str, Any], settings: Any
) -> None:
    settings.CRAWL_RESOLVE = tidewell.at("tidewell.test", "old-tidewell.test")
    home = tidewell.pages["/"]

    def moved(handler: Any) -> None:
        reply = redirect("http://tidewell.test/") if handler.headers["Host"].startswith("old") else home
        reply(handler)

    tidewell.pages["/"] = moved
    body = api("all").post(API, {"url": "http://old-tidewell.test/"}).json()
    jobs.run_due()

    found = api("all").get(f"{API}/{body['id']}").json()

    assert (found["status"], found["error"]["code"]) == ("failed", "duplicate_listing")
    assert ready["id"] in found["error"]["detail"]


def test_a_canonical_address_of_a_live_listing_is_a_hint(
    api: Callable[..., Caller], site: Site, tidewell: Website
) -> None:
    make_listing("ink", url="https://inkhouse.test/", host="inkhouse.test", domain="inkhouse.test")
    tidewell.pages["/"] = html(
        '<title>Ink</title><link rel="canonical" href="https://inkhouse.test/"><h1>Ink</h1>'
        + "<p>Ink writes.</p>" * 30
    )
    body = api("all").post(API, {"url": "https://tidewell.test/"}).json()
    jobs.run_due()

    found = api("all").get(f"{API}/{body['id']}").json()

    assert (found["status"], found["duplicate_of"]["slug"]) == ("ready", "ink")
