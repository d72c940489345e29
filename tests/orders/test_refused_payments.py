"""A provider that refuses a payment, or our key: what the buyer reads, and how the operator hears of it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from orders import paying
from orders.errors import PaymentUnavailableError
from orders.models import Order
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import begin, buy, money
from tests.servers.stripe_server import StripeServer


@pytest.fixture
def order(api: Api, people: People) -> Order:
    """A featured week."""
    return buy(api, {"product": "featured", "listing_id": make_listing(owner=people.owner).pk})


def test_why_a_payment_is_refused_stands_in_the_log(
    order: Order, stripe_server: StripeServer, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(PaymentUnavailableError, match="did not take this payment"):
        begin(order, "card", at=timezone.now() - timedelta(minutes=5))  # as a slow clock has it

    (line,) = (row for row in caplog.records if row.getMessage() == "stripe refused a payment")
    assert vars(line)["reason"] == "InvalidRequestError expires_at"
    assert money(order) == ("pending", ["failed"])


@pytest.mark.parametrize("status", [401, 403], ids=["unknown", "without the right"])
@pytest.mark.parametrize("wait", [timedelta(0), timedelta(minutes=2)], ids=["the same attempt", "another"])
def test_a_key_that_is_refused_is_told_to_the_buyer_and_to_the_operator(
    order: Order, stripe_server: StripeServer, caplog: pytest.LogCaptureFixture, wait: timedelta, status: int
) -> None:
    stripe_server.troubles = [status]

    with pytest.raises(PaymentUnavailableError, match=r"closed for now\..* our staff know") as told:
        begin(order, "card")

    assert "Try again" not in str(told.value)
    assert "stripe refuses our key" in caplog.messages
    assert paying.refused_keys(at=timezone.now()) == ["stripe"]
    assert money(order) == ("pending", ["started"])  # it says nothing of the payment
    assert begin(order, "card", at=timezone.now() + wait).redirect_url
    assert paying.refused_keys(at=timezone.now()) == []
