"""Summaries follow their listings also when two changes come at once."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from core.statements import fetch_one
from directory.models import Listing
from directory.search.cards import summaries
from directory.services import public_data
from tests.factories.listings import make_listing

WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


def in_thread(work: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.django_db(transaction=True)
def test_a_refresh_beside_an_uncommitted_change_does_not_put_the_old_texts_back() -> None:
    listing = make_listing(name="Before")
    changed, committing = threading.Event(), threading.Event()

    def change() -> None:
        with transaction.atomic():
            Listing.objects.filter(pk=listing.pk).update(name="After")
            public_data.refresh(listing_ids=[listing.pk])
            changed.set()
            committing.wait(timeout=30)

    first = in_thread(change)
    assert changed.wait(timeout=30)
    second = in_thread(lambda: public_data.refresh(listing_ids=[listing.pk]))
    for _ in range(3000):
        if fetch_one(WAITING, {}) == (1,) or committing.wait(timeout=0.01):
            break
    committing.set()
    first.join()
    second.join()

    assert summaries(listing_ids=[listing.pk])[0]["name"] == "After"
