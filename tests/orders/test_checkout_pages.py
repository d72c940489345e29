"""The page behind an order's link, from review to receipt, as somebody uses it who is signed in nowhere."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from claims.ownership.owning import give_to
from directory.models import Launch, Listing
from directory.weeks import WEEK, week_of
from orders.errors import OrderCannotMoveError
from orders.links import checkout_url
from orders.models import LaunchWeek, Order, Payment, SlotHold
from orders.paying import cancel_order, expire_order
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.orders import make_promo, set_price
from tests.orders.paying import begin, buy, choose, lines, money, work

BUYER = {
    "email": "ines@brindle.example",
    "name": "Inês Prado",
    "company": "Brindle Lda",
    "address": "Rua do Almada 112",
    "postcode": "4050-031",
    "city": "Porto",
    "country": "PT",
    "vat_number": "",
    "promo_code": "",
    "method": "test",
    "terms": "on",
}


@pytest.fixture
def order(api: Api, draft: Listing) -> Order:
    set_price("launch", 9900)
    set_price("done_for_you", 19900)
    return buy(
        api,
        {"product": "launch", "listing_id": draft.pk},
        {"product": "done_for_you", "options": {"website": "https://tidewell.com/"}},
    )


def link(order: Order) -> str:
    return "/" + checkout_url(order).split("/", 3)[3]


def post(order: Order, act: str = "pay", **changes: Any) -> Any:
    """The form as it stands, with the total that the page shows now."""
    order.refresh_from_db()
    return Client().post(link(order), {**BUYER, "total": order.total_cents, "act": act, **changes})


def told(response: Any) -> str:
    """What a page says, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def pay(order: Order, **changes: Any) -> Any:
    """Agree to what the page shows, then pay with test money; the page that one comes back to."""
    post(order, "check", **changes)
    started = post(order, **changes)
    assert started.status_code == 303, told(started)
    address = started["Location"].split("/", 3)[3]
    back = Client().post(f"/{address}", {"choice": "pay"})
    work()
    order.refresh_from_db()
    return back


def test_an_order_is_reviewed_paid_and_receipted(order: Order, people: People) -> None:
    page = Client().get(link(order))
    text = told(page)

    assert "Test money. No real payment provider is connected, so nothing will be charged." in text
    assert "Pay €354.62 with test money" in text  # 29800 with 19% VAT of the seller's country
    assert "€298.00 and €56.62 VAT (19%). VAT of Germany, until you choose your country." in text
    assert people.owner.email not in text
    assert (page["Cache-Control"], page["X-Robots-Tag"]) == ("private, no-store", "noindex, nofollow")
    assert page["Referrer-Policy"] == "same-origin"
    assert "script-src 'self'" in page["Content-Security-Policy"]
    assert not re.search(r'name="[^"]*(card|cvc|iban|expir)', page.content.decode())

    changed = post(order)
    assert "The total is now €366.54; it was €354.62. Nothing was charged. Press Pay if that’s fine." in told(
        changed
    )
    assert Payment.objects.count() == 0

    started = post(order)
    assert (started.status_code, "/pay/test/" in started["Location"]) == (303, True)
    assert post(order)["Location"] == started["Location"]  # pressed twice
    back = Client().post("/" + started["Location"].split("/", 3)[3], {"choice": "pay"})
    assert back["Location"].endswith(link(order) + "/back")
    assert "Confirming your payment" in told(Client().get(link(order) + "/back"))
    work()

    assert Client().get(link(order) + "/back")["Location"].endswith(link(order))
    receipt = told(Client().get(link(order)))
    order.refresh_from_db()
    assert "Paid. Here’s your receipt" in receipt
    assert "Test money. Nothing was charged." in receipt
    assert (order.status, order.test_money, lines(order)[0]) == ("paid", True, ("launch", "done"))
    paid = [
        message for message in mail.outbox if message.subject == f"[Test money] Order {order.number} is paid"
    ]
    assert {message.to[0] for message in paid} == {BUYER["email"], people.owner.email}
    assert all(link(order) in message.body and "TEST MONEY" in message.body for message in paid)


