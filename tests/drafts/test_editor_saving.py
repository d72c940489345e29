"""The editor of a draft saves as one goes: undone with one press, and never over what came from elsewhere."""

import re
from typing import Any

import pytest
from django.test import Client

from core import jobs
from directory.models import Listing
from drafts.models import Draft, DraftField
from tests.conftest import Api, People
from tests.drafts.conftest import blank_draft
from tests.drafts.test_invite_cofounder import PROFILE, invite, link
from tests.factories.listings import make_category
from tests.forms import fields_of

QUOTE = {
    "quote": "Invoices that chase themselves",
    "url": "https://tidewell.test/",
    "link": "https://tidewell.test/",
    "page_title": None,
    "source": "text",
    "page_sha256": "0" * 64,
    "fetched_at": "2026-11-18T09:00:00Z",
}
BY_AI = {"value": "Invoices that chase themselves", "state": "ai", "evidence": [QUOTE]}


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    """A draft whose tagline came from the website, with its quote, and one question."""
    made = blank_draft(owner=people.owner, site=site)
    ai = {"ai_value": BY_AI["value"], "ai_evidence": BY_AI["evidence"]}
    made.field_rows.filter(name="tagline").update(**BY_AI, **ai)
    made.faqs = [{"question": "Is it free?", "answer": "No.", "state": "ai", "evidence": []}]
    made.save(update_fields=["faqs"])
    return made


def page_of(owner: Client, draft: Draft) -> str:
    return owner.get(f"/drafts/{draft.pk}").content.decode()


def send(owner: Client, draft: Draft, typed: dict[str, str], *, is_script: bool = False) -> Any:
    headers = {"X-Part": "1"} if is_script else {}
    answer = owner.post(f"/drafts/{draft.pk}/edit", typed, headers=headers)
    draft.refresh_from_db()
    return answer


def field(draft: Draft, name: str) -> tuple[Any, str, int]:
    row = DraftField.objects.get(draft=draft, group="fields", name=name)
    return row.value, row.state, len(row.evidence)


def press_undo(owner: Client, draft: Draft) -> Any:
    return send(owner, draft, {"undo": str(draft.revision)})


def test_the_last_save_is_undone_to_the_letter_and_undoing_can_be_undone(owner: Client, draft: Draft) -> None:
    assert 'name="undo"' not in page_of(owner, draft)
    typed = {"tagline": "Mine", "city": "Rome", "faqs-0-question": "Free?", "faqs-0-answer": "Never."}
    send(owner, draft, fields_of(page_of(owner, draft)) | typed)
    assert (field(draft, "tagline"), field(draft, "city")) == (("Mine", "edited", 0), ("Rome", "manual", 0))

    assert f'name="undo" value="{draft.revision}"' in " ".join(page_of(owner, draft).split())
    press_undo(owner, draft)
    assert (field(draft, "tagline"), field(draft, "city")) == (
        (BY_AI["value"], "ai", 1),
        (None, "not_found", 0),
    )
    assert [(faq["question"], faq["state"]) for faq in draft.faqs] == [("Is it free?", "ai")]

    assert re.search("Redo<span[^>]*>: City and 2 more<", page_of(owner, draft))
    press_undo(owner, draft)
    assert (field(draft, "tagline"), draft.faqs[0]["question"]) == (("Mine", "edited", 0), "Free?")
    assert "Redo<" not in page_of(owner, draft)


def test_a_value_typed_back_is_the_websites_again_with_its_quotes(owner: Client, draft: Draft) -> None:
    for typed, expected in (("Mine", ("Mine", "edited", 0)), (BY_AI["value"], (BY_AI["value"], "ai", 1))):
        send(owner, draft, fields_of(page_of(owner, draft)) | {"tagline": typed})
        assert field(draft, "tagline") == expected


def test_tools_are_behind_one_control_until_a_field_wants_attention(owner: Client, draft: Draft) -> None:
    for typed, is_folded in ((BY_AI["value"], True), ("Mine", False)):
        send(owner, draft, {"tagline": typed})
        field = page_of(owner, draft).split('id="field-tagline"')[1].split('id="field-')[0]
        quotes = field.partition('<details class="quotes"')[2].partition("</details>")[0]
        assert ("Lock: Tagline" in field, "Lock: Tagline" in quotes) == (True, is_folded)


def test_what_came_since_is_not_undone(owner: Client, draft: Draft, api: Api) -> None:
    send(owner, draft, {"tagline": "Mine"})
    mine = draft.revision
    api("listings:write").patch(f"/api/v1/drafts/{draft.pk}", {"fields": {"city": "Ghent"}})

    refused = send(owner, draft, {"undo": str(mine)})
    assert (refused.status_code, "can’t be undone any more" in refused.content.decode()) == (400, True)
    assert (field(draft, "tagline")[0], field(draft, "city")[0]) == ("Mine", "Ghent")


def test_who_accepted_an_invitation_since_is_not_undone_away(
    owner: Client, draft: Draft, api: Api, mailoutbox: list[Any]
) -> None:
    send(owner, draft, {"founders-0-name": "Ada Stone"})
    mine = draft.revision
    assert invite(api, draft).status_code == 201
    jobs.run_due()
    Client().post(link(mailoutbox[0]), PROFILE)

    refused = send(owner, draft, {"undo": str(mine)})
    assert (refused.status_code, "can’t be undone any more" in refused.content.decode()) == (400, True)
    assert [founder["name"] for founder in draft.founders] == ["Ada Stone", "Mira Vale"]


