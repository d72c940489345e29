"""What thirty-two further sites showed that nobody had read before; the words are ours."""

import pytest

from tests.drafts.test_extractive_fresh import summary
from tests.drafts.test_extractive_sentences import offered, value
from tests.drafts.test_extractive_unseen import PLANS, drafted, prices

GERMAN = '<html lang="de"><p>Boltly zählt die Schrauben der Werkstatt, und das geht ganz von allein.</p>'
CARD = '<div class="feature"><h3>{}</h3><p>It does so for each of your bolts, day by day.</p></div>'


@pytest.mark.parametrize(
    ("html", "founders"),
    [
        (f"{GERMAN}<div><p>Direkter Draht zum Gründer, ganz ohne Hotline</p></div>", []),
        (f"{GERMAN}<div><p>Transparente Verteilung</p><p>Gründer</p></div>", []),
        (f"{GERMAN}<div><p>Ann Berg Gründerin</p></div>", [("Ann Berg", "Gründerin")]),
        (
            "<div>Ann Berg, Founder & CEO — once at Wright (among others.</div>",
            [("Ann Berg", "Founder & CEO")],
        ),
        (
            "<p>橋本 渉 / Ann Berg 理学療法士 · Founder</p><div><h3>Ann Berg</h3><p>Therapist / Founder</p></div>",
            [("橋本 渉", "Ann Berg 理学療法士 · Founder")],
        ),
    ],
)
def test_a_founder_has_a_name_and_a_title(html: str, founders: list[tuple[str, str]]) -> None:
    assert [(one.name, one.title) for one in drafted(html).founders] == founders


def test_the_seat_of_a_supplier_is_not_ours() -> None:
    supplier = "<p>WhatsApp Business over 360hub — a certified provider based in Berlin.</p>"
    imprint = "<h1>Imprint</h1><p>Boltly GmbH<br>Hauptstraße 3<br>04109 Leipzig<br>Germany</p>"
    ours = "<p>Our company is based in Berlin.</p>"

    assert value(drafted(supplier), "city") is None
    assert value(drafted(ours), "city") == "Berlin"
    assert value(drafted(ours, ("imprint", "legal", imprint)), "city") == "Leipzig"


def test_a_table_about_a_company_says_where_mail_arrives() -> None:
    about = "<h1>About</h1><table><tr><th>Mail</th><td>hello@bolts.example</td></tr></table>"

    assert value(drafted("", ("about", "about", about)), "contact_email") == "hello@bolts.example"
    assert value(drafted("<p>Write hello@bolts.example into the field.</p>"), "contact_email") is None


def test_what_a_tick_stands_before_is_no_tagline() -> None:
    written = drafted(
        head="<title>Boltly</title><p>✓ Clear counts of all your bolts</p><p>Boltly counts.</p>"
    )
    lines = {value(written, "tagline"), *(one.value for one in written.fields["tagline"].suggestions)}

    assert not any(str(line).startswith("✓") for line in lines)


@pytest.mark.parametrize("name", ["100", "Simple. Clear. No surprises.", "Simple, fair prices", "Business"])
def test_a_number_clauses_or_the_name_of_another_before_a_sum_name_no_plan(name: str) -> None:
    plans = "<div><h2>{}</h2><p>$49 / month</p></div><div><h2>Business</h2><p>$99 / month</p></div>"

    assert summary(plans.format("Basic")) == "Basic: $49 / month. Business: $99 / month"
    assert summary(plans.format("🥈 Basic")) == "Basic: $49 / month. Business: $99 / month"
    assert summary(plans.format(name)) is None


def test_a_sum_that_is_cut_out_of_its_sentence_is_offered() -> None:
    assert summary("<p>Boltly costs $49 per month (net of sales tax).</p>") is not None
    assert summary("<p>Boltly costs $49 per month (net. Of sales tax).</p>") is None


def test_a_sum_below_why_us_is_what_others_ask() -> None:
    why = "<section><h2>Why Boltly</h2><div><h4>Most counters</h4><p>From $3 / month</p></div></section>"

    assert value(drafted(why), "pricing_summary") is None
    assert (
        value(drafted(why.replace("Why Boltly", "Boltly")), "pricing_summary")
        == "Most counters: From $3 / month"
    )


def test_steps_by_number_are_no_features() -> None:
    steps = "".join(map(CARD.format, ("Step 1 — Weigh", "Step 2 — Count", "Step 3 — Order")))
    named = ("Counts each bolt", "Sorts them by size", "Orders new ones")
    rest = f"<section><h2>Features</h2>{''.join(map(CARD.format, named))}</section>"
    both = f"<section><h2>Three steps</h2>{steps}</section>{rest}"

    assert value(drafted(both), "features") == named