def test_everything_that_lacks_is_named_and_nothing_begins(order: Order) -> None:
    page = Client().post(link(order), {"act": "pay", "total": order.total_cents})
    text = told(page)

    assert (page.status_code, Payment.objects.count()) == (400, 0)
    for label in ("E-mail for the receipt", "Name", "Street and number", "Postal code", "City"):
        assert f"{label}: Fill this in." in text
    assert "Choose a country." in text
    assert "Please agree, so that we can start" in text
    assert "<title>Error:" in page.content.decode()


VAT_CASES = [
    ("FR", "FR40303265045", ("valid", 29800), "FR40303265045 is valid"),
    ("FR", "FR23334175221", ("invalid", 35760), "isn’t registered for trade within the EU"),
    ("US", "", ("none", 29800), "United States: no EU VAT."),
    ("FI", "", ("none", 37399), "VAT 25.5%"),
]


def test_vat_follows_the_country_and_the_number(order: Order, vies: Any) -> None:
    vies.knows("FR40303265045")

    for country, number, expected, words in VAT_CASES:
        page = post(order, "check", country=country, vat_number=number)
        order.refresh_from_db()
        assert (order.vat_number_status, order.total_cents) == expected
        assert words in told(page)


def test_parts_of_countries_have_rules_of_their_own(order: Order) -> None:
    post(order, "check", country="ES", postcode="35001", city="Las Palmas")
    order.refresh_from_db()

    assert (order.billing_country, order.vat_country, order.vat_cents) == ("ES", "IC", 0)


def test_a_number_that_is_none_is_refused_and_nothing_changes(order: Order) -> None:
    before = order.total_cents

    page = post(order, "check", vat_number="PT50123")

    order.refresh_from_db()
    assert (page.status_code, order.total_cents, order.billing_name) == (400, before, "")
    assert "This isn&#x27;t a VAT number" in told(page)
    assert 'value="Rua do Almada 112"' in page.content.decode()


def test_a_code_is_tried_used_and_taken_off_when_it_dies(order: Order) -> None:
    promo = make_promo("LAUNCH20", percent=20)
    refused = post(order, "check", promo_code="launch20")
    assert (refused.status_code, "There is no such code" in told(refused)) == (400, True)

    post(order, "check", country="DE", promo_code="LAUNCH20")
    order.refresh_from_db()
    assert (order.discount_cents, order.total_cents) == (5960, 28370)

    type(promo).objects.update(is_active=False)
    page = post(order, country="DE", promo_code="LAUNCH20")
    order.refresh_from_db()
    assert "The code LAUNCH20 no longer works, so we took it off." in told(page)
    assert "The total is now €354.62; it was €283.70." in told(page)
    assert (order.discount_cents, Payment.objects.count()) == (0, 0)


def test_wrong_codes_are_limited(order: Order) -> None:
    answers = [post(order, "check", promo_code=f"GUESS{number}").status_code for number in range(12)]

    assert answers[0] == 400
    assert answers[-1] == 429


@pytest.mark.parametrize("method", ["", "test"])  # the second from a page that was opened before the code
def test_an_order_of_nothing_needs_no_provider(order: Order, method: str) -> None:
    make_promo("ALLOFIT", percent=100)
    post(order, "check", promo_code="ALLOFIT")
    done = post(order, promo_code="ALLOFIT", method=method)
    work()

    order.refresh_from_db()
    assert (done.status_code, order.status, order.test_money) == (303, "paid", False)
    assert order.invoices.get().number.startswith("INV-")


def test_a_form_without_the_codes_field_leaves_the_code_of_the_order(order: Order) -> None:
    make_promo("ALLOFIT", percent=100)
    post(order, "check", promo_code="ALLOFIT")
    agreed = {name: value for name, value in BUYER.items() if name not in ("promo_code", "method")}

    Client().post(link(order), {**agreed, "total": 0, "act": "pay"})

    order.refresh_from_db()
    assert (order.status, order.total_cents) == ("paid", 0)


