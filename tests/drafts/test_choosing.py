"""One way to choose: weights are data, what reaches no threshold stays blank, and weights are learned from labels."""

from itertools import permutations

from benchmarks.parts.choice_model import Example, fit, told_most
from drafts.crawl.segments import read_site
from drafts.writing.choosing import Candidate, Judge, shipped
from drafts.writing.extractive.features import group_candidates
from drafts.writing.extractive.texts import description_candidates, paragraph_candidates, tagline_candidates
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.identity import identify
from drafts.writing.reading import Reading
from drafts.writing.sureness import SURE
from tests.drafts.labelled import report_of, site_names

KINDS = ("role ", "under ", "page ", "length ")
CHOSEN = {"tagline", "short_description", "features", "description", "categories"}


def test_the_best_candidate_from_the_threshold_on_comes_first() -> None:
    judge = Judge({"always": -1.0, "early": 2.0, "link": -3.0}, threshold=0.5)

    ranked = judge.ranked(
        [
            Candidate("late", {"early": 0.2}),
            Candidate("linked", {"early": 1.0, "link": 1.0}),
            Candidate("first", {"early": 0.9}),
            Candidate("best", {"early": 1.0, "never weighed": 9.0}),
        ]
    )

    assert [value for _, value in ranked] == ["best", "first"]


def test_the_order_of_measures_says_nothing() -> None:
    judge = Judge({"always": 0.1, "a": 0.7, "b": 0.2, "c": 1e-9}, threshold=0.0)
    orders = permutations({"a": 0.1, "b": 0.3, "c": 0.7, "none": 1.0}.items())

    assert len({judge.score(dict(order)) for order in orders}) == 1


def test_a_field_whose_threshold_nothing_reaches_stays_blank() -> None:
    site = read_site(report_of("ardoise"))
    strict = {
        name: Judge(judge.weights, threshold=1000.0) for name, judge in shipped().items() if name in CHOSEN
    }

    usual, blank = ExtractiveWriter().write(site), ExtractiveWriter(judges=strict).write(site)

    for name in CHOSEN - {"categories"}:
        assert usual.fields[name].value
        assert (blank.fields[name].value, blank.fields[name].evidence) == (None, ())
    assert blank.fields["name"].value == usual.fields["name"].value


def test_every_weight_is_one_of_few_and_weighs_what_sites_are_measured_by() -> None:
    measured: set[str] = {"always"}
    for name in site_names():
        site = read_site(report_of(name))
        reading = Reading(site, identify(site, None))
        for gather in (tagline_candidates, description_candidates, paragraph_candidates, group_candidates):
            measured |= {key for candidate in gather(reading) for key in candidate.measures}

    assert set(shipped()) == {*CHOSEN, SURE}
    for field, judge in ((name, shipped()[name]) for name in CHOSEN):
        assert 10 <= len(judge.weights) <= 25
        if field != "categories":
            assert {name for name in judge.weights.keys() - measured if not name.startswith(KINDS)} == set()


def test_learning_finds_what_tells_right_from_wrong_and_when_to_choose_none() -> None:
    sites = {
        f"site {at}": [
            Example({"heading": 1.0, "noise": at % 2}, 1.0),
            Example({"footer": 1.0, "noise": (at + 1) % 2}, 0.0),
            Example({"heading": 1.0, "footer": 1.0, "noise": at % 3 / 2}, 0.0),
        ]
        for at in range(24)
    }

    names, weights = told_most(sites, most=2, least=3)

    assert names == ["footer", "heading"]
    assert weights["heading"] > 0 > weights["footer"]
    never = {name: [Example(e.measures, 0.0) for e in own] for name, own in sites.items()}
    assert fit(never, names)["always"] < -1
