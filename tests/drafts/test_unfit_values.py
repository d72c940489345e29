"""What a draft keeps and a listing cannot hold is told, and refused by name; it is never dropped in silence."""

from typing import Any

import pytest

from directory.models import Listing
from drafts.models import Draft
from tests.conftest import People, signed_in
from tests.drafts.updating import API, QUOTE, Api, drafted, everything, send

UNFIT = [
    ("founded_year", "in the spring of 2019", "year"),
    ("founded_year", "2101", "year"),
    ("founded_year", "٢٠١٩", "year"),
    ("contact_email", "ask at the counter", "invalid_email"),
    ("contact_email", "a" * 64 + "@" + "b" * 60 + ".c" * 80, "invalid_email"),
    ("stage", "Whatever stage", "stage"),
    ("pricing_model", "p" * 41, "max_length"),
    ("pricing_summary", "p" * 301, "max_length"),
    ("tagline", "t" * 201, "max_length"),
    ("short_description", "s" * 301, "max_length"),
    ("city", "c" * 121, "max_length"),
]


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    """A ready draft that may become a listing."""
    made = drafted(people, site)
    made.field_rows.filter(name="categories").update(value=["Invoicing"], state="manual")
    return made


def submit(api: Api, draft: Draft) -> Any:
    return api("listings:write").post(f"{API}/{draft.pk}/submit")


@pytest.mark.parametrize(("name", "value", "code"), UNFIT)
def test_it_is_told_while_drafting_and_refused_when_submitted(
    api: Api, draft: Draft, name: str, value: str, code: str
) -> None:
    shown = send(api, draft, {"fields": {name: value}}).json()
    before = everything(draft)
    refused = submit(api, draft)

    assert (shown["fields"][name]["value"], shown["ready_to_submit"]) == (value, False)
    told = [entry for entry in shown["missing"] if entry["field"] == name]
    assert [(entry["required"], len(entry["hint"]) > 20) for entry in told] == [(True, True)]
    problem = refused.json()
    assert (refused.status_code, problem["code"]) == (400, "invalid_request")
    assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [(f"/fields/{name}", code)]
    assert problem["errors"][0]["message"] == told[0]["hint"]
    assert (Listing.objects.count(), everything(draft)) == (0, before)


@pytest.mark.parametrize(("name", "value", "code"), UNFIT)
def test_a_draft_that_is_a_listing_refuses_it_at_once(
    api: Api, draft: Draft, name: str, value: str, code: str
) -> None:
    listing_id = submit(api, draft).json()["listing_id"]
    before = everything(draft), Listing.objects.filter(pk=listing_id).values().get()

    answer = send(api, draft, {"fields": {name: value, "name": "Other"}})

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert [(e["pointer"], e["code"]) for e in answer.json()["errors"]] == [(f"/fields/{name}", code)]
    assert (everything(draft), Listing.objects.filter(pk=listing_id).values().get()) == before


def test_a_line_that_does_not_fit_makes_the_other_no_lack(api: Api, draft: Draft) -> None:
    submit(api, draft)

    answer = send(api, draft, {"fields": {"tagline": None, "short_description": "s" * 301}})

    assert [error["pointer"] for error in answer.json()["errors"]] == ["/fields/short_description"]


def test_all_of_it_is_named_at_once_beside_what_is_missing(api: Api, draft: Draft) -> None:
    send(api, draft, {"fields": {"founded_year": "long ago", "contact_email": "us", "name": None}})

    answer = submit(api, draft)

    assert (answer.status_code, answer.json()["code"]) == (400, "draft_not_ready")
    pointers = {error["pointer"] for error in answer.json()["errors"]}
    assert pointers == {"/fields/name", "/fields/founded_year", "/fields/contact_email"}


def test_a_draft_that_is_a_listing_names_at_once_what_it_would_lose(api: Api, draft: Draft) -> None:
    listing_id = submit(api, draft).json()["listing_id"]
    before = everything(draft), Listing.objects.filter(pk=listing_id).values().get()

    answer = send(api, draft, {"fields": {"founded_year": "long ago", "name": None}})

    assert [(e["pointer"], e["code"]) for e in answer.json()["errors"]] == [
        ("/fields/founded_year", "year"),
        ("/fields/name", "required"),
    ]
    assert (everything(draft), Listing.objects.filter(pk=listing_id).values().get()) == before


def test_an_original_that_no_listing_holds_is_refused_where_it_was_asked_for(api: Api, draft: Draft) -> None:
    submit(api, draft)
    draft.field_rows.filter(name="country").update(ai_value="ZZ", ai_evidence=[QUOTE])

    answer = send(api, draft, {"restore": ["name", "country"]})

    assert [(e["pointer"], e["code"]) for e in answer.json()["errors"]] == [("/restore/1", "country")]
    assert draft.field_rows.get(name="country").value is None


def test_an_old_value_stops_no_edit_of_another(api: Api, draft: Draft) -> None:
    listing_id = submit(api, draft).json()["listing_id"]
    draft.field_rows.filter(name="founded_year").update(value="long ago", state="manual")

    assert send(api, draft, {"fields": {"city": "Ghent"}}).status_code == 200
    assert Listing.objects.get(pk=listing_id).city == "Ghent"


def test_the_page_says_it_beside_the_field_and_makes_no_listing(people: People, draft: Draft) -> None:
    client = signed_in(people.owner)

    refused = client.post(f"/drafts/{draft.pk}/edit", {"founded_year": "long ago", "make": "listing"})

    assert refused.status_code == 400
    told = refused.content.decode().split('id="input-founded_year-error"')[1].split("</p>")[0]
    assert "Enter a year from 1800 to 2100, such as 2023." in told
    assert (draft.field_rows.get(name="founded_year").value, Listing.objects.count()) == ("long ago", 0)
    assert 'id="input-founded_year-error"' in client.get(f"/drafts/{draft.pk}").content.decode()