def test_a_week_that_filled_up_is_told_and_another_one_taken(api: Api, draft: Listing) -> None:
    at = timezone.now()
    first = week_of(at) + WEEK
    order = buy(api, {"product": "launch", "listing_id": draft.pk, "week": first.isoformat()})
    LaunchWeek.objects.update_or_create(site=order.site, week=first, defaults={"capacity": 0})
    post(order, "check")
    page = post(order)
    line = order.lines.get()
    assert "filled up before you paid" in told(page)
    assert (Payment.objects.count(), SlotHold.objects.count()) == (0, 0)

    started = post(order, **{f"week-{line.pk}": (first + WEEK).isoformat()})
    line.refresh_from_db()
    assert (started.status_code, line.week) == (303, first + WEEK)
    assert SlotHold.objects.get().week == first + WEEK


def test_a_full_week_that_the_listing_is_in_already_can_be_changed(api: Api, people: People) -> None:
    listing = make_listing("harbour", owner=people.owner)
    first = week_of(timezone.now()) + WEEK
    order = buy(api, {"product": "relaunch", "listing_id": listing.pk, "week": first.isoformat()})
    Launch.objects.create(site=order.site, listing=listing, week=first, kind="paid", booked_at=timezone.now())
    assert "is in the week of" in told(Client().get(link(order)))
    LaunchWeek.objects.update_or_create(site=order.site, week=first, defaults={"capacity": 1})
    LaunchWeek.objects.update_or_create(site=order.site, week=first + WEEK, defaults={"capacity": 0})
    page = Client().get(link(order))
    assert "filled up before you paid" in told(page)
    assert f'value="{first}"' not in page.content.decode()

    chosen = first + 2 * WEEK
    post(order, "check")
    started = post(order, **{f"week-{order.lines.get().pk}": chosen.isoformat()})
    assert (started.status_code, order.lines.get().week) == (303, chosen)


def test_declined_and_given_up_payments_can_be_tried_again(order: Order) -> None:
    post(order, "check")
    address = "/" + post(order)["Location"].split("/", 3)[3]
    canceled = Client().post(address, {"choice": "cancel"})["Location"]
    assert "You came back without paying. Nothing was charged." in told(Client().get(canceled))

    Client().post(address, {"choice": "decline"})
    work()
    assert "The payment didn’t go through. Nothing was charged." in told(Client().get(link(order)))
    assert pay(order)["Location"].endswith("/back")
    assert order.status == "paid"


def test_a_total_that_changes_ends_the_payment_that_was_begun(order: Order) -> None:
    post(order, "check")
    post(order)
    page = post(order, country="US")

    assert "Nothing was charged." in told(page)
    assert Payment.objects.get().status == "canceled"


def test_links_that_are_over_say_so_and_made_up_ones_lead_nowhere(order: Order) -> None:
    number, signature = link(order).split("/")[2:]
    assert Client().get(f"/checkout/{number}/{signature[:-1]}x").status_code == 404
    assert Client().get(f"/checkout/PL-00000000/{signature}").status_code == 404

    Order.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    assert "This order has expired" in told(Client().get(link(order)))
    assert "This order has expired" in told(post(order))
    Order.objects.update(expires_at=timezone.now() + timedelta(days=1))
    cancel_order(order_id=order.pk, by="buyer", at=timezone.now())
    assert "This order was cancelled" in told(Client().get(link(order)))


