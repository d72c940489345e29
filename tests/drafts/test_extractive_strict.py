"""What a strict reader of further unseen sites called false or embarrassing; the words are ours."""

import pytest

from directory.data.categories import category_tree
from drafts.crawl.report import CrawlReport
from drafts.crawl.segments import read_site
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import CategoryHint
from tests.drafts.test_extractive_fresh import summary
from tests.drafts.test_extractive_sentences import HEAD, HOME, page, value
from tests.drafts.test_extractive_unseen import PLANS, drafted, prices

MENU = (
    "<span>Set up the keyboard on your phone and on your tablet. Guide for every device that you own.</span>"
)
TELLS = "Boltly counts bolts of every size in the racks of a warehouse and orders new ones before they end."


def test_a_menu_and_a_line_of_labels_describe_nothing() -> None:
    menu = f"<nav><div>{MENU}</div></nav>"
    labels = "<p>Free trial of seven days without a card · 14 days to return it · Cancel in one click</p>"

    for first in (menu, labels):
        told = drafted(f"{first}<p>{TELLS}</p>", head="<title>Boltly</title><h1>Boltly</h1>")
        assert [value(told, name) for name in ("short_description", "description")] == [TELLS, TELLS]


def test_a_line_by_itself_gives_way_to_what_the_site_says_of_itself() -> None:
    head = f'{HEAD}<meta name="description" content="{TELLS}">'
    line = "Boltly explains bolts in few words. You choose how few of them."

    assert value(drafted(f"<p>{line}</p>", head=head), "description") == TELLS
    assert value(drafted(f"<p>{line}</p>"), "description") == line


def test_a_scene_gives_way_to_what_the_site_says_of_itself_and_stands_where_nothing_else_does() -> None:
    head = f'<title>Boltly</title><meta name="description" content="{TELLS}">'
    scene = "It is Saturday evening. Forty guests wait, and two waiters run from table to table."

    assert value(drafted(f"<h2>A day</h2><p>{scene}</p>", head=head), "description") == TELLS
    assert value(drafted(f"<h2>A day</h2><p>{scene}</p>"), "description") == scene


def test_a_profile_that_nobody_has_filled_in_is_nobodys() -> None:
    left = '<footer><a href="https://facebook.com/name">Facebook</a></footer>'

    assert not drafted(left).company_socials
    assert drafted(left.replace("name", "boltly")).company_socials

    data = '{"@type": "Organization", "name": "Boltly", "sameAs": "https://x.com/yourcompany"}'
    stated = f'<script type="application/ld+json">{data}</script>'
    assert not drafted("", head=stated).company_socials
    assert drafted("", head=stated.replace("yourcompany", "boltly")).company_socials


def test_a_sentence_in_signs_without_spaces_names_no_plan() -> None:
    said = "<section><p>{}</p><p>月額5,000円</p></section>"

    assert summary(said.format("英語の多読に困っている方のための場所")) == "月額5,000円"
    assert summary(said.format("スタンダード")) == "スタンダード: 月額5,000円"


def test_what_opens_a_further_page_describes_that_page() -> None:
    opening = (
        "From bolts of every size to the racks of a warehouse, each order is thought through to its very end."
    )
    further = f'<title>About</title><div class="hero"><h1>About</h1><p>{opening}</p></div>'
    head = f'<title>Boltly</title><meta name="description" content="{TELLS}">'

    assert value(drafted("", ("about", "about", further), head=head), "description") == TELLS


def test_neither_an_ornament_nor_how_it_is_paid_is_part_of_a_plan() -> None:
    cards = "".join(
        f"<div><div>Pack {name}</div><div>$ {price}</div><div>one-time payment</div></div>"
        for name, price in (("A", 2), ("B", 4))
    )

    assert summary(f"<div>— Free</div>{PLANS}") == "Free. Basic: $49 / month. Business: $99 / month"
    assert summary(f"<section>{cards}</section>") == "Pack A: $2. Pack B: $4"


@pytest.mark.parametrize(
    "said", ["Yours for less than $1 a day", "Total cost under $100/month", "Weniger als 3 € im Monat"]
)
def test_what_a_sum_stays_below_is_no_price(said: str) -> None:
    assert summary(f"<p>{said}</p>{PLANS}") == "Basic: $49 / month. Business: $99 / month"


