"""claim_listing: what to publish, what is refused and why, and that a repeated call changes nothing."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from claims.methods import open_at
from claims.models import Claim, ClaimCheck
from claims.reach import reach_of
from core.models import Job
from directory.models import Listing, Site
from tests.claims.conftest import HOST, Start, listing_at
from tests.conftest import Api, People, signed_in
from tests.factories.listings import make_listing

CLAIMS = "/api/v1/claims"
SHAPE = {
    *("claim_id", "slug", "listing", "method", "status", "created_at", "expires_at", "verified_at"),
    *("instructions", "last_check", "attempts", "next_check_allowed_at", "listing_id", "next_actions"),
}


@pytest.mark.parametrize(
    ("method", "part", "told"),
    [
        ("dns", "record", {"type": "TXT", "name": f"_plverify.{HOST}", "value": "plverify={token}"}),
        (
            "meta",
            "meta",
            {
                "html": '<meta name="plverify" content="{token}">',
                "name": "plverify",
                "content": "{token}",
                "url": f"https://{HOST}/",
            },
        ),
        (
            "file",
            "file",
            {
                "url": f"https://{HOST}/.well-known/plverify.txt",
                "path": "/.well-known/plverify.txt",
                "content": "plverify={token}",
            },
        ),
    ],
)
def test_it_says_what_to_publish(start: Start, method: str, part: str, told: dict[str, str]) -> None:
    body = start(method)
    token = Claim.objects.get().token

    assert set(body) == SHAPE
    assert (body["slug"], body["method"], body["status"], body["attempts"]) == ("acme", method, "pending", 0)
    assert body["listing"] == {"slug": "acme", "name": "Acme", "url": f"https://{HOST}/"}
    assert {body[name] for name in ("last_check", "verified_at", "listing_id", "next_check_allowed_at")} == {
        None
    }
    assert body["instructions"][part] == {name: text.format(token=token) for name, text in told.items()}
    assert set(body["instructions"]) == {"summary", part}
    assert len(token) == 32
    (action,) = body["next_actions"]
    assert (action["operation"], action["path"]) == ("verify_claim", f"{CLAIMS}/{body['claim_id']}/verify")


def test_each_claim_has_a_token_of_its_own_and_a_second_call_finds_it(
    api: Api, people: People, start: Start
) -> None:
    first, same, other = start("dns"), start("dns"), start("meta")
    strangers = start("dns", user=people.stranger)

    assert same == first
    assert len({first["claim_id"], other["claim_id"], strangers["claim_id"]}) == 3
    assert len(set(Claim.objects.values_list("token", flat=True))) == 3
    listed = api("account:read").get(CLAIMS).json()
    assert [claim["claim_id"] for claim in listed["items"]] == [other["claim_id"], first["claim_id"]]
    assert (listed["items"][1], listed["total"]) == (first, 2)
    assert api("all").get("/api/v1/me").json()["counts"]["claims"] == 2


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"slug": "nobody", "method": "dns"}, "listing_unknown", "/slug"),
        ({"slug": "No!", "method": "dns"}, "listing_unknown", "/slug"),
        ({"slug": "saved", "method": "dns"}, "listing_unknown", "/slug"),
        ({"slug": "acme", "method": "http"}, "invalid_request", "/method"),
        ({"slug": "acme", "method": "email"}, "email_required", "/email"),
        ({"slug": "acme", "method": "email", "email": " "}, "email_required", "/email"),
        ({"slug": "acme", "method": "dns", "email": f"ada@{HOST}"}, "invalid_request", "/email"),
        ({"slug": "acme", "method": "email", "email": "ada"}, "invalid_request", "/email"),
        ({"slug": "acme", "method": "email", "email": "a@gmail.com"}, "email_not_at_domain", "/email"),
        ({"slug": "acme", "method": "email", "email": "a@evil-acme.test"}, "email_not_at_domain", "/email"),
        (
            {"slug": "acme", "method": "email", "email": "a@acme.test.evil.io"},
            "email_not_at_domain",
            "/email",
        ),
        ({"slug": "acme", "method": "email", "email": "a@notacme.test"}, "email_not_at_domain", "/email"),
        ({"slug": "pages", "method": "dns"}, "invalid_request", "/method"),
        ({"slug": "pages", "method": "email", "email": "a@github.io"}, "invalid_request", "/method"),
        ({"slug": "pages", "method": "email"}, "invalid_request", "/method"),
        ({"slug": "hub", "method": "file"}, "invalid_request", "/method"),
        ({"slug": "number", "method": "meta"}, "invalid_request", "/method"),
        ({"slug": "suffix", "method": "meta"}, "invalid_request", "/method"),
        ({"slug": "mail", "method": "email", "email": "a@gmail.com"}, "invalid_request", "/method"),
    ],
)
def test_refusals_name_the_field_and_leave_nothing(
    api: Api, people: People, listing: Listing, body: dict[str, Any], code: str, pointer: str
) -> None:
    make_listing("saved", owner=people.stranger, status="draft")
    listing_at("https://alice.github.io/", "pages")
    listing_at("https://github.com/alice/tool", "hub")
    listing_at("https://93.184.216.34/", "number")
    listing_at("https://co.uk/", "suffix")
    listing_at("https://gmail.com/", "mail")

    answer = api("all").post(CLAIMS, body)

    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
    assert (Claim.objects.count(), Job.objects.count()) == (0, 0)


def test_a_closed_way_and_an_address_it_does_not_take_are_both_named(api: Api, people: People) -> None:
    listing_at("https://alice.github.io/", "pages")

    answer = api("all").post(CLAIMS, {"slug": "pages", "method": "dns", "email": "a@b.co"})

    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/method", "/email"]


def test_an_address_under_the_domain_is_at_the_company(start: Start) -> None:
    assert start("email", email="Ada@Mail.ACME.test")["instructions"]["email"]["to"] == "Ada@mail.acme.test"


@pytest.mark.parametrize(
    "email",
    [
        f'"x@evil.example"@{HOST}',
        f"x@{HOST}\u200b",
        f"x\u200d@{HOST}",
        f"\u202ex@{HOST}",
        f"ſam@{HOST}",
        "x@acme。test",
    ],
)
def test_an_odd_address_is_at_no_company(api: Api, people: People, listing: Listing, email: str) -> None:
    answer = api("all").post(CLAIMS, {"slug": "acme", "method": "email", "email": email})
    client = signed_in(people.owner)
    page = client.post("/listings/acme/claim", {"method": "email", "email": email})

    assert (answer.status_code, page.status_code) == (400, 400)
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/email"]
    assert not reach_of(f"https://{HOST}/").has_address(email)
    assert (Claim.objects.count(), Job.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    "host", ["riseup.net", "yahoo.co.jp", "freenet.de", "tutanota.com", "sina.com", "gmail.com"]
)
def test_a_box_at_a_mail_host_is_no_proof_that_the_host_is_yours(host: str) -> None:
    assert open_at(reach_of(f"https://www.{host}/")) == ["dns", "meta", "file"]


def test_what_each_address_reaches() -> None:
    app = reach_of("https://app.example.co.uk/x")

    assert app.dns_names == ("_plverify.app.example.co.uk", "_plverify.example.co.uk")
    assert (app.domain, open_at(app)) == ("example.co.uk", ["dns", "meta", "file", "email"])
    assert reach_of("https://www.acme.com/").dns_names == ("_plverify.acme.com", "_plverify.www.acme.com")
    assert open_at(reach_of("https://foo.substack.com/")) == ["meta", "file"]
    assert open_at(reach_of("https://sites.google.com/x")) == ["meta"]
    assert open_at(reach_of("https://[2606:4700::1]/")) == open_at(reach_of("https://intranet/")) == []
    assert reach_of("https://github.com/a/b").covers("https://github.com/a/b/")
    assert not reach_of("https://github.com/a/b").covers("https://github.com/c/d")
    assert not reach_of("https://acme.com/").covers("https://app.acme.com/")


def test_an_owner_proves_an_unproved_listing_and_only_that(api: Api, people: People, site: Site) -> None:
    make_listing("mine", owner=people.owner, status="draft")
    make_listing("proved", owner=people.owner, claimed_by_method="dns")

    unproved = api("all").post(CLAIMS, {"slug": "mine", "method": "dns"})
    proved = api("all").post(CLAIMS, {"slug": "proved", "method": "meta"})

    assert unproved.status_code == 201
    assert (proved.status_code, proved.json()["code"]) == (400, "already_owner")


def test_a_claim_ends_after_seven_days_and_another_gets_another_token(api: Api, start: Start) -> None:
    first = start("dns")
    Claim.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    shown = api("all").get(CLAIMS).json()["items"][0]["status"]
    refused = api("all").post(f"{CLAIMS}/{first['claim_id']}/verify")
    second = start("dns")

    assert shown == "expired"
    assert (refused.status_code, refused.json()["code"], refused.json()["current"]) == (
        400,
        "invalid_state",
        "expired",
    )
    assert second["claim_id"] != first["claim_id"]
    assert second["instructions"] != first["instructions"]


def test_a_page_of_many_claims_costs_no_more_than_one_of_few(
    api: Api, people: People, listing: Listing
) -> None:
    caller = api("all")
    at = timezone.now()
    for number in range(12):
        listed = listing_at(f"https://p{number}.test/", f"p{number}")
        claim = Claim.objects.create(
            listing=listed, user=people.owner, method="dns", created_at=at, expires_at=at + timedelta(days=1)
        )
        claim.last_check = ClaimCheck.objects.create(claim=claim, at=at, result="not_found", detail="No.")
        claim.save(update_fields=["last_check"])
    caller.get(f"{CLAIMS}?per_page=1")
    with CaptureQueriesContext(connection) as few:
        caller.get(f"{CLAIMS}?per_page=1")
    with CaptureQueriesContext(connection) as many:
        assert len(caller.get(f"{CLAIMS}?per_page=100").json()["items"]) == 12

    assert len(few) == len(many)


def test_starts_and_mails_have_limits(api: Api, people: People, start: Start, settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 0.1
    make_listing("other", url="https://other.test/", host="other.test")
    start("dns", user=people.stranger)
    refused = api("all", user=people.stranger).post(CLAIMS, {"slug": "acme", "method": "meta"})
    start("email", email=f"a@{HOST}")
    mailed = api("all", user=people.staff).post(
        CLAIMS, {"slug": "acme", "method": "email", "email": f"a+1@{HOST}"}
    )

    assert (refused.status_code, refused.json()["policy"]) == (429, "claim_start")
    assert (mailed.status_code, mailed.json()["policy"]) == (429, "claim_mail_address")
    assert int(refused["Retry-After"]) == refused.json()["retry_after"] > 0
    assert Claim.objects.filter(user=people.staff).count() == 0
    assert start("dns", user=people.stranger)["status"] == "pending"  # the claim that is open is no start
    assert Job.objects.filter(kind="core.send_mail").count() == 1
