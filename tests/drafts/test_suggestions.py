"""What a writer is not sure of is suggested with its quotes, never published by itself, and taken with one press."""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from directory.models import Listing
from drafts.facts import storing
from drafts.models import Draft
from drafts.writing.port import Evidence, FieldDraft, Suggestion, Written
from tests.conftest import Caller, People, signed_in
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_category

Api = Callable[..., Caller]
API = "/api/v1/drafts"


def quoted(text: str) -> tuple[Evidence, ...]:
    return (
        Evidence(
            quote=text,
            url="https://tidewell.test/",
            page_title="Tidewell",
            source="text",
            page_sha256="0" * 64,
            fetched_at=timezone.now(),
            start=0,
            end=len(text),
        ),
    )


def may_be(value: Any, confidence: float, quote: str) -> Suggestion:
    return Suggestion(value=value, evidence=quoted(quote), confidence=confidence)


WRITTEN = Written(
    fields={
        "name": FieldDraft(value="Tidewell", evidence=quoted("Tidewell"), confidence=0.98765),
        "tagline": FieldDraft(
            value="Invoices that chase themselves",
            evidence=quoted("Invoices that chase themselves"),
            confidence=0.9,
            suggestions=(may_be("Paid on time", 0.614, "Paid on time, at last"),),
        ),
        "city": FieldDraft(reason="not_on_site", suggestions=(may_be("Ghent", 0.5, "A studio in Ghent"),)),
        "features": FieldDraft(
            suggestions=(
                may_be(("Reminders", "Exports"), 0.7, "Reminders and exports"),
                may_be(("Studios", "Freelancers"), 0.4, "For studios and freelancers"),
            )
        ),
        "categories": FieldDraft(
            suggestions=tuple(
                may_be((name,), 0.5 - place / 10, f"{name} for studios")
                for place, name in enumerate(("Invoicing", "Time tracking", "Payroll", "Banking"))
            )
        ),
    }
)


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    """A ready draft with a sure name, a tagline with an alternative, and three fields of which nothing is sure."""
    for slug in ("invoicing", "time-tracking", "payroll", "banking"):
        make_category(slug, name=slug.capitalize().replace("-", " "))
    made = blank_draft(owner=people.owner, site=site)
    storing.keep_written(made, written=WRITTEN, at=made.created_at)
    return made


def shown(api: Api, draft: Draft) -> Any:
    return api("account:read").get(f"{API}/{draft.pk}").json()


def change(api: Api, draft: Draft, body: Any) -> Any:
    answer = api("listings:write").patch(f"{API}/{draft.pk}", body)
    assert answer.status_code == 200, answer.content
    return answer.json()["fields"]


def options(field: Any) -> list[tuple[Any, float, list[str]]]:
    return [
        (one["value"], one["confidence"], [quote["quote"] for quote in one["evidence"]])
        for one in field["suggestions"]
    ]


def test_a_sure_value_is_set_with_its_confidence_and_may_have_alternatives(api: Api, draft: Draft) -> None:
    fields = shown(api, draft)["fields"]

    name, tagline = fields["name"], fields["tagline"]
    assert (name["state"], name["value"], name["confidence"], name["suggestions"]) == (
        "ai",
        "Tidewell",
        0.99,
        [],
    )
    assert (tagline["state"], tagline["value"], tagline["confidence"]) == (
        "ai",
        "Invoices that chase themselves",
        0.9,
    )
    assert options(tagline) == [("Paid on time", 0.61, ["Paid on time, at last"])]
    assert set(tagline["suggestions"][0]) == {"value", "evidence", "confidence"}
    assert set(tagline["suggestions"][0]["evidence"][0]) == set(tagline["evidence"][0])


def test_what_is_not_sure_is_suggested_at_most_three_the_best_first_and_nothing_is_set(
    api: Api, draft: Draft
) -> None:
    fields = shown(api, draft)["fields"]

    for name in ("city", "features", "categories"):
        field = fields[name]
        known = (field["value"], field["state"], field["reason"], field["confidence"], field["evidence"])
        assert known == (None, "not_found", "unconfirmed", None, [])
    assert options(fields["city"]) == [("Ghent", 0.5, ["A studio in Ghent"])]
    assert options(fields["features"])[0] == (["Reminders", "Exports"], 0.7, ["Reminders and exports"])
    assert [(value, sure) for value, sure, _ in options(fields["categories"])] == [
        (["Invoicing"], 0.5),
        (["Time tracking"], 0.4),
        (["Payroll"], 0.3),
    ]
    blank = fields["country"]
    assert (blank["value"], blank["state"], blank["suggestions"], blank["confidence"]) == (
        None,
        "not_found",
        [],
        None,
    )


