"""Two of staff who decide about one order at once: the second changes nothing, and reads why."""

import html
import re
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import StaffAct
from core.models import Mail
from directory.models import Site
from orders import mails
from orders.models import Order, Refund, StaffTask
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.staff import fresh, make_staff, staff_client
from tests.orders.paying import begin, buy, money, pay, work
from tests.orders.racing import at_once
from tests.orders.test_payments_admin import page_of

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
TAKEN = "It is not in review for this any more. Look again. Nothing was changed."


@pytest.fixture
def both(site: Site) -> list[Client]:
    return [fresh(staff_client("finance", name=name)) for name in ("ina", "theo")]


@pytest.fixture
def order(api: Api, people: People) -> Order:
    listing = make_listing(owner=people.owner)
    items = [{"product": "billboard_min", "listing_id": listing.pk, "amount_cents": 4500}]
    return buy(api, *items, {"product": "done_for_you", "options": {"website": "https://tidewell.com/"}})


def asked(client: Client, url: str) -> dict[str, str]:
    """What the form of a page that asks sends with its button, beside what is typed."""
    return {name: html.unescape(value) for name, value in HIDDEN.findall(client.get(url).content.decode())}


def sent(client: Client, url: str, data: dict[str, str]) -> str:
    answer: Any = client.post(url, data, follow=True)
    return html.unescape(answer.content.decode())


def reasons() -> list[str]:
    return list(StaffAct.objects.order_by("pk").values_list("reason", flat=True))


@pytest.mark.django_db(transaction=True)
def test_a_part_is_given_back_once_where_two_press_at_once(order: Order, both: list[Client]) -> None:
    line = pay(order).lines.first()
    url = f"{page_of(order, 'refund')}?line={line.pk if line else 0}&amount=10"
    forms = [{**asked(client, url), "reason": "A part"} for client in both]
    pages = at_once([partial(sent, client, url, form) for client, form in zip(both, forms, strict=True)])
    work()

    assert list(Refund.objects.values_list("amount_cents", "status")) == [(1000, "done")]
    assert reasons() == ["A part"]
    assert len([page for page in pages if "Nothing was changed" in page]) == 1


def test_who_presses_later_sees_what_is_left_by_then(order: Order, both: list[Client]) -> None:
    pay(order)
    url = f"{page_of(order, 'refund')}?amount=10"
    forms = [{**asked(client, url), "reason": "A part"} for client in both]
    assert "€10.00 is asked back" in sent(both[0], url, forms[0])

    assert "The amount left has changed. Nothing was changed; check again." in sent(both[1], url, forms[1])
    assert Refund.objects.count() == 1


def test_seen_takes_off_the_list_what_was_seen_alone(order: Order, both: list[Client]) -> None:
    """Not a fault that came in the meantime, and nothing a second time."""
    pay(order)
    Order.objects.update(review_reason="A refund failed.")
    url = page_of(order, "accept")
    first, second = (asked(client, url) for client in both)
    Order.objects.update(review_reason="A lost dispute took more.")

    assert TAKEN in sent(both[0], url, first)
    assert (Order.objects.get().review_reason, reasons()) == ("A lost dispute took more.", [])
    assert "Seen. Nothing else was changed." in sent(both[0], url, asked(both[0], url))
    assert "This order is not in review. Nothing was changed." in sent(both[1], url, second)


def test_a_reason_of_several_lines_is_taken_off_the_list(order: Order, both: list[Client]) -> None:
    """A browser sends each line break of it as CRLF."""
    pay(order)
    Order.objects.update(review_reason="The buyer answers: Spain. A bill\nof my bank")
    url = page_of(order, "accept")
    form = {name: value.replace("\n", "\r\n") for name, value in asked(both[0], url).items()}

    assert "Seen. Nothing else was changed." in sent(both[0], url, form)
    assert Order.objects.get().review_reason == ""


def test_money_that_is_on_its_way_back_is_not_accepted(order: Order, both: list[Client]) -> None:
    payment = begin(order)
    payment.status, payment.paid_cents, payment.paid_currency = "flagged", 100, "EUR"
    payment.save()
    Order.objects.update(status="review", review_reason="100 cents came.")
    url, form = page_of(order, "accept"), asked(both[0], page_of(order, "accept"))
    Refund.objects.create(payment=payment, amount_cents=100, currency="EUR", created_at=order.created_at)

    assert "This money is on its way back to the buyer. Nothing was changed." in sent(both[0], url, form)
    assert money(order) == ("review", ["flagged"])


def test_work_is_closed_once_with_the_words_of_who_was_first(order: Order, both: list[Client]) -> None:
    task = StaffTask.objects.get(line__order=pay(order))
    url = page_of(order, f"tasks/{task.pk}")

    assert "Done. The buyer reads it" in sent(both[0], url, {"result": "It is written."})
    assert re.search(
        r"Ina closed this \d+ s ago\. Nothing was changed\.", sent(both[1], url, {"result": "No."})
    )
    assert (StaffTask.objects.get().result, reasons()) == ("It is written.", ["It is written."])
    assert both[0].get(page_of(order, "tasks/0")).status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("about", ["tasks", "cancel", "accept"])
def test_of_two_at_the_same_moment_one_reads_that_it_is_decided(
    order: Order, both: list[Client], about: str
) -> None:
    place = about
    if about != "cancel":
        task = StaffTask.objects.get(line__order=pay(order))
        place = f"tasks/{task.pk}" if about == "tasks" else about
        Order.objects.update(review_reason="A refund failed.")
    url, typed = page_of(order, place), {"result": "It is written.", "reason": "Asked"}
    forms = [asked(client, url) | typed for client in both]

    pages = at_once([partial(sent, client, url, form) for client, form in zip(both, forms, strict=True)])

    assert len([page for page in pages if "Nothing was changed" in page]) == 1
    assert StaffAct.objects.count() == 1


def test_those_who_decide_orders_read_that_one_waits(order: Order, both: list[Client]) -> None:
    """Others would be led to a page that they do not have; and as many as they are, no statement is one of each."""
    with CaptureQueriesContext(connection) as first:
        mails.send_to_staff(order=order, reason="A refund failed.", about=1)
    for number in range(5):
        make_staff("editor", name=f"editor{number}")
    with CaptureQueriesContext(connection) as second:
        mails.send_to_staff(order=order, reason="A refund failed again.", about=1)
    assert len(second) <= len(first)  # the first also looks up what is kept after that
    work()

    told = Mail.objects.filter(template="orders/mail/staff")
    names = [address.partition("@")[0] for address in told.values_list("address", flat=True)]
    assert sorted(names) == ["ina", "ina", "staff", "staff", "theo", "theo"]
