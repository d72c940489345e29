"""Staff cancel what nobody paid, finish what was paid for, and see disputes and wishes before their time is over."""

import html
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct
from config.staff import queues
from core.models import Job, Mail
from directory import weeks
from directory.models import Site
from orders import fulfil
from orders.models import Order, OrderLine, Payment, PromoUse, SlotHold, StaffTask
from orders.payments import Kind, sandbox
from tests.conftest import Api, People, signed_in
from tests.factories.listings import make_listing
from tests.factories.orders import make_promo
from tests.factories.staff import staff_client
from tests.orders.paying import begin, buy, deliver, lines, money, pay, work

BASE = "/admin/orders"
JOB = {
    "product": "done_for_you",
    "options": {"website": "https://quillon.example/", "note": "Call us Quillon."},
}


def page_of(order: Order, about: str = "change") -> str:
    return f"{BASE}/order/{order.pk}/{about}/"


def read(client: Client, url: str, **sent: Any) -> str:
    """What staff read after a look, or after sending a form."""
    answer = client.post(url, sent, follow=True) if sent else client.get(url, follow=True)
    return html.unescape(answer.content.decode())


def start(client: Client) -> dict[str, Any]:
    """The rows of the start page with their numbers, and the numbers of the menu."""
    queues.forget()
    answer = client.get("/admin/")
    rows = {row["name"]: row for row in answer.context["waits"]}
    menu = {item["name"]: item["waits"] for _, group in answer.context["menu"] for item in group}
    return {"rows": rows, "menu": menu}


def test_staff_cancel_a_pending_order(api: Api, people: People, site: Site) -> None:
    make_promo(percent=20, max_uses=1)
    listing = make_listing("later", owner=people.owner, status="draft", launch_week=None)
    week = weeks.week_of(timezone.now()) + 2 * weeks.WEEK
    item = {"product": "launch", "listing_id": listing.pk, "week": str(week)}
    order = buy(api, item, promo_code="LAUNCH20")
    payment = begin(order)
    finance, url = staff_client("finance", name="asta"), page_of(order, "cancel")
    assert [SlotHold.objects.get().state, PromoUse.objects.get().state] == ["held", "held"]

    assert "Cancel this order…" in read(finance, page_of(order))
    asked = read(finance, url)
    assert f"Cancel {order.number}?" in asked
    assert "A payment under way at sandbox is ended there." in asked
    assert "This field is required" in read(finance, url, reason="")
    assert staff_client("moderator").post(url, {"reason": "No"}).status_code == 403
    assert money(order) == ("pending", ["started"])

    assert "Cancelled. The buyer gets a mail" in read(finance, url, reason="Its price was wrong.")
    assert money(order) == ("canceled", ["canceled"])
    assert [SlotHold.objects.get().state, PromoUse.objects.get().state] == ["released", "released"]
    assert Job.objects.filter(kind="orders.cancel_payment", key=str(payment.pk)).count() == 1
    mail = Mail.objects.get(template="orders/mail/canceled")
    assert (mail.address, mail.subject) == (people.owner.email, f"Order {order.number} is cancelled")
    act = StaffAct.objects.get()
    assert (act.act, act.said, act.reason) == ("orders.decide", "canceled", "Its price was wrong.")
    page = read(finance, page_of(order))
    assert ("Cancelled: Its price was wrong." in page, "Cancel this order…" in page) == (True, False)
    assert "this is cancelled. Nothing was changed." in read(finance, url, reason="Twice")
    assert StaffAct.objects.count() == 1


def test_money_for_a_canceled_order_waits_for_a_decision(api: Api) -> None:
    order = buy(api, JOB)
    payment, finance = begin(order), staff_client("finance")
    read(finance, page_of(order, "cancel"), reason="Its price was wrong.")
    work()

    about = {"ref": str(payment.pk), "amount_cents": payment.amount_cents, "currency": "EUR"}
    body, signature = sandbox.message(event_id="late_1", kind=Kind.PAID, about=about, at=timezone.now())
    deliver("sandbox", body, {sandbox.HEADER: signature})
    work()
    assert money(order) == ("review", ["flagged"])
    assert lines(order) == [("done_for_you", "waiting")]
    assert "The order had been cancelled when this money came." in read(finance, page_of(order))


def test_an_order_that_is_paid_or_in_review_is_not_canceled(api: Api, people: People) -> None:
    order = pay(buy(api, JOB))
    finance, me = staff_client("finance"), Client()
    me.force_login(people.owner)

    assert "this is paid. Nothing was changed." in read(finance, page_of(order, "cancel"), reason="No")
    Order.objects.update(status="review")
    assert "Cancel this order…" not in read(finance, page_of(order))
    assert "this is review" in read(finance, page_of(order, "cancel"), reason="No")
    assert "we look at it" in read(me, f"/account/orders/{order.number}/cancel", x="")
    assert (money(order)[0], StaffAct.objects.count()) == ("review", 0)