@pytest.mark.parametrize(
    ("act", "payments", "money_is"),
    [
        ("", [], "Nothing was charged."),
        ("", ["started"], "If you have paid, nothing is lost: we’ll look at it and write to you."),
        ("check", ["started"], "If you have paid, nothing is lost"),
        ("pay", ["started"], "If you have paid, nothing is lost"),
    ],
)
def test_after_a_transfer_the_page_says_so_and_offers_nothing(
    order: Order, people: People, act: str, payments: list[str], money_is: str
) -> None:
    post(order, "check")
    if payments:
        post(order)
    listing = order.lines.get(product="launch").listing
    assert listing is not None
    give_to(
        listing_id=listing.pk,
        owner_id=people.stranger.pk,
        reason="Sold.",
        staff_id=people.staff.pk,
        at=timezone.now(),
    )

    page = post(order, act) if act else Client().get(link(order))

    assert f"{listing.name} is no longer a listing of the account that ordered. {money_is}" in told(page)
    assert not re.search(r"<form|<button|Go on with it|order again", page.content.decode())
    assert money(order) == ("pending", payments)


def test_an_invoice_is_seen_by_those_with_the_link_and_by_the_owner_alone(
    order: Order, people: People
) -> None:
    pay(order)
    number = order.invoices.get().number
    page = Client().get(f"{link(order)}/documents/{number}")
    text = told(page)

    assert re.fullmatch(r"TEST-20\d\d-000001", number)
    for words in (
        "Test money · not an invoice",
        "Brindle Lda",
        "Rua do Almada 112, 4050-031 Porto",
        "€366.54",
    ):
        assert words in text
    owner, stranger = Client(), Client()
    owner.force_login(people.owner)
    stranger.force_login(people.stranger)
    mine = f"/account/orders/{order.number}/invoices/{number}"
    assert [client.get(mine).status_code for client in (owner, stranger, Client())] == [200, 404, 302]
    assert Client().get(f"{link(order)}/documents/TEST-2020-000009").status_code == 404


def test_the_link_stands_in_no_log(order: Order, caplog: Any) -> None:
    Client().get(link(order))
    post(order, "check")

    assert f"/checkout/{order.number}/[secret]" in caplog.text
    assert link(order).rsplit("/", 1)[1] not in caplog.text


def test_whoever_presses_pay_again_holds_the_last_use_of_the_code_already(order: Order) -> None:
    make_promo("ONE12345", percent=10, max_uses=1, max_per_user=1)
    post(order, "check", promo_code="ONE12345")
    pages = [post(order, promo_code="ONE12345") for _ in range(2)]

    assert [page.status_code for page in pages] == [303, 303]
    assert pages[0]["Location"] == pages[1]["Location"]
    assert order.promo_use.state == "held"


def test_money_for_a_total_of_before_is_for_staff_and_nothing_is_done(order: Order) -> None:
    make_promo("HALF1234", percent=50)
    post(order, "check")
    assert post(order).status_code == 303
    former = Payment.objects.get()
    post(order, "check", promo_code="HALF1234")

    choose(former, "pay")

    assert (money(order), former.amount_cents > order.total_cents) == (("review", ["flagged"]), True)
    assert order.review_reason == "The order's total is no longer what was asked for."
    assert {status for _, status in lines(order)} == {"waiting"}


def test_a_payment_page_about_to_end_is_not_handed_out_again(order: Order) -> None:
    first = begin(order)
    again = begin(order, at=first.expires_at - timedelta(minutes=6))
    other = begin(order, at=first.expires_at - timedelta(minutes=2))

    assert (again.pk, again.redirect_url) == (first.pk, first.redirect_url)
    assert other.redirect_url not in {"", first.redirect_url}
    assert money(order) == ("pending", ["canceled", "started"])


def test_an_order_can_be_paid_until_just_before_its_end_and_then_ends(order: Order) -> None:
    end, before = order.expires_at, order.expires_at - timedelta(microseconds=1)
    with pytest.raises(OrderCannotMoveError):
        begin(order, at=end)
    expire_order(order_id=order.pk, at=before)
    assert begin(order, at=before).redirect_url

    expire_order(order_id=order.pk, at=end)
    assert money(order) == ("expired", ["canceled"])