def test_a_suggestion_is_not_filled_and_the_draft_says_what_one_press_would_complete(
    api: Api, draft: Draft
) -> None:
    before = shown(api, draft)
    after = api("listings:write").patch(f"{API}/{draft.pk}", {"fields": {"categories": ["Invoicing"]}}).json()

    assert before["ready_to_submit"] is False
    first = before["missing"][0]
    assert (first["field"], first["required"]) == ("categories", True)
    assert "“Invoicing”, “Time tracking” or “Payroll”" in first["hint"]
    assert before["next_actions"][0]["operation"] == "update_draft"
    assert before["next_actions"][0]["why"] == "Take a suggestion for categories: no more is needed."
    assert {entry["field"] for entry in before["missing"]} >= {"city", "features", "categories"}
    assert after["ready_to_submit"] is True
    assert after["completeness"] > 0
    refused = api("listings:write").post(f"{API}/{draft.pk}/submit")
    assert refused.status_code == 200


def test_a_draft_with_suggestions_alone_cannot_be_submitted(api: Api, draft: Draft) -> None:
    answer = api("listings:write").post(f"{API}/{draft.pk}/submit")

    assert (answer.status_code, answer.json()["code"]) == (400, "draft_not_ready")
    assert not Listing.objects.exists()


def test_taking_one_keeps_its_evidence_manual_where_nothing_was_set(api: Api, draft: Draft) -> None:
    change(api, draft, {"fields": {"city": "Ghent"}})
    fields = change(
        api, draft, {"fields": {"features": ["Reminders", "Exports"], "categories": ["time-tracking"]}}
    )

    for name, quote in (
        ("city", "A studio in Ghent"),
        ("features", "Reminders and exports"),
        ("categories", "Time tracking for studios"),
    ):
        field = fields[name]
        assert (field["state"], field["updated_by"], field["confidence"]) == ("manual", "user", None)
        assert [entry["quote"] for entry in field["evidence"]] == [quote]
        assert (field["ai_value"], field["reason"]) == (None, None)
    assert options(fields["city"]) == []
    assert [value for value, *_ in options(fields["features"])] == [["Studios", "Freelancers"]]


def test_taking_an_alternative_is_an_edit_with_evidence_and_restore_brings_the_first_back(
    api: Api, draft: Draft
) -> None:
    taken = change(api, draft, {"fields": {"tagline": "Paid on time"}})["tagline"]
    again = change(api, draft, {"fields": {"tagline": "Paid on time"}})["tagline"]
    restored = change(api, draft, {"restore": ["tagline"]})["tagline"]

    for field in (taken, again):
        assert (field["state"], field["value"], field["confidence"]) == ("edited", "Paid on time", None)
        assert [entry["quote"] for entry in field["evidence"]] == ["Paid on time, at last"]
        assert field["ai_value"] == "Invoices that chase themselves"
    assert (restored["state"], restored["confidence"], options(restored)[0][0]) == ("ai", 0.9, "Paid on time")


def test_a_taken_one_is_shown_as_the_websites_with_its_quote_and_nothing_says_it_was_written(
    owner: Client, draft: Draft
) -> None:
    for name in ("city", "tagline"):
        page = owner.get(f"/drafts/{draft.pk}").content.decode()
        part = page[page.index(f'id="field-{name}"') :]
        found = re.search(r'name="take"\s+value="([^"]+)"', part)
        assert found
        owner.post(f"/drafts/{draft.pk}/edit", {"take": found[1]})
    page = html.unescape(owner.get(f"/drafts/{draft.pk}").content.decode())

    for name, quote in (("city", "A studio in Ghent"), ("tagline", "Paid on time, at last")):
        part = page[page.index(f'id="field-{name}"') :].split('id="field-', 2)[1]
        assert "From the website, chosen by you" in part
        assert f'“<mark dir="auto">{quote}</mark>”' in part
        for words in (
            "Written by you",
            "Edited by you",
            "You wrote",
            "backs the original",
            "No page we read",
        ):
            assert words not in part
    owner.post(f"/drafts/{draft.pk}/edit", {"tagline": "Mine"})
    assert "This quote backs the original, not your edit" in owner.get(f"/drafts/{draft.pk}").content.decode()


def test_what_a_person_types_has_neither_quotes_nor_confidence(api: Api, draft: Draft) -> None:
    fields = change(api, draft, {"fields": {"city": "Ghent, Belgium", "name": "Tidewell Pro"}})

    assert [
        (fields[n]["state"], fields[n]["evidence"], fields[n]["confidence"]) for n in ("city", "name")
    ] == [
        ("manual", [], None),
        ("edited", [], None),
    ]
    assert options(fields["city"]) == [("Ghent", 0.5, ["A studio in Ghent"])]


