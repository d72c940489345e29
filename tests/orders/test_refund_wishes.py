"""Asking for a refund on the page of a paid order: staff's row, a mail, and twice is once."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from directory.models import Listing
from orders.fulfil import close_task
from orders.links import checkout_url
from orders.models import Order, Payment, StaffTask
from orders.refunding import ask_for_refund, refund
from tests.conftest import Api, People, signed_in
from tests.factories.orders import set_price
from tests.orders.paying import buy, pay, work
from tests.orders.test_checkout_pages import told


@pytest.fixture
def order(api: Api, draft: Listing) -> Order:
    set_price("launch", 9900)
    set_price("done_for_you", 19900)
    items = (
        {"product": "launch", "listing_id": draft.pk},
        {"product": "done_for_you", "listing_id": draft.pk},
    )
    return pay(buy(api, *items, billing_country="US"))


def wishes() -> list[tuple[str, str]]:
    rows = StaffTask.objects.filter(kind="refund", closed_at=None).order_by("line__position")
    return list(rows.values_list("line__product", "detail"))


def letters() -> list[Any]:
    work()
    return [message for message in mail.outbox if "We got your refund request" in message.subject]


def test_a_wish_opens_a_row_for_staff_once_and_is_mailed(order: Order, me: Client, people: People) -> None:
    address = f"/account/orders/{order.number}"
    launch = order.lines.get(product="launch")
    page = told(me.get(address))
    assert ("Launch, €99.00" in page, "Done for you, €199.00" in page) == (True, True)

    for _ in range(2):
        answer = me.post(f"{address}/refund", {"line": launch.pk, "why": "Wrong product"}, follow=True)
        assert "We got your request for €99.00." in told(answer)

    assert wishes() == [("launch", "Asks for €99.00. Wrong product")]
    (letter,) = letters()
    assert letter.to == [people.owner.email]
    assert f"You asked for €99.00 back from order {order.number}: Launch." in letter.body
    assert "You asked for €99.00 back." in told(answer)
    assert "Ask for €199.00 back" in told(answer)


def test_a_wish_is_as_old_as_its_first_press_and_is_told_once(order: Order) -> None:
    line, at = order.lines.get(product="launch"), timezone.now()
    for days, why in enumerate(("Wrong product", "I wait")):
        wish = {"line_ids": [line.pk], "why": why, "by": f"user:{order.owner_id}"}
        assert ask_for_refund(order_id=order.pk, **wish, at=at + timedelta(days=days)) == 9900

    assert wishes() == [("launch", "Asks for €99.00. Wrong product")]
    assert StaffTask.objects.get(kind="refund").opened_at == at
    assert (len(letters()), order.events.filter(kind="refund_asked").count()) == (1, 1)


def test_whoever_holds_the_link_may_ask_too(order: Order) -> None:
    link = "/" + checkout_url(order).split("/", 3)[3]
    keys = list(order.lines.values_list("pk", flat=True))

    answer = Client().post(f"{link}/refund", {"line": keys}, follow=True)

    assert [product for product, _ in wishes()] == ["launch", "done_for_you"]
    assert "You asked for €298.00 back." in told(answer)
    assert len(letters()) == 1
    assert Client().post(f"{link[:-1]}x/refund", {"line": keys}).status_code == 404


def test_what_cannot_be_asked_for_opens_nothing(
    order: Order, me: Client, people: People, api: Api, draft: Listing
) -> None:
    stranger = signed_in(people.stranger)
    key = order.lines.get(product="launch").pk
    address = f"/account/orders/{order.number}/refund"
    assert stranger.post(address, {"line": key}).status_code == 404
    assert me.get(address).status_code == 405
    for lines in ([], ["nothing"], [key + 1000], ["٣"]):
        answer = me.post(address, {"line": lines}, follow=True)
        assert "There is nothing to refund for this." in told(answer), lines
    Order.objects.update(status="disputed")
    assert "Ask for a refund" not in told(me.get(address.removesuffix("/refund")))
    me.post(address, {"line": key})

    assert (wishes(), letters()) == ([], [])


def test_a_refund_ends_the_wish_and_a_closed_one_can_be_asked_anew(
    order: Order, me: Client, people: People
) -> None:
    address = f"/account/orders/{order.number}/refund"
    launch = order.lines.get(product="launch")
    me.post(address, {"line": launch.pk})
    task = StaffTask.objects.get(kind="refund")
    close_task(task_id=task.pk, result="Please tell us why.", staff_id=people.staff.pk, at=timezone.now())
    assert wishes() == []

    me.post(address, {"line": launch.pk, "why": "Bought twice"})
    assert wishes() == [("launch", "Asks for €99.00. Bought twice")]
    payment = Payment.objects.get(order=order)
    refund(
        payment_id=payment.pk,
        line_id=launch.pk,
        amount_cents=5000,
        reason="Half",
        staff_id=people.staff.pk,
        at=timezone.now(),
    )
    work()

    task.refresh_from_db()
    assert (wishes(), task.result) == ([], "€50.00 refunded.")


def test_the_terms_say_withdrawal_and_refund(order: Order) -> None:
    page = Client().get("/terms")
    text = told(page)

    assert "within 14 days" in text
    assert "Directive 2011/83/EU" in text
    assert "Ask for a refund" in text
    assert '<h2 id="refunds">Refunds</h2>' in page.content.decode()
