"""What stands on a website besides its own words of today: translations, former prices, badges and lists of steps."""

import pytest

from tests.drafts.test_extractive_sentences import value
from tests.drafts.test_extractive_unseen import drafted, prices

FEATURES = "<h2>What it does</h2>" + "".join(
    f"<h3>{head}</h3><p>Boltly does this for every shelf of the workshop.</p>"
    for head in ("Counts bolts", "Orders bolts", "Sorts bolts")
)
GERMAN = (
    "<h2>Funktionen</h2><h3>Schrauben bestellen</h3><p>Boltly bestellt, was in der Werkstatt fehlt, und das ist es.</p>"
    "<h3>Schrauben finden</h3><p>Boltly ist kostenlos, und das bleibt es auch für alle, die es mit uns benutzen.</p>"
)


def test_a_page_in_another_language_gives_no_text() -> None:
    english = "<p>Boltly is the program that counts what is in your workshop and tells you what to order.</p>"
    written = drafted(english * 8, ("de", "other", GERMAN * 3))

    for field in ("features", "usps", "pricing_summary"):
        assert value(written, field) is None


@pytest.mark.parametrize(
    "former",
    [
        '<div style="text-decoration: line-through">$79</div>',
        '<div class="line-through">$79</div>',
        '<style>.was{text-decoration:line-through red}</style><span class="was">$79</span> ',
    ],
)
def test_a_former_price_is_struck_by_a_style_too(former: str) -> None:
    plan = f"<div><h3>Solo</h3>{former}<div>$49 / month</div></div>"

    assert value(prices(plan), "pricing_summary") == "Solo: $49 / month"


def test_a_badge_is_no_part_of_a_feature() -> None:
    badged = FEATURES.replace("Orders bolts", 'Orders bolts<span class="badge">NEW</span>')

    assert value(drafted(badged), "features") == ("Counts bolts", "Orders bolts", "Sorts bolts")


def test_a_sentence_that_leads_to_a_list_is_no_price() -> None:
    assert value(prices("<p>Boltly has a free and a paid plan:</p>"), "pricing_summary") is None


def test_sums_of_which_nothing_is_said_are_suggested_at_most() -> None:
    offers = ",".join(
        f'{{"@type":"Offer","price":"{price}","priceCurrency":"EUR"}}' for price in ("9.99", "79.00")
    )
    marked = f'{{"@type":"SoftwareApplication","name":"Boltly","offers":[{offers}]}}'
    written = drafted(f'<script type="application/ld+json">{marked}</script><p>Boltly counts bolts.</p>')

    assert value(written, "pricing_summary") is None
