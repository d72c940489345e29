"""The draft's page edits everything, with no script: people, questions, links, category, choices, invites, the end."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from core import jobs
from core.models import Job
from directory.models import Listing
from drafts.models import Draft, DraftField
from tests.conftest import People
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_category
from tests.forms import fields_of


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    """A draft with one person and one question from the website."""
    found = blank_draft(owner=people.owner, site=site)
    entry = {"state": "ai", "evidence": []}
    found.founders = [{"name": "Ana Wrong", "title": "Owner", "bio": None, **entry}]
    found.faqs = [{"question": "Is it free?", "answer": "No.", **entry}]
    found.save(update_fields=["founders", "faqs"])
    return found


def save(owner: Client, draft: Draft, **changed: str) -> Any:
    """The whole form, with some of it changed."""
    posted = fields_of(owner.get(f"/drafts/{draft.pk}").content.decode())
    response = owner.post(f"/drafts/{draft.pk}/edit", {**posted, **changed})
    draft.refresh_from_db()
    return response


def facts(entries: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    keys = ("name", "title", "bio", "question", "answer")
    return [tuple(entry[key] for key in keys if key in entry) for entry in entries]


def test_people_are_corrected_added_put_first_and_removed(owner: Client, draft: Draft) -> None:
    save(owner, draft, **{"founders-0-name": "Ann Right", "founders-1-name": "Bo", "founders-1-title": "CTO"})
    assert facts(draft.founders) == [("Ann Right", "Owner", None), ("Bo", "CTO", None)]
    assert {entry["state"] for entry in draft.founders} == {"manual"}

    response = save(owner, draft, earlier="founders-1")
    assert response["Location"].endswith("#field-founders")
    assert [name for name, *_ in facts(draft.founders)] == ["Bo", "Ann Right"]

    save(owner, draft, later="founders-0")
    assert [name for name, *_ in facts(draft.founders)] == ["Ann Right", "Bo"]

    save(owner, draft, remove="founders-1")
    assert [name for name, *_ in facts(draft.founders)] == ["Ann Right"]

    save(owner, draft, restore="founders")
    assert facts(draft.founders) == [("Ana Wrong", "Owner", None)]


def test_questions_are_added_and_removed_and_half_of_one_is_refused_with_its_text(
    owner: Client, draft: Draft
) -> None:
    save(owner, draft, **{"faqs-1-question": "Can I leave?", "faqs-1-answer": "Any day."})
    assert facts(draft.faqs) == [("Is it free?", "No."), ("Can I leave?", "Any day.")]

    refused = save(owner, draft, **{"faqs-2-question": "What now?"})
    assert refused.status_code == 400
    assert 'value="What now?"' in refused.content.decode()
    assert 'href="#input-faqs-2-answer">Answer: Write the answer too' in refused.content.decode()

    save(owner, draft, remove="faqs-0")
    assert facts(draft.faqs) == [("Can I leave?", "Any day.")]


def test_links_are_added_changed_locked_and_removed(owner: Client, draft: Draft) -> None:
    rows = DraftField.objects.filter(draft=draft, group="company_socials")
    save(owner, draft, **{"company_socials-github": "https://github.com/t"})
    assert list(rows.values_list("name", "value")) == [("github", "https://github.com/t")]

    save(owner, draft, **{"company_socials-github": "https://github.com/u"}, lock="company_socials-github")
    assert list(rows.values_list("value", "is_locked")) == [("https://github.com/u", True)]
    save(owner, draft, unlock="company_socials-github")
    assert list(rows.values_list("is_locked", flat=True)) == [False]

    save(owner, draft, remove="company_socials-github")
    assert list(rows.values_list("value", "state")) == [(None, "deleted")]

    refused = save(owner, draft, **{"company_socials-x": "javascript:alert(1)"})
    assert refused.status_code == 400
    assert 'value="javascript:alert(1)"' in refused.content.decode()


def test_three_categories_are_offered_with_where_they_stand_and_a_word_finds_others(
    owner: Client, draft: Draft
) -> None:
    finance = make_category("finance", name="Finance")
    make_category("invoicing", name="Invoicing", parent=finance, terms=["invoices", "billing"])
    make_category("payroll", name="Payroll", parent=finance, terms=["salary"])
    offered = [{"value": [name], "evidence": [], "confidence": 0.4} for name in ("Invoicing", "Finance")]
    draft.field_rows.filter(name="categories").update(suggestions=offered, reason="unconfirmed")
    page = " ".join(owner.get(f"/drafts/{draft.pk}").content.decode().split())
    assert page.index("<b>Invoicing</b>") < page.index("<b>Finance</b>")
    assert "checked" not in page

    refused = save(owner, draft, category_typed="salary slips")
    assert refused.status_code == 400
    assert "<b>Payroll</b>" in refused.content.decode()
    assert 'value="salary slips"' in refused.content.decode()

    save(owner, draft, categories="Invoicing")
    kept = DraftField.objects.get(draft=draft, group="fields", name="categories")
    assert (kept.value, kept.state) == (["Invoicing"], "manual")
    save(owner, draft, categories="Invoicing", category_typed="payroll")
    kept.refresh_from_db()
    assert kept.value == ["Payroll"]


def test_country_and_stage_are_choices_and_what_is_none_of_them_is_seen(owner: Client, draft: Draft) -> None:
    save(owner, draft, country="BE", stage="We are growing")
    page = owner.get(f"/drafts/{draft.pk}").content.decode()

    assert '<option value="BE" selected>Belgium</option>' in page
    assert '<option value="We are growing" selected>We are growing</option>' in page
    assert "Choose one of these stages:" in page


def test_a_preview_is_the_listings_page_and_saves_no_listing(owner: Client, draft: Draft) -> None:
    make_category("invoicing", name="Invoicing")
    early = save(owner, draft, preview="listing").content.decode()
    assert early.count('<li><a href="#input-') == 3
    early = owner.get(f"/drafts/{draft.pk}/preview", follow=True)
    assert "There is no preview yet" in early.content.decode()

    response = save(
        owner, draft, name="Tidewell", tagline="Paid", category_typed="Invoicing", preview="listing"
    )
    assert response["Location"] == f"/drafts/{draft.pk}/preview"
    page = owner.get(response["Location"]).content.decode()
    assert "<b>This is a preview</b> of your listing. Only you can see it." in page
    assert '<h1 dir="auto">Tidewell</h1>' in page
    assert "Ana Wrong" in page
    assert (Listing.objects.count(), Job.objects.count()) == (0, 0)


def test_a_co_founder_is_invited_and_a_draft_is_deleted(owner: Client, draft: Draft) -> None:
    said = owner.post(f"/drafts/{draft.pk}/invites", {"email": "bo@tidewell.test"}, follow=True)
    assert "bo@tidewell.test has an invitation." in said.content.decode()
    assert "Invited " in said.content.decode()
    jobs.run_due()
    assert [message.to for message in mail.outbox] == [["bo@tidewell.test"]]
    assert (
        "Enter an e-mail address, such as hello@example.com."
        in owner.post(f"/drafts/{draft.pk}/invites", {"email": "bo"}, follow=True).content.decode()
    )

    assert "can’t be undone" in owner.get(f"/drafts/{draft.pk}/delete").content.decode()
    assert Draft.objects.count() == 1
    said = owner.post(f"/drafts/{draft.pk}/delete", follow=True)
    assert "is deleted." in said.content.decode()
    assert Draft.objects.count() == 0


def test_what_is_offered_fits_its_field_and_stands_in_no_other_with_each_quote_once(
    owner: Client, draft: Draft
) -> None:
    quote = {"quote": "Paid on time", "url": "https://tidewell.example/", "source": "text"}
    texts = ("Tidewell pays", "x" * 201, "(paid on time, too)", "Paid on time")
    offered = [{"value": text, "evidence": [quote, quote], "confidence": 0.5} for text in texts]
    draft.field_rows.filter(name="short_description").update(value="Tidewell pays", state="manual")
    draft.field_rows.filter(name="tagline").update(suggestions=offered, reason="unconfirmed")
    page = owner.get(f"/drafts/{draft.pk}").content.decode()

    field = page.split('id="field-tagline"')[1].split('id="field-')[0]
    assert re.findall(r'aria-label="Use this: Tagline, ([^"]+)"', field) == ["Paid on time"]
    assert (field.count("Word for word on <a "), field.count("Paid on time</b>")) == (1, 1)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://www.tidewell.example", "its home page"),
        ("https://tidewell.example/pricing/?a=1", "/pricing"),
        ("https://docs.tidewell.example/start", "docs.tidewell.example/start"),
        ("https://tidewell.example.org/", "tidewell.example.org"),
    ],
)
def test_a_quote_names_the_page_it_stands_on(owner: Client, draft: Draft, url: str, words: str) -> None:
    quote = {"quote": "Paid on time", "url": url, "source": "text"}
    reading = {"value": "Paid on time", "evidence": [quote], "confidence": 0.5}
    Draft.objects.filter(pk=draft.pk).update(home_url="https://www.tidewell.example/")
    draft.field_rows.filter(name="tagline").update(value=None, suggestions=[reading], reason="unconfirmed")
    page = owner.get(f"/drafts/{draft.pk}").content.decode()

    field = page.split('id="field-tagline"')[1].split('id="field-')[0]
    assert re.findall(r"Word for word on <a [^>]*>([^<]+)</a>", field) == [words]


def test_a_sentence_is_not_offered_as_a_name(owner: Client, draft: Draft) -> None:
    for text, is_offered in (
        ("Invoices that chase themselves, so that you never have to do it again", False),
        ("Tidewell Pro", True),
    ):
        option = {"value": text, "evidence": [], "confidence": 0.6}
        draft.field_rows.filter(name="name").update(value="Tidewell", suggestions=[option])
        assert (f"Use this: Name, {text}" in owner.get(f"/drafts/{draft.pk}").content.decode()) is is_offered


def test_only_what_is_offered_is_said_to_complete_a_draft(owner: Client, draft: Draft) -> None:
    make_category("invoicing", name="Invoicing")
    values = {"name": "Tidewell", "short_description": None, "categories": ["Invoicing"]}
    for name, value in values.items():
        draft.field_rows.filter(name=name).update(value=value, state="manual" if value else "not_found")

    for text, is_offered in (("x" * 201, False), ("Tidewell", False), ("Paid on time", True)):
        reading = {"value": text, "evidence": [], "confidence": 0.5}
        draft.field_rows.filter(name="tagline").update(suggestions=[reading], reason="unconfirmed")
        page = owner.get(f"/drafts/{draft.pk}").content.decode()
        assert ('missing:</span> <a href="#field-tagline">tagline</a>.' in page) is is_offered, text


@pytest.fixture
def complete(owner: Client, draft: Draft) -> Draft:
    """A draft that can be submitted, with a way to be sold and no price."""
    make_category("invoicing", name="Invoicing")
    texts = {"name": "Tidewell", "tagline": "Paid on time", "pricing_model": "open_source"}
    save(owner, draft, categories="Invoicing", **texts)
    draft.field_rows.filter(name="pricing_summary").update(state="not_found", reason="unconfirmed")
    return draft


def test_a_product_has_one_colour_wherever_its_letter_stands(owner: Client, complete: Draft) -> None:
    pages = ("/account/drafts", f"/drafts/{complete.pk}", f"/drafts/{complete.pk}/preview")
    tints = [re.findall(r"monogram tint-(\d)", owner.get(page).content.decode()) for page in pages]
    save(owner, complete, make="listing")
    tints.append(
        re.findall(
            r"monogram tint-(\d)", owner.get(f"/listings/{Listing.objects.get().slug}").content.decode()
        )
    )
    assert all(tints)
    assert len({tint for found in tints for tint in found}) == 1


def test_what_is_stated_is_not_among_what_was_not_found(owner: Client, complete: Draft) -> None:
    page = owner.get(f"/drafts/{complete.pk}/preview").content.decode()
    facts, blanks = page.split("Not found on its website")
    assert "Open source" in facts
    named = re.findall("<li><span>([^<]+)</span>", blanks.split("</ul>")[0])
    assert "Price" in named
    assert not {"Pricing", "How it is sold", "Name", "Tagline"} & set(named)


def test_a_name_that_was_emptied_is_needed_and_nothing_else(owner: Client, complete: Draft) -> None:
    save(owner, complete, name="")
    page = owner.get(f"/drafts/{complete.pk}").content.decode()
    part = page.split('id="field-name"')[1].split('id="field-')[0]
    assert ("Needed" in part, "A listing needs it." in part) == (True, True)
    assert "It won’t be on the listing" not in part
    assert not re.search(r'class="chip deleted"', part)


def test_all_that_is_to_fix_is_told_at_once_by_whether_it_stops_the_save(
    owner: Client, complete: Draft
) -> None:
    wrong = {"founded_year": "20x1", "contact_email": "hello@"}
    save(owner, complete, **wrong)
    page = " ".join(owner.get(f"/drafts/{complete.pk}").content.decode().split())
    assert "Not saved" not in page
    assert page.count("Two fields need a fix before you submit") == 2  # above the fields, and in the bar
    for words in (
        "<b>2 to fix</b>",
        '<span class="small wrong">2 to fix</span>',
        '<progress max="3" value="3"',  # of what is needed: an error adds nothing to it
    ):
        assert words in page

    refused = save(owner, complete, **wrong, **{"faqs-1-question": "And now?"})
    box = refused.content.decode().split('role="alert"')[1].split('<section class="glance')[0]
    stopping, later = box.split("Two fields need a fix before you submit")
    assert ("Not saved: one field needs a fix." in stopping, stopping.count("<li>")) == (True, 1)
    assert re.findall('href="#input-([^"]+)"', later) == ["founded_year", "contact_email"]


def test_how_full_it_is_has_one_word_and_links_are_counted(owner: Client, complete: Draft) -> None:
    save(owner, complete, **{"company_socials-github": "https://github.com/t"})
    page = " ".join(owner.get(f"/drafts/{complete.pk}").content.decode().split())
    words = f"{complete.completeness}% filled"
    assert (words in page, words in owner.get("/account/drafts").content.decode()) == (False, True)
    assert "<b>Ready to submit</b>" in page  # a logo is missing
    assert ("Complete<" in page, "<progress" in page) == (False, False)  # the words say it
    assert 'Links<span class="small faint">1 added</span>' in page


def offered(owner: Client, draft: Draft, name: str) -> list[str]:
    page = owner.get(f"/drafts/{draft.pk}").content.decode()
    return re.findall(rf'aria-label="Use this: {name}, ([^"]+)"', page)


def test_beside_a_value_only_likely_readings_are_offered_and_without_one_those_near_the_best(
    owner: Client, draft: Draft
) -> None:
    texts = (("Paid on time, at last", 0.7), ("Free shipping over €60", 0.46), ("Copse Ltd, Ghent", 0.3))
    readings = [{"value": text, "evidence": [], "confidence": sure} for text, sure in texts]
    for value, expected in (("Set", texts[:1]), ("Paid on time, at last.", ()), (None, texts[:2])):
        draft.field_rows.filter(name="tagline").update(value=value, suggestions=readings)
        assert offered(owner, draft, "Tagline") == [text for text, _ in expected]
    menu = {"value": ["Shop", "Cart (0)"], "evidence": [], "confidence": 0.33}
    draft.field_rows.filter(name="features").update(value=None, suggestions=[menu])
    draft.field_rows.filter(name="categories").update(
        value=["Invoicing"], suggestions=[menu | {"confidence": 0.6}]
    )
    assert offered(owner, draft, "Features") + offered(owner, draft, "Category") == []


def test_a_plan_that_costs_nothing_is_offered_with_the_price_and_brings_both_quotes(
    owner: Client, draft: Draft
) -> None:
    free, paid = (
        {"quote": f"{words}.", "url": "https://t.test/"} for words in ("Free for three", "€12 a month")
    )
    price, other = "€12 a month", {"value": "Free for three", "evidence": [free], "confidence": 0.4}
    freemium = {"value": "freemium", "evidence": [free, paid], "confidence": 0.3}
    rows = draft.field_rows
    as_read = {"state": "ai", "value": price, "ai_value": price, "evidence": [paid], "ai_evidence": [paid]}
    rows.filter(name="pricing_summary").update(**as_read, suggestions=[other])
    slogan = {**freemium, "evidence": [{**free, "url": "https://t.test/news"}]}
    both = "Free for three. €12 a month"
    for now, of_model, expected in (
        (price, [slogan], []),
        (both, [freemium], []),
        (price, [freemium], [both]),
    ):
        rows.filter(name="pricing_summary").update(value=now)
        rows.filter(name="pricing_model").update(value="subscription", state="ai", suggestions=of_model)
        assert offered(owner, draft, "Price") == expected

    assert offered(owner, draft, "How it is sold") == ["Freemium"]
    page = owner.get(f"/drafts/{draft.pk}").content.decode()
    save(owner, draft, take=re.findall('value="(pricing_summary[.][^"]+)"', page)[0])
    row = rows.get(name="pricing_summary")
    assert (row.value, row.evidence) == ("Free for three. €12 a month", [free, paid])
    # what was replaced is offered in its turn, and is the website's again once it is taken
    assert offered(owner, draft, "Price") == [price]
    page = owner.get(f"/drafts/{draft.pk}").content.decode()
    save(owner, draft, take=re.findall('value="(pricing_summary[.][^"]+)"', page)[0])
    row.refresh_from_db()
    assert (row.value, row.state, row.evidence) == (price, "ai", [paid])
