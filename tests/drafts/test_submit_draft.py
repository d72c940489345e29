"""A ready draft becomes a saved listing, once, and goes on feeding it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from claims.ownership.owning import give_to
from config import personal_data
from directory.launches import badges
from directory.models import Listing, ListingRevision
from drafts.models import Draft
from drafts.pictures import logos
from tests.conftest import Caller, People, signed_in
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_category
from tests.forms import fields_of

Api = Callable[..., Caller]
API = "/api/v1/drafts"


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    make_category("invoicing", name="Invoicing")
    return blank_draft(owner=people.owner, site=site)


def give(draft: Draft, **values: Any) -> None:
    for name, value in values.items():
        draft.field_rows.filter(name=name).update(value=value, state="manual")


def submit(api: Api, draft: Draft) -> Any:
    return api("listings:write").post(f"{API}/{draft.pk}/submit")


def test_a_ready_draft_becomes_an_unpublished_listing_with_its_evidence(
    api: Api, ready: dict[str, Any]
) -> None:
    answer = api("listings:write").post(f"{API}/{ready['id']}/submit")

    body = answer.json()
    listing = Listing.objects.get(pk=body["listing_id"])
    assert (answer.status_code, body["slug"], body["status"], body["created"]) == (
        200,
        "tidewell",
        "draft",
        True,
    )
    assert (listing.name, listing.founded_year, listing.country) == ("Tidewell", 2021, "BE")
    assert (listing.url, listing.domain, listing.host) == (
        "https://tidewell.test/",
        "tidewell.test",
        "tidewell.test",
    )
    assert listing.evidence["tagline"][0]["quote"] == "Invoices that chase themselves"
    assert {entry["field"]: entry["reason"] for entry in listing.not_found}["stage"] == "not_on_site"
    actions = {action["operation"]: action["why"] for action in body["next_actions"]}
    assert actions.keys() == {"choose_free_listing", "quote_order", "update_my_listing"}
    assert badges.badge_html(slug="tidewell", name="Tidewell") in actions["choose_free_listing"]
    assert api().get("/api/v1/listings").json()["total"] == 0
    assert api().get("/api/v1/listings/tidewell").status_code == 404
    shown = api("all").get(f"{API}/{ready['id']}").json()
    assert (shown["listing_id"], shown["status"]) == (body["listing_id"], "ready")


def test_again_after_an_edit_updates_the_same_listing_and_says_what_changed(api: Api, draft: Draft) -> None:
    give(draft, name="Tidewell", tagline="Invoices", categories=["Invoicing"])
    first = submit(api, draft).json()
    give(draft, tagline="Paid on time")

    again = submit(api, draft).json()
    third = submit(api, draft).json()

    assert (again["listing_id"], again["created"]) == (first["listing_id"], False)
    assert again["changes"] == [{"field": "tagline", "before": "Invoices", "after": "Paid on time"}]
    assert third["changes"] == []
    assert (Listing.objects.count(), ListingRevision.objects.count()) == (1, 1)

    give(draft, tagline="Mine")
    Listing.objects.update(owner=None)  # handed over meanwhile
    assert submit(api, draft).status_code == 404
    assert Listing.objects.get().tagline == "Paid on time"


@pytest.mark.parametrize(
    ("values", "lacking"),
    [
        ({}, ["/fields/categories", "/fields/name", "/fields/tagline"]),
        ({"name": "T", "tagline": "x"}, ["/fields/categories"]),
        ({"tagline": "x", "categories": ["Invoicing"]}, ["/fields/name"]),
        ({"name": "T", "categories": ["Invoicing"], "description": "long"}, ["/fields/tagline"]),
    ],
)
def test_what_a_listing_needs_is_named_and_nothing_is_saved(
    api: Api, draft: Draft, values: Any, lacking: list[str]
) -> None:
    give(draft, **values)

    answer = submit(api, draft)

    assert (answer.status_code, answer.json()["code"]) == (400, "draft_not_ready")
    assert [error["pointer"] for error in answer.json()["errors"]] == lacking
    assert Listing.objects.count() == 0


def test_a_short_description_does_for_a_tagline(api: Api, draft: Draft) -> None:
    give(draft, name="Tidewell", short_description="Invoices.", categories=["Invoicing"])

    assert submit(api, draft).status_code == 200


@pytest.mark.parametrize("status", ["crawling", "drafting", "failed"])
def test_a_draft_that_is_not_ready_is_refused(api: Api, draft: Draft, status: str) -> None:
    give(draft, name="Tidewell", tagline="Invoices", categories=["Invoicing"])
    Draft.objects.update(status=status)

    answer = submit(api, draft)

    assert (answer.status_code, answer.json()["code"], answer.json()["current"]) == (
        400,
        "draft_not_ready",
        status,
    )
    assert Listing.objects.count() == 0


@pytest.mark.parametrize(("scope", "status"), [(None, 401), ("account:read", 403), ("orders:write", 403)])
def test_needs_the_scope(api: Api, draft: Draft, scope: str | None, status: int) -> None:
    give(draft, name="Tidewell", tagline="Invoices", categories=["Invoicing"])

    assert (api(scope).post(f"{API}/{draft.pk}/submit").status_code, Listing.objects.count()) == (status, 0)


def test_somebody_elses_draft_is_not_there(api: Api, draft: Draft, people: People) -> None:
    give(draft, name="Tidewell", tagline="Invoices", categories=["Invoicing"])

    answer = api("listings:write", user=people.stranger).post(f"{API}/{draft.pk}/submit")

    assert (answer.status_code, Listing.objects.count()) == (404, 0)


def test_the_same_key_saves_once(api: Api, draft: Draft) -> None:
    give(draft, name="Tidewell", tagline="Invoices", categories=["Invoicing"])
    caller = api("listings:write")

    first = caller.post(f"{API}/{draft.pk}/submit", Idempotency_Key="s-1")
    again = caller.post(f"{API}/{draft.pk}/submit", Idempotency_Key="s-1")

    assert (again.json(), again["Idempotent-Replayed"]) == (first.json(), "true")
    assert first.json()["created"] is True


def test_a_draft_whose_listing_somebody_else_has_by_now_is_a_draft_alone(
    api: Api, ready: dict[str, Any], people: People
) -> None:
    path = f"{API}/{ready['id']}"
    listing = Listing.objects.get(pk=api("listings:write").post(f"{path}/submit").json()["listing_id"])
    give_to(
        listing_id=listing.pk,
        owner_id=people.stranger.pk,
        reason="Her company",
        staff_id=people.staff.pk,
        at=timezone.now(),
    )

    seen = api("all").get(path).json()
    listed = api("all").get(API).json()["items"]
    typed = api("all").patch(path, {"fields": {"tagline": "Mine alone"}})
    theirs = api("all", user=people.stranger).patch(
        f"/api/v1/me/listings/{listing.pk}", {"fields": {"city": "Oslo"}}
    )

    assert (seen["listing_id"], [row["listing_id"] for row in listed]) == (None, [None])
    assert [action["operation"] for action in seen["next_actions"]] == ["claim_listing"]
    assert seen["ready_to_submit"] is False
    assert (typed.status_code, theirs.status_code) == (200, 200)
    assert theirs.json()["listing"]["draft_id"] is None
    listing.refresh_from_db()
    assert (listing.tagline, listing.city) == ("Invoices that chase themselves", "Oslo")
    assert api("all").get(path).json()["fields"]["city"]["value"] != "Oslo"
    logos.hand_over(Draft.objects.get(pk=ready["id"]))  # as a job does that comes late
    listing.refresh_from_db()
    assert listing.logo == ""
    assert api("all").post(f"{path}/submit").status_code == 404
    owner = signed_in(people.owner)
    page = owner.get(f"/drafts/{ready['id']}").content.decode()
    assert "has another owner by now" in page
    assert "Edits here change it too" not in owner.get("/account/drafts").content.decode()
    pressed = owner.post(f"/drafts/{ready['id']}/edit", {**fields_of(page), "make": "1"})
    assert "no longer yours" in pressed.content.decode()
    listing.co_owners.add(people.owner)
    assert api("all").get(f"/api/v1/me/listings/{listing.pk}").json()["draft_id"] == ready["id"]


def test_a_listing_is_called_by_one_line_so_that_no_mail_begins_with_its_name(api: Api, draft: Draft) -> None:
    give(draft, tagline="Invoices", categories=["Invoicing"])
    names = ("Your account is closed.\n\nPay at https://evil.test\tto open it.", "Tide\r\nwell")
    caller, path = api("all"), f"{API}/{draft.pk}"

    caller.patch(path, {"fields": {"name": names[0]}})
    submit(api, draft)
    first = Listing.objects.get().name
    caller.patch(path, {"fields": {"name": names[1]}})

    assert first == "Your account is closed. Pay at https://evil.test to open it."
    assert Listing.objects.get().name == "Tide well"


def test_who_was_given_a_listing_is_erased_whatever_its_first_owner_drafts_meanwhile(
    api: Api, people: People, ready: dict[str, Any]
) -> None:
    listing_id = api("all").post(f"{API}/{ready['id']}/submit").json()["listing_id"]
    given = {"listing_id": listing_id, "owner_id": people.stranger.pk, "reason": "So."}
    give_to(**given, staff_id=people.staff.pk, at=timezone.now())
    assert api("all").post(API, {"url": ready["url"]}).status_code == 201

    personal_data.erase(user_id=people.stranger.pk, at=timezone.now())

    people.stranger.refresh_from_db()
    assert (people.stranger.is_active, Listing.objects.get().owner) == (False, None)
