"""What the rules find is weighed alike: sure values are set, possible ones suggested, and nothing else is said."""

import pytest

from drafts.limits import FIELDS
from drafts.writing import pricing
from drafts.writing.choosing import Judge, shipped
from drafts.writing.cues import money
from drafts.writing.evidence import same_place
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.facts import DRAFTED
from drafts.writing.port import FieldDraft, Written
from drafts.writing.support import Support
from drafts.writing.sureness import JUDGED, SURE
from drafts.writing.text import asks
from drafts.writing.wording import Words, words_of
from tests.drafts.labelled import report_of, stands
from tests.drafts.test_categories import hints
from tests.drafts.test_extractive_odd import read_site, site_of
from tests.drafts.test_extractive_unseen import PLANS, drafted

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


def test_what_no_bound_lets_be_set_is_suggested_as_it_was() -> None:
    site = read_site(report_of("agendaclara"))
    usual, none = by(0.0).write(site), by(1.1).write(site)

    set_before = {name for name in JUDGED if usual.fields[name].value}
    assert {"name", "tagline", "features", "city"} <= set_before
    for name in set_before:
        assert none.fields[name].value is None
        if name != "categories":
            assert usual.fields[name].value in [one.value for one in none.fields[name].suggestions]


def test_three_categories_are_offered_whatever_is_set() -> None:
    for name in ("ardoise", "agendaclara", "asso"):
        field = ExtractiveWriter(hints()).write(read_site(report_of(name))).fields["categories"]
        assert len(field.offered) >= 3


def test_three_categories_are_offered_of_a_site_that_names_one() -> None:
    for word in ("Handwriting", "Telescopes", "Sudoku"):
        field = written("", head=f"<title>Quillo – {word}</title><h1>{word}</h1>").fields["categories"]
        assert len(field.offered) >= 3


def test_a_category_that_stands_hardly_before_another_is_offered() -> None:
    def filed(said: str) -> FieldDraft:
        head = f'<title>Quillo – Property listings</title><meta name="description" content="{said}.">'
        return written("", head=f"{head}<h1>{said}</h1>").fields["categories"]

    assert filed("Property listings").value == ("Real estate",)
    beside = filed("Property listings and photo editing")
    assert (beside.value, beside.offered[:2]) == (None, (("Real estate",), ("Photo editing",)))


def test_a_description_that_another_page_tells_by_the_way_is_offered() -> None:
    told = (
        "We know the full racks, the ringing phones and the feeling that you are never where you are needed."
    )
    about = ("about", "about", f"<h1>About</h1><p>{told} Boltly grew out of that.</p>")
    field = drafted("<p>Boltly counts bolts.</p>", about).fields["description"]
    assert (field.value, field.offered) == (None, (f"{told} Boltly grew out of that.",))


def test_a_text_that_is_offered_in_short_is_not_set_at_length() -> None:
    told = "Your download should have begun. To start once more, load the page again or press here."
    fields = written(f"<p>{told}</p>").fields
    assert [(fields[n].value, fields[n].offered[:1]) for n in ("short_description", "description")] == [
        (None, (told,)),
        (None, (told,)),
    ]


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


def test_what_trails_off_and_a_name_with_a_word_are_no_lines() -> None:
    for odd in (
        "Taking you to the invoices that chase…",
        "Invoices, reminders, letters...",
        "Tidewell Desktop",
    ):
        head = f"<title>Tidewell</title><h1>{odd}</h1><h2>Invoices that chase themselves</h2>"
        field = written(f"<p>{odd}</p>", head=head).fields["tagline"]
        assert field.offered[:1] == ("Invoices that chase themselves",)
        assert odd not in field.offered


def test_what_a_button_says_is_no_price_and_a_trial_is_suggested_alone() -> None:
    ask = "<h1>Pricing</h1><p>One plan for all.</p><a href='/ask'>Ask for a quote</a>"
    fields = drafted("", ("pricing", "pricing", ask)).fields
    assert fields["pricing_model"].offered[:1] == ("contact_sales",)
    assert fields["pricing_summary"].offered == ()

    trial = drafted("", ("pricing", "pricing", "<h1>Pricing</h1><p>Free trial for 14 days.</p>"))
    assert (trial.fields["pricing_model"].value, trial.fields["pricing_model"].offered) == (
        None,
        ("free_trial",),
    )


def test_a_paragraph_that_breaks_off_is_no_description() -> None:
    cut = "Tidewell reminds every customer of yours who has not paid an invoice in time and"
    fields = written(f"<p>{cut}</p><p>{cut} tells you who did.</p>").fields
    assert [fields[name].offered for name in ("description", "short_description")] == [
        (f"{cut} tells you who did.",)
    ] * 2


def test_a_founder_may_be_named_in_two_headings() -> None:
    card = "<section><div><h3>Erika</h3><h3>Lindqvist</h3><p>Founder</p></div></section>"
    assert [(p.name, p.title) for p in written(f"<h2>Our team</h2>{card}").founders] == [
        ("Erika Lindqvist", "Founder")
    ]


def test_a_customer_is_no_founder_and_a_short_name_is_the_same_persons() -> None:
    def named(line: str) -> list[str]:
        return [p.name for p in written(f"<p>Tidewell sends invoices.</p>{line}").founders]

    quote = "<p>“My customers pay in time now.”</p>"
    assert named(f"<div>{quote}<p>Erika Lindqvist</p><p>Founder — DL Bakery Store</p></div>") == []
    assert named(f"<div>{quote}<p>Erika Lindqvist</p><p>Founder</p></div>") == ["Erika Lindqvist"]
    both = "<p>Tidewell was founded by Tim Lindqvist.</p><p>Timothy Lindqvist is the founder of Tidewell.</p>"
    assert len(named(both)) == 1