def test_undoing_reaches_the_listing(owner: Client, draft: Draft) -> None:
    make_category("invoicing", name="Invoicing")
    send(owner, draft, {"name": "Tidewell", "category_typed": "Invoicing", "make": "listing"})
    send(owner, draft, {"tagline": "Mine"})
    assert Listing.objects.get().tagline == "Mine"

    press_undo(owner, draft)
    listing = Listing.objects.get()
    assert (listing.tagline, list(listing.evidence)) == (BY_AI["value"], ["tagline"])


def test_a_clash_shows_both_texts_and_saves_nothing_until_one_is_chosen(
    owner: Client, draft: Draft, api: Api
) -> None:
    opened = fields_of(page_of(owner, draft))
    change = {"fields": {"tagline": "Theirs", "country": "BE"}}
    api("listings:write").patch(f"/api/v1/drafts/{draft.pk}", change)

    clash = send(owner, draft, opened | {"tagline": "Mine", "city": "Rome"})
    page = clash.content.decode()
    assert clash.status_code == 409
    part = send(owner, draft, opened | {"tagline": "Mine"}, is_script=True).content.decode()
    told = ("Both texts are below.", "Press Save to see both texts.")
    assert [[words in text for words in told] for text in (page, part)] == [[True, False], [False, True]]
    assert fields_of(page)["tagline"] == "Mine"
    assert "Theirs" in page.split('class="box tight clash"')[1].split("</div>")[0]
    assert [field(draft, name)[0] for name in ("tagline", "city", "country")] == ["Theirs", None, "BE"]

    again = fields_of(page)
    assert (again["tagline"], again["city"], again["country"]) == ("Mine", "Rome", "BE")
    send(owner, draft, again | {"theirs": "tagline"})
    assert [field(draft, name)[0] for name in ("tagline", "city", "country")] == ["Theirs", "Rome", "BE"]
    send(owner, draft, fields_of(page_of(owner, draft)) | {"tagline": "Mine"})
    assert field(draft, "tagline")[0] == "Mine"


def test_what_others_changed_and_nobody_touched_here_stays(owner: Client, draft: Draft, api: Api) -> None:
    opened = fields_of(page_of(owner, draft))
    faqs = [{"question": "New?", "answer": "Yes."}]
    api("listings:write").patch(f"/api/v1/drafts/{draft.pk}", {"fields": {"city": "Ghent"}, "faqs": faqs})

    send(owner, draft, opened | {"tagline": "Mine"})

    assert (field(draft, "tagline")[0], field(draft, "city")[0]) == ("Mine", "Ghent")
    assert [faq["question"] for faq in draft.faqs] == ["New?"]


def test_a_script_gets_the_parts_that_change_and_hears_of_what_is_wrong(owner: Client, draft: Draft) -> None:
    opened = fields_of(page_of(owner, draft))
    saved = send(owner, draft, opened | {"city": "Rome", "do": "save"}, is_script=True)
    part = saved.content.decode()
    assert saved.status_code == 200
    assert "<b>Saved " in part
    assert ('name="undo"' in part, "<html" in part) == (True, False)

    wrong = send(owner, draft, opened | {"company_socials-x": "nowhere"}, is_script=True)
    assert (wrong.status_code, "begins with http" in wrong.content.decode()) == (400, True)
    assert 'name="seen"' not in wrong.content.decode()
    fresh = fields_of(f'<form id="editor">{part}</form>')["seen"]
    send(owner, draft, opened | {"city": "Milan", "seen": fresh}, is_script=True)
    assert field(draft, "city")[0] == "Milan"


def test_story_milestones_and_texts_for_search_engines_are_written_there(owner: Client, draft: Draft) -> None:
    send(owner, draft, {"story-problem": "Late payers.", "seo-title": "Tidewell"})
    assert (draft.story, draft.seo) == ({"problem": "Late payers."}, {"title": "Tidewell"})

    send(owner, draft, {"milestones-0-date": "2026-02-28", "milestones-0-title": "First customer"})
    (step,) = draft.milestones
    assert (step["date"], step["title"]) == ("2026-02-28", "First customer")

    long = send(owner, draft, {"seo-title": "x" * 71})
    assert (long.status_code, 'href="#input-seo-title"' in long.content.decode()) == (400, True)


def test_save_and_undo_lead_back_to_what_changed(owner: Client, draft: Draft) -> None:
    address = f"/drafts/{draft.pk}"
    ways = {
        "city": {"city": "Rome"},
        "story-problem": {"story-problem": "Nobody pays."},
        "faqs": {"faqs-0-question": "Free?", "faqs-0-answer": "Never."},
        "company_socials-github": {"company_socials-github": "https://github.com/t"},
    }
    for name, typed in ways.items():
        assert send(owner, draft, fields_of(page_of(owner, draft)) | typed)["Location"].startswith(
            f"{address}#field-{name}"
        )
        back = press_undo(owner, draft)["Location"].removeprefix(f"{address}#")
        assert f'id="{back}"' in page_of(owner, draft)
        assert back.startswith(f"field-{name.partition('-')[0]}")
    assert send(owner, draft, fields_of(page_of(owner, draft)))["Location"] == address