def test_a_taken_one_can_be_removed_locked_and_restored(api: Api, draft: Draft) -> None:
    locked = change(api, draft, {"fields": {"city": "Ghent"}, "lock_fields": ["city"]})["city"]
    removed = change(api, draft, {"fields": {"city": None}})["city"]
    restored = change(api, draft, {"restore": ["city"]})["city"]

    assert (locked["state"], locked["value"], len(locked["evidence"])) == ("override", "Ghent", 1)
    assert (removed["value"], removed["reason"]) == (None, "removed_by_owner")
    assert (restored["state"], restored["reason"]) == ("not_found", "unconfirmed")
    assert [value for value, *_ in options(restored)] == ["Ghent"]


def test_a_locked_value_keeps_its_confidence(api: Api, draft: Draft) -> None:
    field = change(api, draft, {"lock_fields": ["name"]})["name"]

    assert (field["state"], field["confidence"]) == ("override", 0.99)


def test_the_public_listing_says_unconfirmed_and_shows_the_quotes_of_what_was_taken(
    api: Api, draft: Draft
) -> None:
    change(api, draft, {"fields": {"categories": ["Invoicing"], "features": ["Reminders", "Exports"]}})
    saved = api("listings:write").post(f"{API}/{draft.pk}/submit").json()
    Listing.objects.filter(pk=saved["listing_id"]).update(status="live", launched_at=timezone.now())
    public = api().get(f"/api/v1/listings/{saved['slug']}").json()

    assert {"field": "city", "reason": "unconfirmed"} in public["not_found_on_website"]
    assert public["city"] is None
    assert [entry["quote"] for entry in public["evidence"]["features"]] == ["Reminders and exports"]


def test_the_writer_says_what_its_check_refused(api: Api, draft: Draft) -> None:
    refused = [{"field": "tagline", "value": "The best", "why": "No page says this."}]
    Draft.objects.filter(pk=draft.pk).update(writer_name="openai", writer_refused=refused)

    assert shown(api, draft)["writer"]["refused"] == refused


def press(owner: Client, draft: Draft, label: str) -> Any:
    """Send the editor's form by the button of one suggestion, as a browser without scripts does."""
    page = owner.get(f"/drafts/{draft.pk}").content.decode()
    buttons = re.findall(r'<button[^>]*name="take"\s+value="([^"]+)"\s+aria-label="([^"]+)"', page)
    key = next(html.unescape(value) for value, name in buttons if html.unescape(name) == label)
    return owner.post(f"/drafts/{draft.pk}/edit", {"take": key, "name": "Tidewell"})


def test_one_press_takes_a_suggestion_and_the_quote_stands_beside_it(people: People, draft: Draft) -> None:
    owner = signed_in(people.owner)
    page = html.unescape(owner.get(f"/drafts/{draft.pk}").content.decode())
    for quote in (
        "A studio in Ghent",
        "Reminders and exports",
        "Invoicing for studios",
        "Paid on time, at last",
    ):
        assert f"“<mark>{quote}</mark>”" in page
    guess = r'aria-label="Use this: ([^"]+)">Use this</button>\s*<span class="faint tiny">A guess'
    assert re.findall(guess, page) == [
        "Category, Time tracking",
        "Category, Payroll",
        "Features, Studios, Freelancers",
    ]
    # of what stands it is said only where we are less sure than 0.9
    checks = re.findall('href="#field-([a-z_]+)"', page.split("To check:")[1].split("</p>")[0])
    assert checks == ["city", "features"]
    assert 'Only your choice is missing:</span> <a href="#field-categories">category</a>.' in page

    assert press(owner, draft, "Use this: City, Ghent")["Location"] == f"/drafts/{draft.pk}#field-city"
    press(owner, draft, "Use this: Features, Reminders, Exports")
    press(owner, draft, "Use this: Category, Invoicing")

    rows = {row.name: row for row in draft.field_rows.filter(state="manual")}
    assert {name: (row.value, len(row.evidence)) for name, row in rows.items()} == {
        "city": ("Ghent", 1),
        "features": (["Reminders", "Exports"], 1),
        "categories": (["Invoicing"], 1),
    }
    assert draft.field_rows.get(name="name").state == "ai"


def test_a_press_for_a_suggestion_that_is_gone_takes_no_other(people: People, draft: Draft) -> None:
    owner = signed_in(people.owner)

    owner.post(f"/drafts/{draft.pk}/edit", {"take": "city.0123456789abcdef"})

    assert draft.field_rows.get(name="city").value is None
