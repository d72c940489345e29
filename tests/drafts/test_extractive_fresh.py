"""What further sites that nobody had seen say in forms of their own; the words are ours."""

import pytest

from tests.drafts.test_extractive_sentences import value
from tests.drafts.test_extractive_unseen import PLANS, drafted, prices


def summary(html: str) -> str | None:
    return value(prices(html), "pricing_summary")


@pytest.mark.parametrize(
    "counted",
    [
        "<table><tr><th>Item</th><th>Low estimate</th></tr><tr><td>Duty</td><td>$0</td></tr>"
        "<tr><td>Freight</td><td>from $500</td></tr></table>",
        "<div><p>Estimated monthly savings</p><p>$0</p><p>across 25 sites</p></div>",
    ],
)
def test_a_zero_that_is_yet_to_be_counted_is_no_free_plan(counted: str) -> None:
    free = "<div><h2>Free</h2><p>$0</p></div>"

    assert value(prices(PLANS + counted), "pricing_model") == "subscription"
    assert value(prices(free + PLANS + counted), "pricing_model") == "freemium"


def test_what_a_calculator_asks_and_reckons_is_no_price() -> None:
    asked = "<div>What does a customer leave with you? $6</div><p>$49 × 12 = $588</p>"

    assert summary(PLANS + asked) == "Basic: $49 / month; Business: $99 / month"


def test_a_plan_is_called_by_what_stands_nearest_to_its_price() -> None:
    badged = "<div><div>🚗 Small</div><div>Driver</div><div>$5 / month</div></div>"
    named = "<div><h4>Starter<br>$7 / month</h4><p>Choose it</p></div><div><h4>Plus<br>$9 / month</h4></div>"
    told = "<div><h3>Be seen</h3><h3>Be found</h3><h3>Be loved</h3><p>All of it:</p><p>$8 / month</p></div>"

    assert summary(f"<section>{badged}</section>") == "Driver: $5 / month"
    assert summary(f"<section>{named}</section>") == "Starter $7 / month; Plus $9 / month"
    assert summary(f"<section>{told}</section>") == "$8 / month"
    assert summary("<p>$3 / month</p>") == "$3 / month"


def test_what_others_take_is_not_our_price() -> None:
    wire = "<p>International wires take days, cost the client $30, and cost you $15 to receive.</p>"
    card = "<p>Cardly charges 2.9% per transaction even without any risk.</p>"

    assert value(drafted(wire + card), "pricing_summary") is None
    assert (
        value(drafted(f"<h2>Pricing</h2><p>1.99% per transaction.</p>{wire}{card}"), "pricing_model")
        == "commission"
    )


def test_plans_are_ours_where_the_keys_are_not() -> None:
    keys = "<p>You bring your own keys and pay providers directly.</p>"

    assert summary(keys + PLANS) == "Basic: $49 / month; Business: $99 / month"


def test_a_free_demonstration_of_a_product_leaves_it_priced() -> None:
    asked = "<h2>Prezzi</h2><p>Richiedi una demo gratuita e scopri come Boltly conta.</p>"

    assert value(drafted(asked), "pricing_model") is None
    assert value(drafted("<h2>Prezzi</h2><p>Boltly è gratuito.</p>"), "pricing_model") == "free"
