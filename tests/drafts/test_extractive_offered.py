"""What further unseen sites showed to be too bold to be set: it is offered, or left out; the words are ours."""

import pytest

from directory.data.categories import category_tree
from drafts.crawl.report import CrawlReport
from drafts.crawl.segments import read_site
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import CategoryHint
from tests.drafts.test_extractive_fresh import summary
from tests.drafts.test_extractive_sentences import HOME, offered, page, value
from tests.drafts.test_extractive_unseen import PLANS, drafted, prices


@pytest.mark.parametrize(
    "said", ["The free tier gives you whole racks, with all of what they hold and more of it."]
)
def test_a_model_is_offered_where_a_free_plan_without_a_sum_is_told_of(said: str) -> None:
    told = prices(f"{PLANS}<p>{said}</p>")

    assert value(prices(PLANS), "pricing_model") == "subscription"
    assert value(told, "pricing_model") is None
    assert {"freemium", "subscription"} <= set(offered(told, "pricing_model"))


def test_what_is_bought_once_beside_a_free_plan_is_freemium() -> None:
    once = "<div><h2>Pro</h2><p>$9 one-time</p></div>"

    assert value(prices(once), "pricing_model") == "one_time"
    assert value(prices(f"<div><h2>Free</h2><p>$0</p></div>{once}"), "pricing_model") == "freemium"


def test_sums_of_which_few_are_paid_by_time_are_offered() -> None:
    services = "".join(
        f"<div><h3>{name}</h3><p>${sum_}</p></div>" for name, sum_ in (("Audit", 900), ("Logo", 300))
    )
    care = "<div><h3>Care</h3><p>$50 / month</p></div>"
    told = prices(services + care)

    assert [value(told, name) for name in ("pricing_model", "pricing_summary")] == [None, None]
    assert "subscription" in set(offered(told, "pricing_model"))
    assert any("Care: $50 / month" in str(text) for text in offered(told, "pricing_summary"))


def test_the_head_of_a_part_of_the_page_is_no_plan() -> None:
    card = "<div><h2>{}</h2><p>$4 / month</p></div>"

    assert summary(card.format("Bolts for small racks")) is None
    assert summary(card.format("Small racks")) == "Small racks: $4 / month"


def test_an_address_that_a_page_of_features_shows_places_nobody() -> None:
    shown = "<title>Features</title><h1>Features</h1><div><p>12 Harbour Street, Boston MA 02110</p></div>"

    assert value(drafted("", ("features", "features", shown)), "city") is None
    assert value(drafted("", ("contact", "contact", shown)), "city") == "Boston"


@pytest.mark.parametrize(
    ("address", "town"),
    [
        ("<p>Rua Augusta, 123, Lisboa</p>", "Lisboa"),
        ("<p>Rua Exemplo, 123, Lisboa</p>", None),
        ("<p>Hauptgasse 6<br>2500 Baden Österreich</p>", "Baden"),
    ],
)
def test_a_street_for_example_places_nobody_and_a_country_is_no_part_of_a_town(
    address: str, town: str | None
) -> None:
    assert value(drafted("", ("contact", "contact", f"<h1>Contact</h1>{address}")), "city") == town


def test_a_backslash_in_an_address_is_a_slash() -> None:
    logo = r'<header><a href="/"><img src="pictures\logo.png" alt="Boltly logo"></a></header>'

    assert value(drafted(logo), "logo_url") == f"{HOME}pictures/logo.png"


@pytest.mark.parametrize("mail", ["denuncia", "abuse"])
def test_an_address_for_reports_of_abuse_is_none_for_the_public(mail: str) -> None:
    foot = '<footer><a href="mailto:{0}@boltly.example">{0}@boltly.example</a></footer>'

    assert value(drafted(foot.format(mail)), "contact_email") is None
    assert value(drafted(foot.format("ola")), "contact_email") == "ola@boltly.example"


