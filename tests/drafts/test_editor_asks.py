"""What an editor asks comes first and is led to, and a value's quotes back all of it."""

import re
from typing import Any

import pytest
from django.test import Client

from drafts.models import Draft
from tests.conftest import People
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_category
from tests.forms import fields_of

PAGE, NEWS = "https://tidewell.test/pricing", "https://tidewell.test/news"


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    """A draft whose only lack is a category."""
    make_category("invoicing", name="Invoicing")
    draft = blank_draft(owner=people.owner, site=site)
    for name, value in (("name", "Tidewell"), ("tagline", "Paid on time")):
        draft.field_rows.filter(name=name).update(value=value, state="manual")
    return draft


def page_of(owner: Client, draft: Draft) -> str:
    return " ".join(owner.get(f"/drafts/{draft.pk}").content.decode().split())


def save(owner: Client, draft: Draft, **changed: str) -> Any:
    posted = fields_of(owner.get(f"/drafts/{draft.pk}").content.decode())
    return owner.post(f"/drafts/{draft.pk}/edit", {**posted, **changed})


def fields_in(page: str) -> list[str]:
    first = page.split('id="in-basics"')[1].split('id="in-people"', maxsplit=1)[0]
    return re.findall('id="field-([a-z_]+)"', first)


def test_what_is_needed_stands_first_whatever_is_filled_in_and_no_field_moves(
    owner: Client, draft: Draft
) -> None:
    before = page_of(owner, draft)
    assert fields_in(before)[:4] == [
        "name",
        "logo_url",
        "tagline",
        "categories",
    ]  # the logo is beside the name
    assert "<b>Ready to submit</b>" not in before

    save(owner, draft, category_typed="Invoicing")
    page = page_of(owner, draft)
    assert fields_in(page) == fields_in(before)
    assert "<b>Ready to submit</b>" in page


def test_submit_is_the_loud_button_once_nothing_is_left_and_before_it_the_first_suggestion(
    owner: Client, draft: Draft
) -> None:
    readings = [{"value": [name], "evidence": [], "confidence": 0.6} for name in ("Invoicing", "Payroll")]
    draft.field_rows.filter(name="categories").update(suggestions=readings, reason="unconfirmed")
    reading = {"value": "Paid on time", "evidence": [], "confidence": 0.6}
    draft.field_rows.filter(name="tagline").update(value=None, suggestions=[reading], reason="unconfirmed")

    def loud() -> list[str]:
        buttons = re.findall('<button class="button[^"]* primary"[^>]*>', page_of(owner, draft))
        return re.findall(r'Use this[^"]*|name="make"', " ".join(buttons))

    assert loud() == ["Use this: Tagline, Paid on time"]
    save(owner, draft, tagline="Paid on time")
    assert loud() == ["Use this: Category, Invoicing"]
    save(owner, draft, category_typed="Invoicing")
    assert loud() == ['name="make"']


def test_a_reading_to_choose_where_something_is_needed_is_in_no_fold(owner: Client, draft: Draft) -> None:
    reading = {"value": "Tidewell reminds late payers.", "evidence": [], "confidence": 0.6}
    draft.field_rows.filter(name="short_description").update(suggestions=[reading], reason="unconfirmed")
    page = page_of(owner, draft)

    assert fields_in(page)[:5] == ["name", "logo_url", "tagline", "categories", "short_description"]


def test_a_sentence_read_for_two_texts_is_offered_for_one_and_what_may_be_chosen_is_named(
    owner: Client, draft: Draft
) -> None:
    save(owner, draft, category_typed="Invoicing")
    reading = {"value": "Tidewell reminds late payers.", "evidence": [], "confidence": 0.6}
    rows = draft.field_rows.filter(name__in=("short_description", "description"))
    rows.update(suggestions=[reading], reason="unconfirmed")
    page = page_of(owner, draft)

    assert re.findall('aria-label="Use this: ([A-Za-z ]+),', page) == ["Short description"]
    assert "<b>Ready to submit</b>" in page
    logo, short = '<a href="#logo">a logo</a>', '<a href="#field-short_description">short description</a>'
    assert f"To check:</span> {short}.</p>" in page
    assert f"Optional:</span> {logo}.</p>" in page
    save(owner, draft, short_description="Invoices for studios.")
    assert re.findall('aria-label="Use this: ([A-Za-z ]+),', page_of(owner, draft)) == ["Description"]


def test_what_is_filled_in_and_what_is_to_fix_have_words_of_their_own_and_a_fix_names_its_group(
    owner: Client, draft: Draft
) -> None:
    page = page_of(owner, draft)
    assert ("<b>1 needed</b>" in page, "2 of 3 filled in" in page) == (True, True)
    assert "data-fix" not in page

    save(owner, draft, category_typed="Invoicing", founded_year="20x1", contact_email="hello@")
    page = page_of(owner, draft)
    assert ("<b>2 to fix</b>" in page, "3 of 3 filled in" in page) == (True, True)
    ways = (
        'Price and place: <a href="#input-founded_year">Founding year</a>, '
        '<a href="#input-contact_email">Contact address</a>'
    )
    assert page.count(ways) == 2  # beside the groups, and in the bar
    assert re.findall('href="([^"]+)" data-fix>([^<]+)<', page) == [("#input-founded_year", "Fix 2 fields")]