def test_done_for_you_stands_on_start_in_the_menu_and_on_the_order_and_is_finished_there(
    api: Api, people: People
) -> None:
    order = pay(buy(api, JOB))
    finance, task = staff_client("finance", name="asta"), StaffTask.objects.get()
    seen = start(finance)
    row = seen["rows"]["Paid job for us"]
    assert (row["waiting"].number, seen["menu"]["Paid work"]) == (1, "1")
    listed = read(finance, row["url"])
    assert [word for word in (order.number, "https://quillon.example/") if word not in listed] == []
    for query in ("task", "done for", "paid work"):
        found = finance.get("/admin/find/", {"q": query}, headers={"X-Part": "1"}).context["matches"]
        assert [(row.kind, row.name) for row in found] == [("Page", "Paid work")]

    page = read(finance, page_of(order))
    assert [
        word for word in ("https://quillon.example/", "Call us Quillon.", "It is done…") if word not in page
    ] == []
    assert "It is done…" not in read(staff_client("moderator"), page_of(order))
    url = page_of(order, f"tasks/{task.pk}")
    assert "Call us Quillon." in read(finance, url)
    assert "This field is required" in read(finance, url, result="")
    assert lines(order) == [("done_for_you", "in_progress")]
    read(finance, url, result="Your listing is live.")
    assert lines(order) == [("done_for_you", "done")]
    task.refresh_from_db()
    assert (task.result, task.closed_by.name if task.closed_by else "") == ("Your listing is live.", "Asta")
    assert finance.get(url).status_code == 404
    me = signed_in(people.owner)
    assert "Your listing is live." in read(me, f"/account/orders/{order.number}")
    assert Mail.objects.filter(template="orders/mail/worked", address=people.owner.email).count() == 1
    assert start(finance)["menu"]["Paid work"] == ""


def test_a_wish_for_money_back_waits_until_it_is_refunded_closed_or_taken_back(
    api: Api, people: People
) -> None:
    listing = make_listing(owner=people.owner)
    order = pay(buy(api, {"product": "featured", "listing_id": listing.pk}))
    line = order.lines.get()
    OrderLine.objects.update(fulfilment_status="blocked", blocked_reason="invalid_state", parts_done=[])
    finance, now = staff_client("finance"), timezone.now()

    def ask() -> str:
        fulfil.ask_refund(line_id=line.pk, owner_id=people.owner.pk, at=now)
        return str(start(finance)["rows"]["Refund request"]["waiting"].number)

    assert (ask(), ask()) == ("1", "1")
    assert "The buyer asks for the money of Featured listing" in read(finance, page_of(order))
    fulfil.try_again(line_id=line.pk, owner_id=people.owner.pk, at=now)
    assert StaffTask.objects.get().closed_at is not None
    OrderLine.objects.update(fulfilment_status="blocked")
    assert ask() == "1"
    task = StaffTask.objects.get()
    read(finance, page_of(order, f"tasks/{task.pk}"), result="It works now: try again.")
    assert start(finance)["rows"]["Refund requests"]["waiting"].number == 0
    assert lines(order) == [("featured", "blocked")]
    assert ask() == "1"


def test_a_dispute_stands_on_start_with_its_deadline(api: Api) -> None:
    order, by = pay(buy(api, JOB)), timezone.now() + timedelta(days=5)
    Order.objects.update(status="disputed")
    finance = staff_client("finance")
    unknown = start(finance)["rows"]["Disputed payment"]
    assert (unknown["waiting"].number, unknown["waiting"].oldest) == (1, None)
    Payment.objects.update(status="disputed", answer_by=by)

    seen = start(finance)
    row = seen["rows"]["Disputed payment"]
    assert (row["waiting"].number, row["waiting"].oldest, row["is_ahead"]) == (1, by, True)
    assert seen["menu"]["Disputes"] == "1"
    assert order.number in read(finance, row["url"])
    assert f"{by:%a %-d %b %Y %H:%M}" in read(finance, row["url"])
    Payment.objects.update(answer_by=timezone.now() - timedelta(minutes=1))
    assert start(finance)["rows"]["Disputed payment"]["is_late"]


def test_what_has_to_be_answered_first_stands_first_among_disputes(api: Api) -> None:
    later, none, first = (pay(buy(api, JOB)) for _ in range(3))
    Order.objects.update(status="disputed")
    for order, days in ((later, 9), (first, 2)):
        Payment.objects.filter(order=order).update(
            status="disputed", answer_by=timezone.now() + timedelta(days=days)
        )
    finance = staff_client("finance")

    answer = finance.get(f"{BASE}/order/?status__exact=disputed")
    assert [row.pk for row in answer.context["cl"].result_list] == [first.pk, later.pk, none.pk]
    assert list(answer.context["cl"].list_display[:3]) == ["number", "state", "deadline"]
    assert "no deadline told" in read(finance, f"{BASE}/order/?status__exact=disputed")
    assert "deadline" not in finance.get(f"{BASE}/order/").context["cl"].list_display
