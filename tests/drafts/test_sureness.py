"""What the rules find is weighed alike: sure values are set, possible ones suggested, and nothing else is said."""

from drafts.limits import FIELDS
from drafts.writing.choosing import Judge, shipped
from drafts.writing.cues import money
from drafts.writing.extractive import ExtractiveWriter
from drafts.writing.port import Written
from drafts.writing.sense import sums
from drafts.writing.sureness import JUDGED, SURE
from tests.drafts.labelled import report_of, stands
from tests.drafts.test_categories import hints
from tests.drafts.test_extractive_odd import read_site, site_of

NAMED = "<title>Tidewell – Invoices that chase themselves</title><h1>Invoices that chase themselves</h1>"


def written(body: str, *, head: str = NAMED) -> Written:
    return ExtractiveWriter(hints()).write(site_of(f"<html><head></head><body>{head}{body}</body></html>"))


def by(bound: float) -> ExtractiveWriter:
    """A writer that is sure from this likelihood on."""
    judge = shipped()[SURE]
    bounds = {"categories": bound, "possible": judge.bound("possible")}
    return ExtractiveWriter(hints(), judges={**shipped(), SURE: Judge(judge.weights, bound, bounds)})


def test_every_value_has_a_confidence_and_suggestions_are_fewer_than_four_and_sorted() -> None:
    for name in ("ardoise", "agendaclara", "asso"):
        draft = ExtractiveWriter(hints()).write(read_site(report_of(name)))
        for field in draft.fields.values():
            likely = [entry.confidence for entry in field.suggestions]
            assert (field.confidence is None) == (field.value is None)
            assert all(0 <= entry <= 1 for entry in likely)
            assert likely == sorted(likely, reverse=True)
            assert len(likely) <= 3
            assert field.value not in [entry.value for entry in field.suggestions]
            assert all(stands(name, quote) for entry in field.suggestions for quote in entry.evidence)


def test_what_no_bound_lets_be_set_is_suggested_as_it_was_and_the_description_lists_no_features() -> None:
    site = read_site(report_of("agendaclara"))
    usual, none = by(0.0).write(site), by(1.1).write(site)

    set_before = {name for name in JUDGED if usual.fields[name].value}
    assert {"name", "tagline", "features", "city"} <= set_before
    for name in set_before:
        assert none.fields[name].value is None
        if name != "categories":
            assert usual.fields[name].value in [one.value for one in none.fields[name].suggestions]
    assert "\n- " in str(usual.fields["description"].value)
    assert "\n- " not in str(none.fields["description"].value)


def test_three_categories_are_offered_whatever_is_set() -> None:
    for name in ("ardoise", "agendaclara", "asso"):
        field = ExtractiveWriter(hints()).write(read_site(report_of(name))).fields["categories"]
        assert len(field.offered) >= 3


def test_a_town_that_is_only_named_is_suggested_with_its_country_and_never_set() -> None:
    fields = written("<footer><p>Tidewell, with friends in Ghent</p></footer>").fields

    assert (fields["city"].value, fields["country"].value) == (None, None)
    assert [one.value for one in fields["city"].suggestions] in ([], ["Ghent"])


def test_a_profile_of_the_fediverse_is_no_address() -> None:
    link = '<a href="https://mas.test/@tidewell">Mastodon</a> <span>tidewell@mas.test</span>'
    assert written(f"<footer>{link}</footer>").fields["contact_email"].offered == ()
    told = written('<footer><a href="mailto:hello@odd.test">hello@odd.test</a></footer>').fields
    assert told["contact_email"].offered[:1] == ("hello@odd.test",)


def test_a_logos_address_has_no_space() -> None:
    image = '<header><a href="/"><img src="/img/our logo.png" alt="Tidewell logo" class="logo"></a></header>'
    assert written(image).fields["logo_url"].offered[:1] == ("https://odd.test/img/our%20logo.png",)


def test_an_empty_title_beside_one_in_the_markup_costs_no_name() -> None:
    named = (f'<meta property="og:{key}" content="Tidewell">' for key in ("title", "site_name"))
    head = f"<title></title>{''.join(named)}"
    body = "<h1>Invoices that chase themselves</h1><p>We send invoices for small studios, politely and on time.</p>"
    site = site_of(f"<html><head>{head}</head><body>{body}</body></html>")
    assert ExtractiveWriter().write(site).fields["name"].offered[:1] == ("Tidewell",)


def test_a_link_that_leads_nowhere_is_no_brand() -> None:
    notes = '<header><a href="#">Patch Notes 1.12</a></header><p>Tidewell sends your invoices on time.</p>'
    assert "Patch Notes" not in written(notes).fields["name"].offered


def test_a_line_that_breaks_off_is_no_tagline() -> None:
    cut = "<h1>Agents that cut costs and</h1><h2>Invoices that chase themselves</h2>"
    field = written("", head=f"<title>Tidewell</title>{cut}").fields["tagline"]
    assert "Agents that cut costs and" not in field.offered


def test_sums_are_told_in_the_currencies_of_all_countries_and_words_are_no_codes() -> None:
    for text in (
        "₦5,000",
        "VND 200.000",
        "₱199",
        "RON 20",
        "Rp1.000",
        "12 ARS",
        "99 zł",
        "50 FCFA",
        "20 lei",
    ):
        assert money.MONEY.search(text), text
        assert sums(text), text
    for text in ("TOP 10", "PHP 8.2", "CVE 2024", "Le 15 mai", "ALL 50 states", "12 months"):
        assert not money.MONEY.search(text), text


def test_the_bounds_are_data_and_every_judged_field_is_one_of_the_interface() -> None:
    judge = shipped()[SURE]
    assert set(JUDGED) < set(FIELDS)
    assert 0.5 <= judge.bound("categories") <= judge.threshold < 1
    assert 0 < judge.bound("possible") < judge.bound("categories")
