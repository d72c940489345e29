"""What becomes of an order arrives at its buyer's program, as list_my_orders gives it."""

from typing import Any

from django.utils import timezone

from directory.models import Listing
from orders import fulfil, refunding
from orders.models import StaffTask
from tests.conftest import Api, People
from tests.factories.events import Program
from tests.factories.orders import set_price
from tests.orders.paying import buy, pay, work
from tests.orders.test_disputes import CREATED, pay_by_card
from tests.orders.test_refunds import give_back, intent
from tests.orders.test_stripe_payments import tell
from tests.servers.stripe_server import StripeServer
from tests.servers.website import Website


def names(events: list[tuple[str, Any]]) -> list[tuple[str, str]]:
    return [(name, data["status"]) for name, data in events]


def test_paid_fulfilled_and_refunded_part_by_part(
    api: Api, people: People, live: Listing, website: Website
) -> None:
    program = Program(website, user=people.owner)
    order = pay(buy(api, {"product": "featured", "listing_id": live.pk}))
    assert sorted(names(program.work())) == [("order.fulfilled", "paid"), ("order.paid", "paid")]
    [item] = api("all").get("/api/v1/orders").json()["items"]
    by_type = dict(program.work())
    assert by_type["order.fulfilled"] == item
    assert by_type["order.paid"]["number"] == order.number

    give_back(order, people, amount_cents=500)
    give_back(order, people)
    refunds = [(name, data) for name, data in program.work() if name == "order.refunded"]
    assert names(refunds) == [("order.refunded", "partially_refunded"), ("order.refunded", "refunded")]
    assert refunds[-1][1] == api("all").get("/api/v1/orders").json()["items"][0]


def test_disputed(
    api: Api, people: People, live: Listing, stripe_server: StripeServer, website: Website
) -> None:
    paid = pay_by_card(buy(api, {"product": "featured", "listing_id": live.pk}), stripe_server)
    work()
    program = Program(website, user=people.owner)
    dispute = stripe_server.dispute(intent(paid), 5831)
    for _ in range(2):
        tell(stripe_server, CREATED, dispute)
    work()

    assert names(program.work()) == [("order.disputed", "disputed")]


def test_two_lines_are_fulfilled_once_and_an_order_of_nothing_is_paid(
    api: Api, people: People, live: Listing, website: Website
) -> None:
    set_price("featured", 0)
    set_price("ai_review", 0)
    program = Program(website, user=people.owner)
    pay(buy(api, *({"product": product, "listing_id": live.pk} for product in ("featured", "ai_review"))))

    assert sorted(name for name, _ in program.work()) == ["order.fulfilled", "order.paid"]


def test_a_launch_that_is_done_for_another_line_counts_towards_the_whole(
    api: Api, people: People, draft: Listing, website: Website
) -> None:
    program = Program(website, user=people.owner)
    pay(buy(api, *({"product": product, "listing_id": draft.pk} for product in ("featured", "launch"))))

    assert [name for name, _ in program.work()].count("order.fulfilled") == 1


def test_what_is_left_of_an_order_after_a_refund_is_fulfilled_too(
    api: Api, people: People, live: Listing, website: Website
) -> None:
    program = Program(website, user=people.owner)
    order = pay(
        buy(api, *({"product": name, "listing_id": live.pk} for name in ("featured", "done_for_you")))
    )
    staff: dict[str, Any] = {"staff_id": people.staff.pk, "at": timezone.now()}
    line = order.lines.get(product="featured")
    refunding.refund(payment_id=str(order.payments.get().pk), line_id=line.pk, reason="Asked", **staff)
    work()
    assert "order.fulfilled" not in [name for name, _ in program.work()]

    fulfil.close_task(task_id=StaffTask.objects.get().pk, result="Filled in.", **staff)

    assert names(program.work())[-1] == ("order.fulfilled", "partially_refunded")