def test_the_quotes_of_a_page_that_make_a_value_are_shown_together_in_their_order(
    owner: Client, draft: Draft
) -> None:
    quotes = [
        {"quote": text, "url": url, "source": "text"}
        for text, url in (("Free", PAGE), ("€9 per month and café", PAGE), ("We won a prize", NEWS))
    ]
    row = draft.field_rows.filter(name="pricing_model")
    row.update(value="freemium", ai_value="freemium", state="ai", evidence=quotes, ai_evidence=quotes)

    field = page_of(owner, draft).split('id="field-pricing_model"')[1].split('id="field-')[0]
    shown, folded = field.split('<details class="quotes">')
    assert '“<mark dir="auto">Free … €9 per month and café</mark>”' in shown
    assert "We won a prize" in folded
    assert "<svg" not in shown.split('class="beneath"')[1]  # a quote has its marks, and no picture of them


def test_a_price_that_names_the_plan_without_cost_is_not_offered_with_it_once_more(
    owner: Client, draft: Draft
) -> None:
    free, longer, paid = (
        {"quote": text, "url": PAGE} for text in ("Free", "Free for one café", "€9 per month")
    )
    readings = [{"value": "free", "evidence": [free, longer], "confidence": 0.4}]
    draft.field_rows.filter(name="pricing_model").update(
        value="freemium", state="ai", evidence=[free, paid], suggestions=readings
    )
    other = {"value": "Free for one café", "evidence": [longer], "confidence": 0.4}
    for evidence, is_offered in (([free, paid], False), ([paid], True)):
        draft.field_rows.filter(name="pricing_summary").update(
            value="€9 per month", state="ai", evidence=evidence, suggestions=[other]
        )
        assert ("Free for one café. €9 per month" in page_of(owner, draft)) is is_offered


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        (
            "Les factures des petits studios sont payées à temps, et vous le voyez dans la liste.",
            "Texts stay in French, as on the site.",
        ),
        ("Invoices of small studios are paid on time, and you see it in the list.", ""),
    ],
)
def test_a_website_in_another_language_is_named_with_its_draft(
    owner: Client, draft: Draft, quote: str, said: str
) -> None:
    evidence = [{"quote": quote, "url": PAGE, "source": "text"}]
    draft.field_rows.filter(name="tagline").update(value=quote, state="ai", evidence=evidence)
    Draft.objects.filter(pk=draft.pk).update(pages_read=1, error=None)

    lede = page_of(owner, draft).split("</h1>")[1].split("</p>")[0]
    assert ("Texts stay in" in lede, said in lede) == (bool(said), True)


def test_the_card_shows_the_first_suggestion_until_something_stands(owner: Client, draft: Draft) -> None:
    readings = [{"value": text, "evidence": [], "confidence": 0.6} for text in ("Paid on time", "Paid soon")]
    rows = draft.field_rows.filter(name="tagline")
    for value, shown, is_offered in ((None, "Paid on time", True), ("Typed", "Typed", False)):
        rows.update(value=value, state="manual" if value else "not_found", suggestions=readings)
        looks = page_of(owner, draft).split('id="looks"')[1]
        row, card = looks.split('id="looks-card"')
        assert (shown in row, f">{shown}</p>" in card) == (True, True)
        assert [part.count("offered") for part in (row, card)] == [int(is_offered)] * 2
        assert ("Slanted: our suggestion." in card) is is_offered


@pytest.mark.parametrize(("tagline", "is_repeated"), [("Paid  on time", True), ("Invoices", False)])
def test_one_sentence_in_two_places_is_pointed_out(
    owner: Client, draft: Draft, tagline: str, *, is_repeated: bool
) -> None:
    save(owner, draft, tagline=tagline, short_description="Paid on time.")

    assert ("Give the tagline words of its own" in page_of(owner, draft)) == is_repeated


def test_what_has_to_be_done_has_three_words_and_the_foot_does_not_repeat_it(
    owner: Client, draft: Draft
) -> None:
    reading = {"value": "Ghent", "evidence": [], "confidence": 0.6}
    draft.field_rows.filter(name="city").update(suggestions=[reading], reason="unconfirmed")
    page = page_of(owner, draft)

    side = page.split('class="section-list"')[1].split("</ul>")[0]
    words = {re.sub(r"^\d+ ", "", text) for text in re.findall(r"<span class=[^>]+>([^<]+)</span></a>", side)}
    assert words == {"needed", "to check", "optional", "paid plan"}
    chips = re.findall(r'<span class="chip (?:warn|ai)">([^<]+)</span>', page.split('id="editor"')[1])
    assert set(chips) == {"1 needed", "Needed", "1 to check: City", "Check"}
    foot = page.split('class="save-bar')[1]
    assert not re.search("needed|to check|optional", foot.split('class="cluster"')[0])
    assert re.findall('form="editor" name="(preview|make)"', foot) == ["preview", "make"]
