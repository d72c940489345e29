"""Promo codes: why one cannot be used, how often wrong ones may be tried, and that no use is given twice."""

from datetime import UTC, datetime, timedelta
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from directory.models import Listing, Site
from orders import places, promos, settle
from orders.errors import PromoRefusedError
from orders.models import Order, PromoCode, PromoUse, SlotHold
from orders.payments import Kind, PaymentEvent
from tests.conftest import Api, Caller, People
from tests.factories.listings import make_listing
from tests.factories.orders import make_order, make_promo
from tests.factories.staff import staff_client
from tests.orders.conftest import cart, codes
from tests.orders.paying import begin, buy
from tests.orders.racing import at_once, race
from tests.orders.test_checkout_pages import post, told
from tests.orders.test_create_checkout import CHECKOUT
from tests.orders.test_quote_order import QUOTE, coming, one


def ask(buyer: Caller, code: str) -> Any:
    return buyer.post(QUOTE, cart("done_for_you", promo_code=code))


def test_every_reason_has_its_code(buyer: Caller, people: People, settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 100
    now = timezone.now()
    used = make_promo("USED1234", percent=5, max_uses=1)
    yours = make_promo("YOURS123", percent=5, max_per_user=1)
    order = Order.objects.get(number=buyer.post(CHECKOUT, cart("done_for_you")).json()["order"]["number"])
    for promo in (used, yours):
        PromoUse.objects.all().delete()
        PromoUse.objects.create(promo=promo, order=order, user=people.owner, state="used", held_until=now)
        assert codes(ask(buyer, promo.code)) == [
            ("/promo_code", "promo_used_up" if promo is used else "promo_used_by_you")
        ]
    make_promo("OFF12345", percent=5, is_active=False)
    make_promo("LATER123", percent=5, starts_at=now + timedelta(hours=1))
    make_promo("OVER1234", percent=5, ends_at=now - timedelta(seconds=1))
    make_promo("OTHER123", percent=5, products=["featured"])
    make_promo("LARGE123", percent=5, min_subtotal_cents=30_000)
    make_promo()
    for code, reason in (
        ("OFF12345", "promo_inactive"),
        ("LATER123", "promo_not_started"),
        ("OVER1234", "promo_expired"),
        ("OTHER123", "promo_wrong_products"),
        ("LARGE123", "promo_min_subtotal"),
        ("launch20", "promo_unknown"),
        (" LAUNCH20", "promo_unknown"),
        ("LAUNCH20 ", "promo_unknown"),
    ):
        answer = ask(buyer, code)
        assert (answer.json()["code"], codes(answer)) == (reason, [("/promo_code", reason)])
    assert ask(buyer, "LAUNCH20").json()["promo"] == {
        "code": "LAUNCH20",
        "description": "20% off",
        "discount_cents": 5980,
    }


def test_after_five_wrong_tries_the_right_one_waits_too(api: Api, buyer: Caller, people: People) -> None:
    make_promo()
    assert [ask(buyer, f"WRONG{number}").status_code for number in range(5)] == [400] * 5

    right = ask(buyer, "LAUNCH20")

    body = right.json()
    assert (right.status_code, body["error"], body["policy"]) == (429, "rate_limited", "promo")
    assert body["message"].endswith(" seconds. Counted: Promo codes of one person that cannot be used.")
    assert int(right["Retry-After"]) == body["retry_after"] >= 1
    assert (body["limit"], body["remaining"], body["window_seconds"]) == (5, 0, 900)
    assert right["RateLimit"] == f'"promo";r=0;t={body["retry_after"]}'
    assert right["RateLimit-Policy"] == '"promo";q=5;w=900'
    assert buyer.post(QUOTE, cart("done_for_you")).status_code == 200
    assert ask(api("all", user=people.stranger), "LAUNCH20").status_code == 200


def test_a_code_takes_off_only_what_it_is_for(buyer: Caller, live: Listing) -> None:
    make_promo("HALF1234", percent=50, products=["featured"])

    body = buyer.post(
        QUOTE, cart(one("featured", live), one("ai_review", live), promo_code="HALF1234")
    ).json()

    assert [line["discount_cents"] for line in body["lines"]] == [2450, 0]
    assert body["promo"]["description"] == "50% off Featured listing"


def test_a_code_is_good_from_its_first_moment_until_just_before_its_last(site: Site) -> None:
    begins = datetime(2027, 3, 1, 8, tzinfo=UTC)
    make_promo("MARCH123", percent=10, starts_at=begins, ends_at=begins + timedelta(hours=1))
    finance = staff_client("finance")

    def said(moment: str) -> str:
        query = {"products": "featured", "code": "MARCH123", "moment": f"2027-03-01T{moment}"}
        page = finance.get("/admin/orders/productprice/prices/", query)
        return str(page.context["tried"]["refusal"])

    assert (said("08:00"), said("08:59")) == ("", "")
    assert "is good from 1 March 2027 08:00" in said("07:59")
    assert "expired on 1 March 2027 09:00" in said("09:00")


def test_the_least_sum_is_of_what_the_code_is_for(buyer: Caller, live: Listing) -> None:
    items = (one("featured", live), one("ai_review", live))  # 49.00 and 19.00
    make_promo("FEW12345", percent=50, products=["featured"], min_subtotal_cents=4900)
    make_promo("MORE1234", percent=50, products=["featured"], min_subtotal_cents=4901)

    few = buyer.post(QUOTE, cart(*items, promo_code="FEW12345"))
    more = buyer.post(QUOTE, cart(*items, promo_code="MORE1234"))

    assert few.json()["discount_cents"] == 2450
    assert codes(more) == [("/promo_code", "promo_min_subtotal")]


def orders_with(promo: PromoCode, number: int, site: Site) -> list[Order]:
    """So many pending orders of different people, each with the code."""
    return [
        make_order(site, owner=User.objects.create_user(f"b{n}@people.example"), promo=promo)
        for n in range(number)
    ]


def refusal_at(promo: PromoCode, *, at: datetime) -> str | None:
    """Why somebody new could not use the code at a moment."""
    refusal = promos.refusal_of(promo, user_id=None, items=(), at=at)
    return refusal.code if refusal else None


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_get_two_uses(site: Site) -> None:
    promo = make_promo("TWO12345", percent=10, max_uses=2)

    assert race(orders_with(promo, 20, site), refusal=PromoRefusedError) == 2
    assert PromoUse.objects.filter(state="held").count() == 2


@pytest.mark.django_db(transaction=True)
def test_who_comes_too_late_for_the_last_use_reads_the_new_total(api: Api, people: People) -> None:
    make_promo("LAST1234", percent=50, max_uses=1)
    listing = make_listing("brindle", owner=people.owner)
    orders = [
        buy(api, {"product": "featured", "listing_id": listing.pk}, promo_code="LAST1234") for _ in range(8)
    ]
    for order in orders:
        post(order, "check", promo_code="LAST1234")

    pages = at_once([partial(post, order, promo_code="LAST1234") for order in orders])

    assert sorted(page.status_code for page in pages) == [200] * 7 + [303]
    for page in pages:
        late = "The code LAST1234 no longer works, so we took it off. The total is now €60.27; it was €30.14."
        assert page.status_code == 303 or late in told(page)


@pytest.mark.django_db
def test_a_use_comes_back_unless_it_was_paid_with(site: Site) -> None:
    now = timezone.now()
    promo = make_promo("ONE12345", percent=10, max_uses=1)
    first, second = orders_with(promo, 2, site)
    until = now + timedelta(minutes=35)

    for _ in range(2):  # again prolongs, and is no second use
        places.reserve_for_payment(order=first, until=until, at=now)
    with pytest.raises(PromoRefusedError):
        places.reserve_for_payment(order=second, until=until, at=now)
    assert refusal_at(promo, at=until - timedelta(seconds=1)) == "promo_used_up"
    assert refusal_at(promo, at=until) is None  # nobody paid in time
    places.release_reservations(order=first)
    places.reserve_for_payment(order=second, until=until, at=now)
    places.confirm_reservations(order=second, at=now)
    places.release_reservations(order=second)
    with pytest.raises(PromoRefusedError):
        places.reserve_for_payment(order=first, until=until, at=until + timedelta(days=9))


@pytest.mark.django_db
def test_codes_from_the_shell() -> None:
    out = StringIO()
    call_command(
        "create_promo_code",
        "SHELL123",
        "--percent=12.5",
        "--max-uses=3",
        "--max-per-user=1",
        "--from=2026-01-01T00:00:00Z",
        "--until=2027-01-01T00:00:00Z",
        "--products=launch,featured",
        stdout=out,
    )

    promo = PromoCode.objects.get()
    assert out.getvalue().startswith("SHELL123: 12.5% off")
    assert (promo.max_uses, promo.max_per_user, promo.products) == (3, 1, ["launch", "featured"])
    for wrong in (
        ["SHELL123", "--percent=5"],
        ["OTHER123", "--percent=101"],
        ["OTHER123", "--percent=0"],
        ["OTHER123", "--percent=x"],
        ["OTHER123", "--percent=5", "--max-uses=0"],
        ["OTHER123", "--amount-cents=0"],
        ["OTHER123", "--percent=5", "--products=nonsense"],
        ["OTHER123", "--percent=5", "--from=2027-01-01T00:00:00Z", "--until=2026-01-01T00:00:00Z"],
        ["OTHER123"],
    ):
        with pytest.raises(CommandError) as refusal:
            call_command("create_promo_code", *wrong)
        assert "promo_percent_or_amount" not in str(refusal.value)  # a rule in words, not by its name
    assert PromoCode.objects.count() == 1


def test_money_on_its_way_keeps_its_place_and_use_when_the_code_has_ended_since(
    api: Api, people: People
) -> None:
    at = timezone.now()
    make_promo("MAYBE123", percent=10, ends_at=at + timedelta(minutes=2), max_uses=1)
    listing = make_listing(owner=people.owner, status="draft")
    item = {"product": "launch", "listing_id": listing.pk, "week": coming(2)}
    payment = begin(buy(api, item, promo_code="MAYBE123"))
    on_its_way = PaymentEvent(kind=Kind.PROCESSING, ref=str(payment.pk))

    settle.settle(payment_id=str(payment.pk), event=on_its_way, at=at + timedelta(minutes=10))
    rows = (SlotHold.objects.get(), PromoUse.objects.get())
    assert {row.held_until for row in rows} == {at + timedelta(hours=72, minutes=10)}
