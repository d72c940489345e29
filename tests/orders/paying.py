"""What tests about paying share: an order by the API, a payment begun, a notification delivered, the jobs done."""

from datetime import datetime
from typing import Any

from django.test import Client
from django.utils import timezone

from core import jobs
from core.models import Job
from orders.models import Order, OrderLine, Payment
from orders.paying import start_payment
from tests.conftest import Api

RETURN, CANCEL = "https://launch.example/return", "https://launch.example/cancel"


def buy(api: Api, *items: dict[str, Any], **more: Any) -> Order:
    """An order as a program makes it."""
    answer = api("all").post("/api/v1/orders/checkout", {"items": list(items), **more})
    assert answer.status_code == 201, answer.content
    return Order.objects.get(number=answer.json()["order"]["number"])


def begin(order: Order, method: str = "test", *, at: datetime | None = None) -> Payment:
    """The person agrees to the total and chooses how to pay."""
    order.refresh_from_db()
    return start_payment(
        order_id=order.pk,
        method=method,
        total_cents=order.total_cents,
        return_url=RETURN,
        cancel_url=CANCEL,
        at=at or timezone.now(),
    )


def deliver(provider: str, body: bytes, headers: dict[str, str]) -> int:
    """A provider calls; the status it gets."""
    answer = Client().post(
        f"/webhooks/{provider}", data=body, content_type="application/json", headers=headers
    )
    return answer.status_code


def choose(payment: Payment, choice: str) -> Any:
    """A button on the page of test money; then the workers have their turn."""
    answer = Client().post(payment.redirect_url, {"choice": choice})
    work()
    return answer


def pay(order: Order) -> Order:
    """Pay with test money."""
    payment = begin(order)
    if payment.redirect_url:
        choose(payment, "pay")
    work()
    order.refresh_from_db()
    return order


def work() -> None:
    """Everything that is due, and what that leads to."""
    jobs.run_due()


def dead() -> list[str]:
    """Why jobs died."""
    return list(Job.objects.filter(state="dead").values_list("last_error", flat=True))


def lines(order: Order) -> list[tuple[str, str]]:
    """Each line's product and how far its work is."""
    found = OrderLine.objects.filter(order=order).order_by("position")
    return list(found.values_list("product", "fulfilment_status"))


def money(order: Order) -> tuple[str, list[str]]:
    """The order's status, and its payments'."""
    order.refresh_from_db()
    return order.status, list(order.payments.order_by("created_at").values_list("status", flat=True))