def test_a_name_beside_a_bar_is_no_part_of_a_tagline() -> None:
    head = "<title>Boltly</title><h1>Boltly | Counts of all your spare bolts</h1>"
    written = drafted("<p>Counts of all your spare bolts.</p>", head=head)

    assert next(offered(written, "tagline")) == "Counts of all your spare bolts."


def test_a_word_in_signs_without_spaces_is_no_tagline() -> None:
    head = "<title>Boltly | サポート</title><h1>Boltly</h1>"

    assert "サポート" not in set(offered(drafted(head=head), "tagline"))


def test_the_first_tagline_offered_says_what_the_product_is() -> None:
    told = drafted(
        "<h1>Vision</h1><p>Our racks are counted before you are up.</p><h1>Why Now</h1><p>Bolts get lost.</p>"
        "<p>Boltly is a register of spare bolts for small workshops. It is kept in one file.</p>",
        head="<title>Boltly</title><h1>Introduction</h1>",
    )
    lines = list(offered(told, "tagline"))

    assert lines[0] == "Boltly is a register of spare bolts for small workshops."
    assert not {"Introduction", "Vision", "Why Now"} & set(lines)


def test_the_first_tagline_offered_is_what_is_said_in_short_where_that_is_set() -> None:
    said = "The stock of small workshops stays in order with it. It works on every phone."
    head = f'<title>Boltly</title><h1>Boltly</h1><meta name="description" content="{said}">'
    told = drafted("<h2>Have you lost a bolt?</h2><p>Ask.</p>", head=head)
    lines = list(offered(told, "tagline"))

    assert (value(told, "tagline"), value(told, "short_description")) == (None, said)
    assert lines == ["The stock of small workshops stays in order with it.", "Have you lost a bolt?"]


LONG = "that counts what is left in each drawer, tells who took the last one, orders more of them in time"
ENDED = f"Boltly is a register {LONG}, and writes the labels, lists and bills of a small workshop."


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Your racks write<br>your orders for spare bolts", "Your racks write your orders for spare bolts"),
        (ENDED, ENDED),
        (f"Boltly is a register of bolts — one {LONG}, {LONG}.", "Boltly is a register of bolts"),
        (f"Each rack has a counter {LONG}, {LONG}.", None),
    ],
    ids=["two lines", "a long sentence", "a turn", "too long"],
)
def test_no_tagline_is_offered_that_breaks_off(said: str, line: str | None) -> None:
    tag = "h2" if "<br>" in said else "p"
    told = drafted(
        f"<{tag}>{said}</{tag}><p>Bolts get lost.</p>", head="<title>Boltly</title><h1>Boltly</h1>"
    )
    parts = [text for text in offered(told, "tagline") if str(text).split()[:2] == said.split()[:2]]

    assert parts == ([line] if line else [])


@pytest.mark.parametrize(
    "said",
    [
        "--- title: Counts of bolts ---",
        "© Boltly, all bolts reserved",
        "Write of your bolts to ann@boltly.example",
        "All bolts | Counts | About our racks",
        "🏠 All of the bolts 📊 Their counts 📚 About our racks",
    ],
)
def test_the_head_of_a_file_a_foot_an_address_and_a_menu_are_no_tagline(said: str) -> None:
    told = drafted(f"<p>{said}</p><p>Counts of all your spare bolts.</p>", head="<title>Boltly</title>")

    assert list(offered(told, "tagline")) == ["Counts of all your spare bolts."]


def test_what_a_button_says_is_no_tag() -> None:
    hints = tuple(
        CategoryHint(slug=c.slug, name=c.name, terms=c.terms, parent=c.parent) for c in category_tree()
    )
    said = "<title>Boltly – tab manager</title><h1>A tab manager</h1><a href='/get'>Chrome extension</a>"
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=(page("", "home", said),))

    assert value(ExtractiveWriter(hints).write(read_site(report)), "tags") == ("tab manager",)