def test_a_zero_of_a_calculator_is_no_price_and_a_trial_is_quoted_from_no_button() -> None:
    saved = "<h2>Your savings</h2><p>Less waste</p><p>$0 / year</p><p>Fewer letters</p><p>$0 / year</p>"
    fields = drafted(saved, ("calculator", "other", saved)).fields
    assert (fields["pricing_model"].value, fields["pricing_summary"].value) == (None, None)

    trial = "<a href='/join'>Start Free Trial</a>"
    assert drafted("", ("pricing", "pricing", PLANS + trial)).fields["pricing_summary"].value == (
        "Basic: $49 / month. Business: $99 / month"
    )


def test_terms_repeat_a_price_and_state_one_where_no_other_page_does() -> None:
    terms = "<h1>Terms</h1><h2>Pricing</h2><p>The paid plan is Boltly Plus ($8/month).</p>"
    alone = drafted("", ("terms", "legal", terms)).fields["pricing_summary"]
    both = drafted("", ("pricing", "pricing", PLANS), ("terms", "legal", terms)).fields["pricing_summary"]
    assert "$8" in str(alone.offered[:1])
    assert both.value == "Basic: $49 / month. Business: $99 / month"


def test_a_description_ends_before_what_leads_on() -> None:
    told = "Tidewell reminds every customer of yours who has not paid an invoice in time."
    value = str(written(f"<p>{told} These are the steps:</p>").fields["description"].value)
    assert value.startswith(told)
    assert "steps" not in value


@pytest.mark.parametrize(
    "asked", ["現場では、いくつ起きていますか。", "可以先試用嗎。", "무료로 사용할 수 있나요."]
)
def test_a_question_without_its_sign_is_one_in_asian_languages(asked: str) -> None:
    assert asks(asked)
    assert not asks(asked[:4] + "。")


def test_a_town_is_the_same_in_another_case() -> None:
    assert same_place("Warszawa", "Warszawie")
    assert not same_place("Hannover", "Hanau")


def test_what_stands_among_the_ways_to_reach_us_says_where_we_are() -> None:
    site = site_of(
        "<html><body><div class='contact'><p>Mumbai, Maharashtra</p></div><p>Mumbai is wet.</p></body></html>"
    )
    placed, told = site.pages[0].texts
    assert DRAFTED["city"].stands(site, "Mumbai", [placed], product="Tidewell")
    assert not DRAFTED["city"].stands(site, "Mumbai", [told], product="Tidewell")


def test_praise_is_no_price_whatever_its_lines_state() -> None:
    site = site_of("<html><body><h1>World's best tool</h1><p>Tidewell costs $9 a month.</p></body></html>")
    lines = site.pages[0].texts
    words = Words(words_of(" ".join(line.text for line in lines), "en"))
    support = Support(language="en", everywhere=words, own_words=frozenset())
    assert pricing.fault("World's best tool", lines, support) == pricing.NO_PRICE
    assert pricing.fault("$9 a month", lines, support) == ""


def test_a_region_is_no_town_and_has_its_country_in_every_language() -> None:
    for place in ("Hongkong", "Sonderverwaltungsregion Hongkong", "Hong Kong"):
        fields = written(f"<footer><p>Tidewell Ltd, 1 Nathan Road, {place}</p></footer>").fields
        assert fields["country"].offered[:1] == ("HK",)
        assert not any("Sonderverwaltung" in town for town in fields["city"].offered)


def test_a_sum_outside_every_price_list_is_never_set() -> None:
    for sample in ("<p>Amount: €1,240.00</p>", "<p>Loaded cost of a counselor: $85</p>"):
        fields = (
            by(0.0)
            .write(site_of(f"<html><body>{NAMED}<p>Tidewell is free.</p>{sample}</body></html>"))
            .fields
        )
        assert fields["pricing_model"].value in {"free", None}
        assert "1,240" not in str(fields["pricing_summary"].value)
        assert "85" not in str(fields["pricing_summary"].value)


def test_what_every_page_repeats_of_the_founding_counts_once() -> None:
    foot = "<footer><p>Founded 2011 in Ghent.</p></footer>"
    about = "<p>Boltly was founded in 2012.</p><p>Boltly, founded in 2012, counts bolts.</p>"
    fields = drafted(
        foot, ("one", "other", foot), ("two", "other", foot), ("about", "about", about + foot)
    ).fields
    assert fields["founded_year"].offered[:1] == ("2012",)


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
    for text in ("TOP 10", "PHP 8.2", "CVE 2024", "Le 15 mai", "ALL 50 states", "12 months"):
        assert not money.MONEY.search(text), text


def test_the_bounds_are_data_and_every_judged_field_is_one_of_the_interface() -> None:
    judge = shipped()[SURE]
    assert set(JUDGED) < set(FIELDS)
    assert 0.5 <= judge.bound("categories") <= judge.threshold < judge.bound("name") < 1
    assert 0 < judge.bound("possible") < judge.bound("categories")


def test_no_price_town_or_film_is_called_as_likely_as_a_name() -> None:
    """Read on sites that nobody had seen, they were false one time in ten."""
    for site in ("ardoise", "agendaclara", "asso"):
        fields = ExtractiveWriter(hints()).write(read_site(report_of(site))).fields
        likely = {name: fields[name].confidence or 0.0 for name in fields}
        assert max(likely[name] for name in ("pricing_summary", "city", "demo_video_url")) < likely["name"]
