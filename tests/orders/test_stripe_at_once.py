"""Notifications of one payment that arrive at the same moment."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import begin, buy, deliver, lines, money, work
from tests.servers.stripe_server import StripeServer


@pytest.mark.django_db(transaction=True)
def test_twenty_copies_at_once_are_one_payment(api: Api, people: People, stripe_server: StripeServer) -> None:
    listing = make_listing(owner=people.owner)
    order = buy(api, {"product": "featured", "listing_id": listing.pk})
    payment = begin(order, "card")
    body = stripe_server.event(
        "checkout.session.completed", stripe_server.pay(payment.provider_reference or "")
    )
    statuses: list[int] = []

    def call() -> None:
        try:
            statuses.append(deliver("stripe", body, stripe_server.signature(body)))
            work()
        finally:
            connection.close()

    threads = [threading.Thread(target=call) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    work()

    assert statuses == [200] * 20
    assert (money(order), lines(order)) == (("paid", ["paid"]), [("featured", "done")])
    listing.refresh_from_db()
    assert listing.featured_until is not None
    assert listing.featured_until - timezone.now() < timedelta(days=8)
    assert order.events.filter(kind="fulfilled").count() == 1