def test_what_is_paid_each_year_is_not_paid_once() -> None:
    for_ever = "<div><h2>All</h2><p>$49 / year</p><p>Pay once and own it</p></div>"

    assert value(prices(for_ever.replace("/ year", "")), "pricing_model") == "one_time"
    assert (
        value(prices("<div><h2>All</h2><p>$49 / year, one-time payment</p></div>"), "pricing_model")
        != "one_time"
    )


def test_terms_of_use_do_not_sum_up_prices() -> None:
    terms = "Boltly offers a free plan and paid plans, as described on our pricing page, and they renew by themselves."
    legal = (
        "terms",
        "legal",
        f"<title>Terms</title><h1>Terms</h1><h2>Free and paid plans</h2><p>{terms}</p>",
    )
    sold = drafted("", ("pricing", "pricing", f"<title>Pricing</title><h1>Pricing</h1>{PLANS}"), legal)

    assert value(sold, "pricing_summary") == "Basic: $49 / month. Business: $99 / month"


def test_what_former_contracts_cost_in_the_terms_of_use_is_offered_at_most() -> None:
    terms = (
        "Contracts that were made before go on at their price of $9 / month until they are cancelled by you."
    )
    sold = drafted(
        "", ("terms", "legal", f"<title>Terms</title><h1>Terms of Boltly</h1><h2>Prices</h2><p>{terms}</p>")
    )

    assert [value(sold, name) for name in ("pricing_model", "pricing_summary")] == [None, None]


def test_a_plan_that_nobody_can_buy_yet_is_offered_at_most() -> None:
    card = "<div><h2>Pro</h2><p>$9 / month</p><a href='/buy'>{}</a></div>"

    assert summary(f"<div>{card.format('Get Pro')}</div>") == "Pro: $9 / month"
    assert summary(f"<div>{card.format('Get Pro – coming soon')}</div>") is None


def test_the_host_itself_goes_before_the_subject_of_a_sentence() -> None:
    head = "<title>Bolting service since 1993 | Boltly.test</title>"
    said = "<p>Bolting is a process of counting bolts of all sizes.</p>" + "<p>Bolting since 1993.</p>" * 4

    assert value(drafted(said, head=head), "name") == "Boltly.test"


def boxes(*titles: str) -> str:
    return "".join(
        f"<div><h3>{title}</h3><p>It does so for each rack that you have.</p></div>" for title in titles
    )


def test_what_a_release_brought_gives_way_to_features() -> None:
    brought = boxes("Tabs in one row", "Folding by a click", "A better timer")
    release = f'<section><h2>v2.8.62 – all in one</h2><div class="features">{brought}</div></section>'
    sound = (
        f'<section><h2>Features</h2><div class="features">{boxes("Count", "Order", "Sort")}</div></section>'
    )

    assert value(drafted(release + sound), "features") == ("Count", "Order", "Sort")


def test_a_quarter_and_a_sentence_among_titles_are_no_features() -> None:
    titles = (
        "Count bolts",
        "Order bolts",
        "Sort bolts",
        "Weigh bolts",
        "Q3 2026",
        "We build the bolts of tomorrow.",
    )

    assert value(drafted(f'<div class="features">{boxes(*titles)}</div>'), "features") == titles[:4]


def test_a_picture_at_a_host_of_placeholders_is_no_logo() -> None:
    for host in (
        "https://via.placeholder.com/150",
        "https://placehold.co/80x40.png",
        "https://yourdomain.com/l.png",
    ):
        assert (
            value(drafted(f'<header><a href="/"><img class="logo" src="{host}"></a></header>'), "logo_url")
            is None
        )


def test_a_guide_tells_no_selling_points() -> None:
    why = "<h2>Why Boltly</h2><ul><li>Counts at night</li><li>Orders alone</li><li>Sorts by size</li></ul>"
    guide = ("guide", "docs", f"<title>Guide</title><h1>Boltly guide</h1>{why}")

    assert value(drafted(f"<h1>Boltly</h1>{boxes('Count', 'Order')}", guide), "usps") is None


def test_for_whom_it_is_is_no_tag() -> None:
    hints = tuple(
        CategoryHint(slug=c.slug, name=c.name, terms=c.terms, parent=c.parent) for c in category_tree()
    )
    said = "<title>Boltly – lesson plans</title><h1>Lesson plans for teachers</h1><p>It draws seats for teachers.</p>"
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=(page("", "home", said),))
    told = ExtractiveWriter(hints).write(read_site(report))

    assert value(told, "tags") == ("lesson plans",)
