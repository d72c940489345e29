"""A fact beside those there are: found by its own rule, asked of no model, believed when its own check says so."""

import pytest

from drafts.writing.answer import Claim
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.facts import DRAFTED
from drafts.writing.facts.base import DraftedFact
from drafts.writing.judging import NOT_STATED, Judge
from drafts.writing.port import FieldDraft
from drafts.writing.reading import Reading
from tests.drafts.test_extractive_odd import site_of
from tests.toys import part

SITE = site_of("<html><body><h1>Acme</h1><p>Acme is published under MIT.</p></body></html>")


class Silent(DraftedFact):
    code = "city"


class SilentList(DraftedFact):
    code = "tags"


class Licence(Silent):
    """In the place of the city, which takes a text as it does."""

    @staticmethod
    def draft(reading: Reading) -> FieldDraft:
        sentence = next(each for each in reading.telling if "MIT" in each.text)
        return FieldDraft(value="MIT", evidence=reading.quote(*sentence.parts))

    def follows(self, value: str, text: str) -> bool:
        return f"under {value}" in text


def judged(fact: DraftedFact, value: str) -> tuple[object, list[str]]:
    """The value that stays of what a model says, and why others went."""
    with part(DRAFTED, fact):
        judge = Judge(site=SITE, name="Acme", categories=frozenset())
        written = judge.judged([Claim(field=fact.code, value=value, lines=SITE.pages[0].texts)])
    return {name: draft.value for name, draft in written.fields.items()}, [row.why for row in written.refused]


@pytest.mark.parametrize("fact", [Silent(), SilentList()])
def test_nothing_is_asked_or_believed_unless_a_fact_says_so(fact: DraftedFact) -> None:
    assert (fact.request, judged(fact, "MIT")) == ("", ({}, [NOT_STATED]))


def test_its_own_check_decides() -> None:
    assert judged(Licence(), "MIT") == ({"city": "MIT"}, [])
    assert judged(Licence(), "Acme") == ({}, [NOT_STATED])


def test_its_own_rule_finds_it() -> None:
    with part(DRAFTED, Licence()):
        drafted = ExtractiveWriter().write(SITE, fields=["city"]).fields["city"]

    assert drafted.offered == ("MIT",)
