"""Where a buyer lives, as the buyer answers and as networks say: what settles an order, and what is left to staff."""

from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from orders import checks, evidence, refunding
from orders.models import Order, PromoCode
from tests.conftest import Api, People, signed_in
from tests.factories.listings import make_listing
from tests.factories.orders import make_promo
from tests.factories.staff import staff_client
from tests.orders.paying import buy, money, work
from tests.orders.test_checkout_pages import link, told
from tests.orders.test_vat_cases import WHO, pay_from
from tests.servers.stripe_server import StripeServer

TABLE = """1.0.0.0,1.0.0.255,AU
"81.2.69.0","81.2.69.255","GB"
127.0.0.0,127.255.255.255,FR
192.0.2.0,192.0.2.255,ZZ
203.0.113.7,203.0.113.7,de
2001:db8::,2001:db8:ffff:ffff:ffff:ffff:ffff:ffff,PT
"""


@pytest.fixture
def table(tmp_path: Path, settings: Any) -> Path:
    path = tmp_path / "networks.csv"
    path.write_text(TABLE)
    settings.NETWORK_COUNTRIES = str(path)
    return path


def sold(api: Api, people: People, country: str) -> Order:
    """EUR 49.00 before VAT, to somebody who typed a country."""
    listing = make_listing(f"of-{country.lower()}", owner=people.owner)
    return buy(api, {"product": "featured", "listing_id": listing.pk}, billing_country=country)


def answer(order: Order, country: str, shows: str = "The address on my bill") -> Any:
    return Client().post(f"{link(order)}/place", {"country": country, "shows": shows})


def papers(order: Order) -> list[tuple[str, int, int, str]]:
    rows = order.invoices.order_by("pk")
    return [(row.kind, row.net_cents, row.vat_cents, row.vat_country) for row in rows]


def test_a_network_is_where_the_table_says(table: Path) -> None:
    expected = {
        "1.0.0.0": "AU",
        "1.0.1.0": "",
        "81.2.69.142": "GB",
        "::ffff:81.2.69.142": "GB",
        "127.0.0.1": "FR",
        "192.0.2.9": "",
        "203.0.113.7": "DE",
        "203.0.113.8": "",
        "0.0.0.1": "",
        "2001:db8::1": "PT",
        "2001:db9::1": "",
        "unknown": "",
    }

    assert {address: evidence.country_of(address) for address in expected} == expected
    assert checks.table_of_networks() == []
    for broken in ("nothing", "", "1.0.0.9,1.0.0.1,DE"):
        table.write_text(broken)
        assert [found.id for found in checks.table_of_networks()] == ["orders.E005"]
        assert evidence.country_of("1.0.0.5") == ""
    table.unlink()
    assert evidence.country_of("1.0.0.1") == ""


def test_the_network_is_one_more_thing_that_says_where_a_buyer_is(
    api: Api, people: People, stripe_server: StripeServer, table: Path
) -> None:
    french, german = sold(api, people, "FR"), sold(api, people, "DE")
    for order in (french, german):
        Client().post(link(order), {**WHO, "act": "check", "country": order.billing_country, "postcode": "1"})

    pay_from(stripe_server, french, "BE", card="BE")
    assert money(french) == ("paid", ["paid"])
    assert french.place_evidence == {"typed": "FR", "billing": "BE", "card": "BE", "network": "FR"}
    pay_from(stripe_server, german, None)
    assert money(german) == ("review", ["flagged"])
    assert "network from France" in german.review_reason
    page = staff_client("finance").get(f"/admin/orders/order/{german.pk}/change/").content.decode()
    assert "Network from" in page
    assert "127.0.0.1" not in str(Order.objects.filter(pk=german.pk).values())


