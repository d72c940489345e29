"""Where a buyer is: areas and registrations, in quote and checkout alike; evidence of the place; proof of a number."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct
from directory.models import Listing, Site
from orders import links
from orders.models import Order, VatArea, VatRate
from tests.conftest import Api, Caller, People
from tests.factories.listings import make_listing
from tests.factories.staff import staff_client
from tests.orders.conftest import Vies, cart
from tests.orders.paying import begin, buy, deliver, money, work
from tests.orders.test_quote_order import QUOTE
from tests.servers.stripe_server import StripeServer
from tests.servers.website import html

FRENCH = "FR40303265045"
WHO = {"email": "ana@buyer.example", "name": "Ana", "address": "Street 1", "city": "Town"}


def vat_of(buyer: Caller, **about: str) -> tuple[str, str, str]:
    vat = buyer.post(QUOTE, cart("done_for_you", **about)).json()["vat"]
    return vat["country"], vat["treatment"], vat["rate"]


def checked(order: Order, **about: str) -> tuple[str, str, str]:
    """What the checkout page stores for somebody there."""
    path = f"/{links.checkout_url(order).split('/', 3)[3]}"
    answer = Client().post(path, {**WHO, "act": "check", **about})
    assert answer.status_code == 200, answer.content
    order.refresh_from_db()
    return order.vat_country, order.vat_treatment, f"{order.vat_rate:.2f}"


@pytest.fixture
def order(api: Api, live: Listing) -> Order:
    return buy(api, {"product": "ai_review", "listing_id": live.pk})


OUTSIDE, OSS, HOME = ("outside_scope", "0.00"), "destination", "domestic"


@pytest.mark.parametrize(
    ("country", "postcode", "expected"),
    [
        ("MC", "98000", ("FR", OSS, "20.00")),
        ("IM", "IM1 1AA", ("GB", *OUTSIDE)),
        ("GB", "BT1 1AA", ("GB", *OUTSIDE)),
        ("ES", "35001", ("IC", *OUTSIDE)),
        ("ES", "38 001", ("IC", *OUTSIDE)),
        ("ES", "51001", ("EA", *OUTSIDE)),
        ("ES", "52001", ("EA", *OUTSIDE)),
        ("ES", "28001", ("ES", OSS, "21.00")),
        ("PT", "9000-010", ("PT", OSS, "22.00")),
        ("PT", "9500-011", ("PT", OSS, "16.00")),
        ("PT", "4050-031", ("PT", OSS, "23.00")),
        ("DE", "27498", ("XH", *OUTSIDE)),
        ("DE", "78266", ("CH", *OUTSIDE)),
        ("DE", "10115", ("DE", HOME, "19.00")),
        ("IT", "23041", ("XL", *OUTSIDE)),
        ("IT", "22061", ("XC", *OUTSIDE)),
        ("GR", "63086", ("XT", *OUTSIDE)),
        ("GR", "105 63", ("GR", OSS, "24.00")),
        ("FI", "22100", ("AX", *OUTSIDE)),
        ("FI", "00100", ("FI", OSS, "25.50")),
        ("FR", "97133", ("BL", *OUTSIDE)),
        ("FR", "97100", ("GP", *OUTSIDE)),
        ("FR", "97200", ("MQ", *OUTSIDE)),
        ("FR", "97300", ("GF", *OUTSIDE)),
        ("FR", "97400", ("RE", *OUTSIDE)),
        ("FR", "97600", ("YT", *OUTSIDE)),
        ("AT", "6691", ("AT", OSS, "19.00")),
        ("AT", "6993", ("AT", OSS, "19.00")),
        ("AT", "1010", ("AT", OSS, "20.00")),
    ],
)
def test_an_area_has_its_own_rules(
    order: Order, country: str, postcode: str, expected: tuple[str, ...]
) -> None:
    assert checked(order, country=country, postcode=postcode) == expected


def test_staff_add_an_area_from_a_day_on_and_withdraw_it(order: Order) -> None:
    finance, page = staff_client("finance"), "/admin/orders/vatarea/"
    german = {"country": "DE", "postcode": "83471"}
    yesterday = timezone.now().date() - timedelta(days=1)
    row = {"inside": "de", "begins": "834 71", "code": "de", "valid_from": yesterday, "source": "Gazette"}
    percent = {"percent": "7"}

    for wrong in (
        {"inside": "EL"},
        {"begins": " - "},
        {"code": "QQ"},
        percent | {"code": "CH"},
        {"valid_until": yesterday - timedelta(days=1)},
    ):
        assert finance.post(f"{page}add/", row | wrong).status_code == 200
    over = {"valid_from": yesterday - timedelta(days=9), "valid_until": yesterday - timedelta(days=2)}
    for days in (over, {"valid_from": yesterday + timedelta(days=5)}):
        assert finance.post(f"{page}add/", row | percent | days).status_code == 302
        assert checked(order, **german) == ("DE", HOME, "19.00")
    assert finance.post(f"{page}add/", row | percent).status_code == 302
    assert finance.post(f"{page}add/", row | percent).status_code == 200  # once a day
    assert checked(order, **german) == ("DE", HOME, "7.00")
    assert checked(order, country="DE", postcode="83472") == ("DE", HOME, "19.00")
    assert "Germany 7%" in finance.get(page, {"q": "de"}).content.decode()

    area = VatArea.objects.get(begins="83471", valid_from=yesterday)
    assert staff_client("moderator").post(f"{page}{area.pk}/withdraw/").status_code == 403
    assert "Withdraw DE 83471: Germany 7%?" in finance.get(f"{page}{area.pk}/withdraw/").content.decode()
    assert finance.post(f"{page}{area.pk}/withdraw/").status_code == 302
    assert finance.post(f"{page}{area.pk}/withdraw/").status_code == 404
    assert checked(order, **german) == ("DE", HOME, "19.00")
    assert StaffAct.objects.filter(act="vat.edit", said__startswith="withdrew the area").count() == 1


def test_a_quote_says_of_whole_countries_what_the_checkout_says(
    buyer: Caller, order: Order, vies: Vies
) -> None:
    vies.knows(FRENCH)

    for country in ("MC", "IM", "GP", "AX"):
        assert vat_of(buyer, billing_country=country) == checked(order, country=country, postcode="00000")
    business = {"vat_number": FRENCH}
    assert vat_of(buyer, billing_country="MC", **business) == ("FR", "reverse_charge", "0.00")
    assert checked(order, country="MC", postcode="98000", **business) == ("FR", "reverse_charge", "0.00")


def test_a_seller_registered_there_charges_consumers_and_no_business(
    buyer: Caller, order: Order, settings: Any
) -> None:
    settings.VAT_REGISTERED = "GB:GB980780684, ch:CHE-100.155.212, NO:NO995525828MVA"

    for country, rate in (("GB", "20.00"), ("CH", "8.10"), ("NO", "25.00")):
        assert VatRate.objects.filter(country=country).exists()
        consumer = (country, "destination", rate)
        assert (
            vat_of(buyer, billing_country=country)
            == checked(order, country=country, postcode="1")
            == consumer
        )
    business = {"billing_country": "GB", "vat_number": "GB980780684"}
    assert vat_of(buyer, **business) == ("GB", *OUTSIDE)
    wrong = buyer.post(QUOTE, cart("done_for_you", billing_country="GB", vat_number="GB123456789"))
    assert wrong.json()["errors"][0]["code"] == "vat_number_invalid"
    assert vat_of(buyer, billing_country="US") == ("US", *OUTSIDE)


def test_a_small_business_charges_no_vat_and_says_why(buyer: Caller, settings: Any, vies: Vies) -> None:
    settings.VAT_SMALL_BUSINESS = True
    vies.knows(FRENCH)

    for about in ({"billing_country": "DE"}, {"billing_country": "FR"}):
        vat = buyer.post(QUOTE, cart("done_for_you", **about)).json()["vat"]
        assert (vat["treatment"], vat["rate"]) == ("domestic", "0.00")
        assert "Article 284" in vat["reason"]
    assert vat_of(buyer) == (None, "assumed", "0.00")
    assert vat_of(buyer, billing_country="FR", vat_number=FRENCH) == ("FR", "reverse_charge", "0.00")


def test_vies_is_asked_in_the_sellers_name_and_its_proof_stays(
    order: Order, vies: Vies, settings: Any
) -> None:
    settings.SELLER_VAT_NUMBER = "DE 136 695 976"
    answer = {"isValid": True, "requestIdentifier": "WAPI1", "name": "SA MAISON", "address": "12 RUE\nPARIS"}
    vies.knows(FRENCH, html(json.dumps(answer), content_type="application/json"))

    checked(order, country="FR", postcode="75001", vat_number=FRENCH)

    (request,) = vies.requests
    assert request.path.endswith("?requesterMemberStateCode=DE&requesterNumber=136695976")
    proof = (order.vat_check_reference, order.vat_check_name, order.vat_check_address)
    assert proof == ("WAPI1", "SA MAISON", "12 RUE PARIS")
    page = staff_client("finance").get(f"/admin/orders/order/{order.pk}/change/").content.decode()
    assert "VIES: SA MAISON 12 RUE PARIS" in page


def pay_from(server: StripeServer, order: Order, country: str | None, *, card: str | None = None) -> None:
    begin(order, "card")
    session = server.pay(next(reversed(server.sessions)))
    told = {**session, "customer_details": {"address": {"country": country}}}
    if card:
        charge = {"payment_method_details": {"card": {"country": card}}}
        told["payment_intent"] = {"id": session["payment_intent"], "latest_charge": charge}
    body = server.event("checkout.session.completed", told)
    assert deliver("stripe", body, server.signature(body)) == 200
    work()
    order.refresh_from_db()


@pytest.fixture
def german(api: Api, people: People, site: Site, stripe_server: StripeServer) -> Order:
    """To somebody who typed Germany."""
    return buy(
        api, {"product": "featured", "listing_id": make_listing(owner=people.owner).pk}, billing_country="DE"
    )


@pytest.mark.parametrize(("billing", "card"), [("DE", None), ("FR", "DE"), (None, None), ("de", "DE")])
def test_two_that_agree_are_enough(
    german: Order, stripe_server: StripeServer, billing: str | None, card: str | None
) -> None:
    pay_from(stripe_server, german, billing, card=card)

    assert money(german) == ("paid", ["paid"])
    assert german.place_evidence["typed"] == "DE"
    assert german.payments.get().charge_reference.startswith("pi_")


def test_an_order_whose_evidence_disagrees_waits_and_its_buyer_is_asked(
    german: Order, stripe_server: StripeServer
) -> None:
    pay_from(stripe_server, german, "FR", card="BE")

    assert money(german) == ("review", ["flagged"])
    assert german.place_evidence == {"typed": "DE", "billing": "FR", "card": "BE"}
    assert "Germany was typed" in german.review_reason
    assert not german.invoices.exists()
    (asked,) = [one for one in mail.outbox if one.subject.startswith("Where are you?")]
    assert "Germany, but your payment or your connection says France and Belgium" in asked.body
    finance = staff_client("finance")
    page = finance.get(f"/admin/orders/order/{german.pk}/change/").content.decode()
    assert "Card from" in page
    assert finance.post(f"/admin/orders/order/{german.pk}/accept/").status_code == 302
    work()
    assert money(german) == ("paid", ["paid"])
    assert german.invoices.get().vat_country == "DE"


def test_a_business_is_where_its_number_is(german: Order, stripe_server: StripeServer) -> None:
    Order.objects.filter(pk=german.pk).update(vat_number=FRENCH, vat_number_status="valid")

    pay_from(stripe_server, german, "US", card="US")

    assert money(german) == ("paid", ["paid"])
