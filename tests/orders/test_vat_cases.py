"""Forty cases of VAT through HTTP: areas, registrations, evidence that disagrees, refunds across quarters."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct
from directory.models import Listing
from orders import checkout, links, refunding
from orders.ledger.returns import Quarter
from orders.models import Order, Payment, Refund, VatArea, VatRate, VatRegistration
from orders.quoting import decide_vat
from orders.vat import NO_NUMBER
from tests.conftest import Api, Caller, People
from tests.factories.staff import fresh, staff_client
from tests.orders.conftest import Vies, cart
from tests.orders.paying import begin, buy, choose, deliver, money, pay, work
from tests.orders.test_quote_order import QUOTE
from tests.orders.test_returns import table
from tests.servers.stripe_server import StripeServer

FRENCH, BRITISH = "FR40303265045", "GB980780684"
WHO = {"email": "ana@buyer.example", "name": "Ana", "address": "Street 1", "city": "Town"}
REGISTRATIONS = "/admin/orders/vatregistration/"
NONE, OSS, HOME, REVERSE = "outside_scope 0.00", "destination", "domestic", "FR reverse_charge 0.00"
# country, postcode, VAT number, whose VAT
AREAS = (
    ("MC", "98000", "", f"FR {OSS} 20.00"),
    ("MC", "98000", FRENCH, REVERSE),
    ("IM", "IM1 1AA", "", f"GB {NONE}"),
    ("GB", "BT1 1AA", "", f"GB {NONE}"),
    ("ES", "35001", "", f"IC {NONE}"),
    ("ES", "38 001", "", f"IC {NONE}"),
    ("ES", "51001", "", f"EA {NONE}"),
    ("ES", "52001", "", f"EA {NONE}"),
    ("ES", "28001", "", f"ES {OSS} 21.00"),
    ("PT", "9000-010", "", f"PT {OSS} 22.00"),
    ("PT", "9500-011", "", f"PT {OSS} 16.00"),
    ("PT", "4050-031", "", f"PT {OSS} 23.00"),
    ("DE", "27498", "", f"XH {NONE}"),
    ("DE", "78266", "", f"CH {NONE}"),
    ("DE", "10115", "", f"DE {HOME} 19.00"),
    ("IT", "23041", "", f"XL {NONE}"),
    ("IT", "22061", "", f"XC {NONE}"),
    ("GR", "63086", "", f"XT {NONE}"),
    ("GR", "105 63", "", f"GR {OSS} 24.00"),
    ("FI", "22100", "", f"AX {NONE}"),
    ("FI", "00100", "", f"FI {OSS} 25.50"),
    ("FR", "97133", "", f"BL {NONE}"),
    ("FR", "97100", "", f"GP {NONE}"),
    ("FR", "97200", "", f"MQ {NONE}"),
    ("FR", "97300", "", f"GF {NONE}"),
    ("FR", "97400", "", f"RE {NONE}"),
    ("FR", "97600", "", f"YT {NONE}"),
    ("AT", "6691", "", f"AT {OSS} 19.00"),
    ("AT", "6993", "", f"AT {OSS} 19.00"),
    ("AT", "1010", "", f"AT {OSS} 20.00"),
)
REGISTERED = (
    ("GB", "SW1A 1AA", "", f"GB {OSS} 20.00"),
    ("IM", "IM1 1AA", "", f"GB {OSS} 20.00"),
    ("CH", "8001", "", f"CH {OSS} 8.10"),
    ("DE", "78266", "", f"CH {OSS} 8.10"),
    ("NO", "0150", "", f"NO {OSS} 25.00"),
    ("GB", "SW1A 1AA", BRITISH, f"GB {NONE}"),
    ("US", "10001", "", f"US {NONE}"),
)
SMALL = (
    ("DE", "10115", "", f"DE {HOME} 0.00"),
    ("FR", "75001", "", f"FR {HOME} 0.00"),
    ("FR", "75001", FRENCH, REVERSE),
)
# typed, the billing address's, the card's; what the money is then
EVIDENCE = (
    ("DE", "DE", None, "paid"),
    ("DE", "FR", "DE", "paid"),
    ("DE", None, None, "paid"),
    ("DE", "de", "DE", "paid"),
    ("DE", "FR", "BE", "review"),
    ("DE", None, "PT", "review"),
    ("MC", "FR", None, "paid"),
)
# the buyer, what goes back, and of the later quarter: the part it is in, before VAT, VAT
REFUNDS = (
    ({"billing_country": "FR"}, 5880, "oss", ("-49.00", "-9.80")),
    ({"billing_country": "FR"}, 2940, "oss", ("-24.50", "-4.90")),
    ({"billing_country": "FR", "vat_number": FRENCH}, 4900, "recapitulative", ("-49.00", None)),
)


def vat_of(caller: Caller, **about: str) -> str:
    vat = caller.post(QUOTE, cart("done_for_you", **about)).json()["vat"]
    return f"{vat['country']} {vat['treatment']} {vat['rate']}"


def checked(order: Order, **about: str) -> str:
    """What the checkout page stores for somebody there."""
    path = f"/{links.checkout_url(order).split('/', 3)[3]}"
    answer = Client().post(path, {**WHO, "act": "check", **about})
    assert answer.status_code == 200, answer.content
    order.refresh_from_db()
    return f"{order.vat_country} {order.vat_treatment} {order.vat_rate:.2f}"


def played(order: Order, cases: Any) -> list[Any]:
    return [
        (country, postcode, number, checked(order, country=country, postcode=postcode, vat_number=number))
        for country, postcode, number, _ in cases
    ]


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
def order(api: Api, live: Listing) -> Order:
    return buy(api, {"product": "ai_review", "listing_id": live.pk})


def test_areas_have_rules_of_their_own_in_quote_and_checkout(buyer: Caller, order: Order, vies: Vies) -> None:
    vies.knows(FRENCH)

    assert played(order, AREAS) == list(AREAS)
    for country in ("MC", "IM", "GP", "AX"):
        assert vat_of(buyer, billing_country=country) == checked(order, country=country, postcode="00000")
    assert vat_of(buyer, billing_country="MC", vat_number=FRENCH) == REVERSE


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
        assert checked(order, **german) == "DE domestic 19.00"
    assert finance.post(f"{page}add/", row | percent).status_code == 302
    assert finance.post(f"{page}add/", row | percent).status_code == 200  # once a day
    assert checked(order, **german) == "DE domestic 7.00"
    assert checked(order, country="DE", postcode="83472") == "DE domestic 19.00"
    assert "Germany 7%" in finance.get(page, {"q": "de"}).content.decode()

    area = VatArea.objects.get(begins="83471", valid_from=yesterday)
    assert staff_client("moderator").post(f"{page}{area.pk}/withdraw/").status_code == 403
    assert "Withdraw DE 83471: Germany 7%?" in finance.get(f"{page}{area.pk}/withdraw/").content.decode()
    assert finance.post(f"{page}{area.pk}/withdraw/").status_code == 302
    assert finance.post(f"{page}{area.pk}/withdraw/").status_code == 404
    assert checked(order, **german) == "DE domestic 19.00"
    assert StaffAct.objects.filter(act="vat.edit", said__startswith="withdrew the area").count() == 1


def test_registrations_are_dated_rows_that_staff_add_and_withdraw(
    buyer: Caller, order: Order, vies: Vies
) -> None:
    finance, day = staff_client("finance"), timezone.now().date()
    row = {"country": "gb", "number": BRITISH, "valid_from": day, "source": "HMRC"}
    for wrong in (
        {"country": "QQ"},
        {"country": "FR", "number": FRENCH},
        {"country": "US"},
        {"number": ""},
        {"number": "GB123456789"},
        {"is_small": "on", "number": ""},
        {"country": "DE", "is_small": "on"},
        {"valid_until": day - timedelta(days=1)},
    ):
        assert finance.post(f"{REGISTRATIONS}add/", row | wrong).status_code == 200, wrong
    over = {"valid_from": day - timedelta(days=9), "valid_until": day - timedelta(days=1)}
    assert finance.post(f"{REGISTRATIONS}add/", row | over).status_code == 302
    assert vat_of(buyer, billing_country="GB") == f"GB {NONE}"

    for more in (
        {},
        {"country": "CH", "number": "CHE-100.155.212 MWST"},
        {"country": "NO", "number": "995525828MVA"},
    ):
        assert finance.post(f"{REGISTRATIONS}add/", row | more).status_code == 302, more
    assert finance.post(f"{REGISTRATIONS}add/", row).status_code == 200  # once a day
    assert played(order, REGISTERED) == list(REGISTERED)
    wrong = buyer.post(QUOTE, cart("done_for_you", billing_country="GB", vat_number="GB123456789"))
    assert wrong.json()["errors"][0]["code"] == "vat_number_invalid"

    vies.knows(FRENCH)
    small = {"country": "DE", "number": "", "is_small": "on"}
    assert finance.post(f"{REGISTRATIONS}add/", row | small).status_code == 302
    assert played(order, SMALL) == list(SMALL)
    assert (
        "Article 284" in buyer.post(QUOTE, cart("done_for_you", billing_country="DE")).json()["vat"]["reason"]
    )
    assert vat_of(buyer) == "None assumed 0.00"

    checked(order, country="GB", postcode="SW1A 1AA")
    assert pay(order).invoices.get().document["seller"]["vat_number"] == BRITISH
    british = VatRegistration.objects.get(country="GB", valid_from=day)
    page = f"{REGISTRATIONS}{british.pk}/withdraw/"
    assert staff_client("moderator").post(page).status_code == 403
    assert f"Withdraw GB {BRITISH}: {BRITISH}?" in finance.get(page).content.decode()
    assert finance.post(page).status_code == 302
    assert "withdrawn" in finance.get(REGISTRATIONS).content.decode()
    assert vat_of(buyer, billing_country="GB") == f"GB {NONE}"


def test_a_registration_and_an_area_hold_through_their_last_day(order: Order) -> None:
    first, last = date(2027, 3, 1), date(2027, 3, 31)
    dated = {"valid_from": first, "valid_until": last, "source": "Gazette", "entered_at": timezone.now()}
    VatRegistration.objects.create(country="GB", number=BRITISH, **dated)
    VatArea.objects.create(inside="DE", begins="83471", code="DE", percent=7, **dated)
    days = [first - timedelta(days=1), first, last, last + timedelta(days=1)]

    british, german = (
        [decide_vat(country=country, postcode="83471", number=NO_NUMBER, on=day).rate for day in days]
        for country in ("GB", "DE")
    )
    assert (british, german) == ([0, 20, 20, 0], [19, 7, 7, 19])


@pytest.mark.parametrize("case", EVIDENCE, ids=str)
def test_two_that_agree_are_enough_and_who_is_gainsaid_is_asked(
    api: Api, live: Listing, stripe_server: StripeServer, case: tuple[Any, ...]
) -> None:
    typed, billing, card, state = case
    order = buy(api, {"product": "featured", "listing_id": live.pk}, billing_country=typed)

    pay_from(stripe_server, order, billing, card=card)

    is_paid = state == "paid"
    assert money(order) == (("paid", ["paid"]) if is_paid else ("review", ["flagged"]))
    told = {"typed": typed, "billing": (billing or "").upper(), "card": card or ""}
    assert order.place_evidence == {source: place for source, place in told.items() if place}
    assert order.payments.get().charge_reference.startswith("pi_")
    assert order.invoices.exists() is is_paid
    assert [one.subject[:14] for one in mail.outbox if one.subject.startswith("Where")] == (
        [] if is_paid else ["Where are you?"]
    )


def test_staff_accept_where_a_buyer_is_and_a_business_is_where_its_number_is(
    api: Api, live: Listing, people: People, stripe_server: StripeServer, vies: Vies
) -> None:
    vies.knows(FRENCH)
    bought = {"product": "featured", "listing_id": live.pk}
    order = buy(api, bought, billing_country="DE")
    pay_from(stripe_server, order, "FR", card="BE")
    assert "Germany was typed" in order.review_reason
    (asked,) = [one.body for one in mail.outbox if one.subject.startswith("Where are you?")]
    assert "Germany, but your payment or your connection says France and Belgium" in asked
    finance = staff_client("finance")
    page = f"/admin/orders/order/{order.pk}"
    assert "Card from" in finance.get(f"{page}/change/").content.decode()
    assert finance.post(f"{page}/accept/").status_code == 302
    work()
    assert money(order) == ("paid", ["paid"])
    assert order.invoices.get().vat_country == "DE"

    business = buy(api, bought, billing_country="FR", vat_number=FRENCH)
    pay_from(stripe_server, business, "US", card="US")
    assert money(business) == ("paid", ["paid"])


@pytest.mark.parametrize("case", REFUNDS, ids=str)
def test_a_refund_is_in_the_return_of_its_own_quarter_and_says_which_it_corrects(
    api: Api, live: Listing, vies: Vies, case: tuple[Any, ...]
) -> None:
    about, cents, kind, sums = case
    vies.knows(FRENCH)
    order = buy(api, {"product": "featured", "listing_id": live.pk}, **about)
    payment = begin(order)
    Payment.objects.filter(pk=payment.pk).update(test_money=False)
    choose(payment, "pay")
    first = Quarter.of(order.invoices.get().issued_on)
    sold = table(staff_client("finance"), first, kind)

    finance = fresh(staff_client("finance", name="ada"))
    sent = {
        "line": order.lines.get().pk,
        "amount": f"{cents / 100:.2f}",
        "cents": cents,
        "reason": "Not needed",
    }
    assert finance.post(f"/admin/orders/order/{order.pk}/refund/", sent).status_code == 302
    refunding.carry_out(refund_id=str(Refund.objects.get().pk), at=timezone.now() + timedelta(days=100))
    later = Quarter.of(order.invoices.get(kind="credit_note").issued_on)
    assert str(later) > str(first)
    assert table(finance, first, kind) == sold != []
    (row,) = table(finance, later, kind)
    columns = ("taxable_amount", "vat_amount") if kind == "oss" else ("net", "missing")
    assert tuple(row.get(column) for column in columns) == sums
    assert row["corrects_period"] == str(first)


@pytest.mark.parametrize(("hour", "rate"), [(22, 21), (23, 25)])
def test_a_rate_holds_from_the_sellers_day(
    api: Api, live: Listing, settings: Any, hour: int, rate: int
) -> None:
    settings.SELLER_COUNTRY = "BE"
    new = {"percent": 25, "valid_from": date(2027, 1, 1), "source": "-", "entered_at": timezone.now()}
    VatRate.objects.create(country="BE", **new)
    order = buy(api, {"product": "ai_review", "listing_id": live.pk}, billing_country="BE")

    checkout.reprice_from_order(order=order, at=datetime(2026, 12, 31, hour, 30, tzinfo=UTC))
    assert order.vat_rate == rate
