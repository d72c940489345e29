"""A method that nobody wrote a line for elsewhere: published, checked, shown, contested, through every page."""

import html
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from rest_framework import serializers

from claims.methods import METHODS, CheckResult, Instructions, Method, Target, closed_reason
from claims.methods.website import get_page
from claims.models import Claim
from claims.reach import reach_of
from config.docs.pages import schema
from core.api.serializers import Shape
from directory.models import Listing
from tests.claims.conftest import HOST, Start, status_of, verify
from tests.conftest import Api, People, signed_in
from tests.factories.staff import fresh, staff_client
from tests.servers.dns import DnsServer
from tests.servers.website import Website, plain
from tests.toys import part

PAGE, API = "/listings/acme/claim", "/api/v1/claims"


class ToyLineOut(Shape):
    """A line to publish."""

    words = serializers.CharField(help_text="The line.")


class Toy(Method):
    """Wherever it does not say otherwise, it is as the least of methods."""

    code, position = "toy", 90
    label, noun, icon, hint, summary = "toy line", "a toy line", "star", "You have a toy.", "a line"
    answer, shape = "toy", ToyLineOut

    def publish(self, target: Target) -> Instructions:
        return Instructions(
            summary="Publish the toy.", values={"words": target.line}, lines={"Toy": target.line}
        )

    def find_proof(self, target: Target, *, seconds: float) -> CheckResult:
        page = get_page(target, f"{target.reach.origin}/toy", seconds=seconds, max_bytes=100)
        if isinstance(page, CheckResult):
            return page
        is_there = page.body.decode() == target.line
        return CheckResult(result="found" if is_there else "mismatch", detail="A toy.", raw="toy: raw")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with part(METHODS, Toy()):
        choices = [(code, method.label) for code, method in METHODS.items()]
        monkeypatch.setattr(Claim._meta.get_field("method"), "choices", choices)
        yield


def read(client: Client, url: str, **sent: Any) -> str:
    """What a person reads after a look, or after sending a form."""
    answer = client.post(url, sent, follow=True) if sent else client.get(url, follow=True)
    assert answer.status_code == 200, answer.content
    return html.unescape(answer.content.decode())


@pytest.mark.parametrize(
    ("url", "is_open"),
    [
        ("https://acme.test/", True),
        ("https://alice.github.io/", False),
        ("https://addons.mozilla.org/me/app", False),
        ("https://github.com/alice/tool", False),
        ("https://gmail.com/", False),
        ("https://93.184.216.34/", False),
    ],
)
def test_it_is_closed_where_the_host_is_not_ones_own(url: str, is_open: bool) -> None:  # noqa: FBT001
    assert (closed_reason(METHODS["toy"], reach_of(url)) == "") is is_open


def test_a_closed_way_says_which_are_open() -> None:
    rented = reach_of("https://alice.github.io/")

    assert closed_reason(METHODS["toy"], rented) == (
        "alice.github.io is a place under github.io, whose records and mailboxes are not yours. Use meta or file."
    )
    assert closed_reason(METHODS["meta"], rented) == ""


def test_programs_claim_by_it(api: Api, start: Start, website: Website) -> None:
    claim = start("toy")
    line = f"plverify={Claim.objects.get().token}"
    assert (claim["method"], claim["instructions"]["toy"]) == ("toy", {"words": line})
    assert [action["operation"] for action in claim["next_actions"]] == ["verify_claim"]
    website.pages["/toy"] = plain("another line")
    assert verify(api, claim)["last_check"]["result"] == "mismatch"
    website.pages["/toy"] = plain(line)

    assert verify(api, claim)["status"] == "verified"
    shown = api().get("/api/v1/listings/acme").json()["verified"]
    assert (shown["claimed"], shown["method"]) == (True, "toy")
    refused = api("all").post(API, {"slug": "acme", "method": "toys"}).json()
    assert refused["errors"][0]["message"] == "This must be one of: dns, meta, file, email, toy."


def test_an_address_is_not_asked_for(api: Api, listing: Listing) -> None:
    refused = api("all").post(API, {"slug": "acme", "method": "toy", "email": f"a@{HOST}"})

    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (400, "not_applicable")
    assert Claim.objects.count() == 0


def test_people_claim_by_it_and_staff_look_at_it(
    people: People, listing: Listing, website: Website, mailoutbox: list[Any]
) -> None:
    owner = signed_in(people.owner)
    assert ["Toy line" in read(who, PAGE) for who in (owner, Client())] == [True, True]
    begun = read(owner, PAGE, method="toy")
    claim = Claim.objects.get()
    assert ("Publish the toy." in begun, claim.target.line in begun) == (True, True)
    assert "We don’t see the toy line yet" in read(owner, f"/claims/{claim.pk}/check", go="on")
    website.pages["/toy"] = plain(claim.target.line)
    assert "Verified by toy line" in read(owner, f"/claims/{claim.pk}/check", go="on")

    assert "Verified by a toy line" in read(Client(), "/listings/acme")
    assert "toy line" in read(owner, "/account/claims")
    staff = fresh(staff_client("moderator"))
    assert "toy line" in read(staff, "/admin/claims/claim/?method__exact=toy")
    assert "toy: raw" in read(staff, f"/admin/claims/claim/{claim.pk}/change/")


def test_a_stronger_proof_wins_a_contest_with_it(
    api: Api, people: People, start: Start, website: Website, dns_server: DnsServer
) -> None:
    owners = start("toy")
    website.pages["/toy"] = plain(owners["instructions"]["toy"]["words"])
    verify(api, owners)
    rival = start("dns", user=people.stranger)
    record = rival["instructions"]["record"]
    dns_server.answer(record["name"], "TXT", record["value"])
    verify(api, rival, user=people.stranger)

    assert (status_of(owners), status_of(rival)) == ("verified", "contested")
    decide = read(staff_client("moderator"), f"/admin/claims/claim/{rival['claim_id']}/decide/")
    assert "toy line, last found" in decide
    assert not Claim.objects.get(pk=owners["claim_id"]).is_as_strong_as(
        Claim.objects.get(pk=rival["claim_id"])
    )


def test_the_document_names_it() -> None:
    components = schema()["components"]["schemas"]

    assert "toy" in components["ClaimListingRequest"]["properties"]["method"]["enum"]
    assert set(components["ClaimInstructions"]["properties"]) >= {"summary", "record", "toy"}
    assert "toy" in components["Verification"]["properties"]["method"]["description"]