def test_an_answer_that_nothing_confirms_is_before_staff_once(
    api: Api, people: People, stripe_server: StripeServer
) -> None:
    order = sold(api, people, "DE")
    pay_from(stripe_server, order, "FR", card="BE")
    (asked,) = [one for one in mail.outbox if one.subject.startswith("Where are you?")]
    assert f"{link(order)}\n" in asked.body.split("Answer here: ")[1]
    assert "You said Germany, but your payment or your connection says France and Belgium." in told(
        Client().get(link(order))
    )
    for country, shows in (("DE", ""), ("", "A bill"), ("ZZ", "A bill"), ("DE", "x" * 201)):
        assert answer(order, country, shows).status_code == 400
    assert money(order) == ("review", ["flagged"])
    assert "answer" not in order.place_evidence

    assert answer(order, "DE").status_code == 302
    assert answer(order, "FR", "Another").status_code == 302
    work()
    assert money(order) == ("review", ["flagged"])
    assert order.place_evidence["answer"] == "DE"
    assert order.review_reason.endswith("The buyer answers: Germany. The address on my bill")
    assert "Thank you for your answer" in told(Client().get(link(order)))
    owner = signed_in(people.owner)
    assert "so did your answer" in told(owner.get(f"/account/orders/{order.number}"))
    assert staff_client("finance").post(f"/admin/orders/order/{order.pk}/accept/").status_code == 302
    work()
    assert (money(order), order.review_reason) == (("paid", ["paid"]), "")
    assert papers(order) == [("invoice", 4900, 931, "DE")]
    assert answer(order, "FR").status_code == 302
    assert papers(order) == [("invoice", 4900, 931, "DE")]


@pytest.mark.parametrize(
    ("there", "sums"),
    [(("PT", "FR"), (980, 147)), (("AT", "FR"), (980, 0)), (("FR", "US"), (0, 980))],
)
def test_an_answer_that_the_card_confirms_settles_the_order_by_that_country(
    api: Api, people: People, stripe_server: StripeServer, there: tuple[str, str], sums: tuple[int, int]
) -> None:
    order, (vat, over) = sold(api, people, there[0]), sums
    pay_from(stripe_server, order, None, card=there[1])
    assert money(order) == ("review", ["flagged"])

    assert answer(order, there[1]).status_code == 302
    work()

    assert money(order) == ("paid", ["paid"])
    assert papers(order) == [("invoice", 4900, vat, there[1])]
    assert (order.billing_country, order.total_cents) == (there[1], 4900 + vat)
    assert ("Money to give back" in order.review_reason) is bool(over)
    payment = order.payments.get()
    about = {"payment_id": str(payment.pk), "reason": "Too much", "staff_id": people.staff.pk}
    if over:
        refunding.refund(**about, amount_cents=over, at=timezone.now())
        work()
        assert (money(order)[0], order.review_reason) == ("paid", "")
        assert len(papers(order)) == 1
    refunding.refund(**about, at=timezone.now())
    work()
    assert money(order)[0] == "refunded"
    assert papers(order)[1:] == [("credit_note", -4900, -vat, there[1])]


def test_a_country_that_would_cost_more_is_left_to_staff(
    api: Api, people: People, stripe_server: StripeServer
) -> None:
    order = sold(api, people, "DE")
    pay_from(stripe_server, order, None, card="FI")

    assert answer(order, "FI").status_code == 302
    work()

    assert money(order) == ("review", ["flagged"])
    assert "There the order costs €61.50: refund it, and let the buyer order again." in order.review_reason
    assert (order.total_cents, order.vat_country, order.billing_country) == (5831, "DE", "DE")
    refunding.refund(
        payment_id=str(order.payments.get().pk),
        reason="Ordered again",
        staff_id=people.staff.pk,
        at=timezone.now(),
    )
    work()
    assert (money(order)[0], papers(order)) == ("refunded", [])


def test_an_answer_counts_with_the_code_that_it_was_paid_with(
    api: Api, people: People, stripe_server: StripeServer
) -> None:
    promo = make_promo("HALF1234", percent=50)
    item = {"product": "featured", "listing_id": make_listing("half", owner=people.owner).pk}
    order = buy(api, item, billing_country="PT", promo_code="HALF1234")
    pay_from(stripe_server, order, None, card="FR")
    PromoCode.objects.filter(pk=promo.pk).update(is_active=False)

    answer(order, "FR")
    assert (money(order), papers(order)) == (("paid", ["paid"]), [("invoice", 2450, 490, "FR")])
