"""Summaries follow their listings also when two changes come at once."""

import pytest
from django.db import transaction

from directory.models import Listing
from directory.search import public_data
from directory.search.cards import summaries
from tests.factories.listings import make_listing
from tests.waiting import begin_blocked


@pytest.mark.django_db(transaction=True)
def test_a_refresh_beside_an_uncommitted_change_does_not_put_the_old_texts_back() -> None:
    listing = make_listing(name="Before")

    with transaction.atomic():
        Listing.objects.filter(pk=listing.pk).update(name="After")
        public_data.refresh(listing_ids=[listing.pk])
        beside = begin_blocked(lambda: public_data.refresh(listing_ids=[listing.pk]))
    beside.join()

    assert summaries(listing_ids=[listing.pk])[0]["name"] == "After"
