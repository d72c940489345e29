"""The extractive writer against sites written apart from its rules, honest and hostile, in eleven languages."""

from functools import cache

import pytest

from drafts.crawl.segments import read_site
from drafts.limits import FIELDS
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import Written
from tests.drafts.labelled import Score, forbidden, gold_of, report_of, site_names

LANGUAGES = {"en", "de", "fr", "es", "pt", "it", "nl", "pl", "cs", "ja", "zh", "ko", "ru"}


@cache
def drafted(site: str) -> Written:
    """One site's draft, written once for all tests."""
    return ExtractiveWriter().write(read_site(report_of(site)))


@pytest.fixture(scope="module")
def score() -> Score:
    """All sites, drafted once."""
    score = Score()
    for site in site_names():
        score.hold(site, drafted(site))
    return score


def test_there_are_sites_in_many_languages() -> None:
    assert len(site_names()) >= 10
    assert {gold_of(site)["lang"] for site in site_names()} >= LANGUAGES


def test_nothing_is_invented(score: Score) -> None:
    assert (score.invented, [note for note in score.notes if "INVENTED" in note]) == (0, [])


def test_every_quote_stands_on_its_page_and_every_value_has_one(score: Score) -> None:
    assert (score.quotes - score.standing, score.unsupported) == (0, 0)


def test_what_is_drafted_is_right(score: Score) -> None:
    assert score.precision >= 0.98, score.notes


def test_what_the_sites_state_is_found(score: Score) -> None:
    assert score.found >= 0.97, score.notes
    assert score.recall >= 0.92, score.notes


@pytest.mark.parametrize("site", site_names())
def test_every_field_is_answered_and_no_text_says_what_is_forbidden(site: str) -> None:
    written = drafted(site)

    values = [draft.value for draft in written.fields.values() if draft.value]
    values += [text for faq in written.faqs for text in (faq.question, faq.answer)]
    values += [text for founder in written.founders for text in (founder.name, founder.bio) if text]
    assert set(written.fields) == set(FIELDS)
    assert [value for value in values if forbidden(gold_of(site), value)] == []


@pytest.mark.parametrize("site", [site for site in site_names() if gold_of(site).get("closed_paths")])
def test_a_closed_page_is_never_cited(site: str) -> None:
    written = drafted(site)

    cited = {evidence.url for draft in written.fields.values() for evidence in draft.evidence}
    assert [url for url in cited if any(url.endswith(path) for path in gold_of(site)["closed_paths"])] == []