def test_a_feature_that_is_to_come_is_left_out() -> None:
    names = ("Counts each bolt", "Sorts them by size", "Orders new ones", "Speaks to you (coming soon)")
    html = "<h2>Features</h2>" + "".join(map(CARD.format, names))

    assert value(drafted(html), "features") == names[:3]


def test_a_page_in_two_languages_is_described_in_one() -> None:
    german = (
        "Boltly zählt die Schrauben in deiner Werkstatt und sagt dir, wann du neue für sie bestellen musst."
    )
    english = (
        "Boltly counts the bolts in your workshop and tells you when it is time to order new ones for it."
    )
    description = value(drafted(f"<p>{german}</p><p>{english}</p>"), "description")

    assert description in {german, english}


def test_what_the_terms_alone_call_free_is_only_offered() -> None:
    told = "<p>Boltly is free of charge.</p>"
    written = drafted("<p>Boltly counts your bolts.</p>" * 3, ("terms", "legal", told))

    assert value(drafted(told), "pricing_model") == "free"
    assert value(written, "pricing_model") is None
    assert [one.value for one in written.fields["pricing_model"].suggestions] == ["free"]


def test_a_legal_form_with_dots_is_no_part_of_a_name_nor_the_name_of_a_title() -> None:
    head = (
        "<title>Vite, dadi e bulloni</title><footer>© 2026 Boltly S.r.l. Tutti i diritti riservati.</footer>"
    )

    assert value(drafted(head=head), "name") == "Boltly"

    imprint = "<h1>Imprint</h1><p>Boltly — Founder: Ann Berg</p>"
    owner = drafted("", ("imprint", "legal", imprint)).founders

    assert [(one.name, one.title) for one in owner] == [("Ann Berg", "Founder")]


def test_a_price_in_words_begins_with_no_yes_and_has_one_full_stop() -> None:
    asked = "<details><summary>¿Cuánto cuesta?</summary><p>Sí, Boltly es completamente gratis.</p></details>"
    plans = (
        "<p>完全無料。</p><div><h2>Pro</h2><p>780円 / 月</p></div><div><h2>Max</h2><p>1480円 / 月</p></div>"
    )

    assert summary(asked) == "Boltly es completamente gratis"
    assert summary(plans) == "完全無料. Pro: 780円 / 月. Max: 1480円 / 月"


def test_sums_that_do_not_go_together_are_offered() -> None:
    def stated(*plans: str) -> tuple[object, object]:
        draft = prices("".join(f"<div>{plan}</div>" for plan in plans)).fields["pricing_summary"]
        return draft.value, draft.suggestions[0].value if draft.suggestions else None

    solo, team = "<h3>Solo</h3><p>$5 / month</p>", "<h3>Team</h3><p>$9 / month</p>"
    below_free = "<h3>Free</h3><p>$2 / month</p>"

    assert stated(solo, team) == ("Solo: $5 / month. Team: $9 / month", None)
    assert stated("<p>$2 / month</p>", team) == (None, "$2 / month. Team: $9 / month")
    assert stated(below_free, team) == (None, "Free: $2 / month. Team: $9 / month")


def test_nothing_to_pay_for_one_plan_is_no_price_of_all() -> None:
    written = prices("<div><h3>Explore</h3><p>$0 / month</p></div><div><h3>Team</h3><p>Coming soon</p></div>")

    assert [written.fields[name].value for name in ("pricing_model", "pricing_summary")] == [None, None]
    assert tuple(
        written.fields[name].suggestions[0].value for name in ("pricing_model", "pricing_summary")
    ) == ("free", "Explore: $0 / month")


def test_praise_before_a_plan_is_no_part_of_its_name_nor_half_a_sum_a_price() -> None:
    praised = "<div><h3>Popular Studio</h3><p>$5 / month</p></div>"
    saved = "<div><h3>Solo</h3><p>20% off → $1,800 / month, billed at once</p></div>"

    assert summary(praised) == "Studio: $5 / month"
    assert summary(saved) == "Solo: $1,800 / month"


@pytest.mark.parametrize("said", ["No “free plan” gotchas.", "There is no free plan."])
def test_what_is_not_free_is_not_free(said: str) -> None:
    written = prices(f"{PLANS}<p>{said}</p>")

    assert value(written, "pricing_model") == "subscription"
    assert "freemium" not in offered(written, "pricing_model")
