"""Rule 5 of docs/voice.md: no page, mail or message shows a raw value or the name of an operation."""

import re

import pytest

from tests import texts_in_code
from tests.words import ISO_DATE, ROOT, operations, raw_values

TEMPLATES = sorted(
    path for path in ROOT.glob("*/templates/**/*") if path.suffix in {".html", ".txt"} and path.is_file()
)
OPERATION = re.compile(rf"\b(?:{'|'.join(sorted(operations()))})\b")
NOT_TEXT = re.compile(
    r"\{#.*?#\}|\{% comment.*?endcomment %\}|<(script|style)\b.*?</\1>|\{%.*?%\}", re.DOTALL
)
TAG = re.compile(r"<(?:[^<>{]|\{\{.*?\}\})*>", re.DOTALL)
VALUE = re.compile(r"\{\{\s*(.*?)\s*\}\}")
MONEY = re.compile(r"_cents\b(?!.*\|(?:price|money)\b)")
MACHINE_DATE = re.compile(r"\|date:\"(?:c|Y-m-d)|[ds]_(?:at|on|until)$|(?<!rank)\.(?:week|day)$")
CODED = (
    "status",
    "country",
    "plan",
    "kind",
    "stage",
    "pricing_model",
    "treatment",
    "blocked_reason",
    "fulfilment_status",
)
RAW = re.compile(rf"(?:^|\.)(?:vat_)?(?:{'|'.join(CODED)})$")
# Where a raw value is what its reader came for, and why.
ALLOWED = {
    "config/templates/docs/": "the reference of the API shows the API's own names",
    "orders/templates/orders/document.html {{ party.country }}": "a document holds the country's name",
    "orders/templates/orders/account/order.html {{ kind }}": "the kinds of findings are words by then",
    "config/templates/staff/matches.html {{ row.kind }}": "the kinds of things found are words already",
}


def faults(text: str) -> list[str]:
    """What of a template's text would be read as a program's value."""
    shown = TAG.sub(" ", NOT_TEXT.sub(" ", text))
    values = [
        value
        for value in VALUE.findall(shown)
        if any(rule.search(value) for rule in (MONEY, MACHINE_DATE, RAW))
    ]
    plain = VALUE.sub(" ", shown)
    return [*OPERATION.findall(plain), *ISO_DATE.findall(plain), *(f"{{{{ {value} }}}}" for value in values)]


def is_allowed(path: str, fault: str) -> bool:
    return any(f"{path} {fault}".startswith(place) for place in ALLOWED)


def test_no_template_shows_a_raw_value() -> None:
    found = [
        f"{path} {fault}"
        for path, fault in (
            (str(template.relative_to(ROOT)), fault)
            for template in TEMPLATES
            for fault in faults(template.read_text(encoding="utf-8"))
        )
        if not is_allowed(path, fault)
    ]

    assert len(TEMPLATES) > 200
    assert found == []


def test_every_exception_is_needed() -> None:
    """What is allowed and shows nothing raw any more is taken off the list."""
    needed = {
        place
        for place in ALLOWED
        for template in TEMPLATES
        for fault in faults(template.read_text(encoding="utf-8"))
        if f"{template.relative_to(ROOT)} {fault}".startswith(place)
    }

    assert set(ALLOWED) - needed == set()


@pytest.mark.parametrize(
    "text",
    [
        "Categories are the names that list_categories gives.",
        "Free launch in the week of 2026-12-07.",
        "<p>{{ order.total_cents }}</p>",
        "{{ order.status }}",
        "{{ order.vat_country }}",
        "{{ listing.published_at }}",
        '{{ week|date:"Y-m-d" }}',
    ],
)
def test_the_check_sees_each_kind(text: str) -> None:
    assert len(faults(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "{{ order.total_cents|price:order.currency }}",
        '<time datetime="{{ at|date:"c" }}">{{ at|date:"j F Y" }}</time>',
        '<option value="{{ week|date:"Y-m-d" }}">{{ week|date:"j F Y" }}</option>',
        "{% if order.status == 'paid' %}Paid{% endif %}",
        '<a href="/docs/operations/list_categories">Categories</a>',
    ],
)
def test_the_check_lets_words_pass(text: str) -> None:
    assert faults(text) == []


def test_pages_are_read_as_people_see_them() -> None:
    page = "<body><p>Week of 2026-12-07: invalid_state</p><code>list_products</code><a href='/a_b'>See it</a></body>"

    assert raw_values(page) == ["2026-12-07", "invalid_state"]
    assert raw_values("<body>Write to the_maker@site.example or https://a.example/the_page</body>") == []


def test_the_rules_of_voice_stand_where_writers_look() -> None:
    rules = (ROOT / "docs/voice.md").read_text()

    assert [f"{number}." in rules for number in range(1, 11)] == [True] * 10
    assert "docs/voice.md" in (ROOT / "CONTRIBUTING.md").read_text()


# Names in the code's texts that are words by then, or the interface's own, and why.
ALLOWED_IN_CODE = {
    "accounts/oauth/client_metadata.py {response.status}": "the status of an HTTP answer, for who makes the client",
    "directory/facts.py list_categories": "the description of update_draft's own field",
    "directory/listings/pages/owned.py {week}": "weeks.launch_and_due gives words",
    "directory/launches/launchable.py {week}": "a date in words by then",
    "directory/launches/badge_check.py {page.status}": "the status of an HTTP answer",
    "drafts/pictures/fetching.py {answer.status}": "the status of an HTTP answer",
}


def test_no_text_of_the_code_shows_people_a_raw_value() -> None:
    found = {
        f"{path.relative_to(ROOT)} {fault}"
        for path in texts_in_code.sources()
        for fault in texts_in_code.faults(path.read_text(encoding="utf-8"))
    }

    assert len(texts_in_code.sources()) > 400
    assert found == set(ALLOWED_IN_CODE)


@pytest.mark.parametrize(
    "source",
    [
        'refuse("There is no such question; list_interview_questions has those there are.")',
        'refuse(f"A listing that is {listing.status} cannot become live.")',
        'tell(f"The week of {week} is over and done.")',
        'tell(f"It runs until the {end:%Y-%m-%d} of that week.")',
        'tell(f"At least {least_cents} have to be given.")',
        'tell("The rate of 2026-12-07 is not there.")',
    ],
)
def test_the_check_of_code_sees_each_kind(source: str) -> None:
    assert len(texts_in_code.faults(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        'def list_products() -> None:\n    """What list_products answers to its callers."""',
        'tell(f"The week of {week:%-d %B %Y} is over and done.")',
        'tell(f"A listing that is {words_of(listing.status)} stays as it is.")',
        'jobs.add("a.kind", key=f"the key of {week} for one")',
    ],
)
def test_the_check_of_code_lets_words_pass(source: str) -> None:
    assert texts_in_code.faults(source) == []
