"""What a test that commits leaves to the next one: a fresh installation's rows and nothing else."""

import pytest
from django.contrib.auth.models import Group
from django.test import TransactionTestCase

from directory.models import Listing, Site
from orders.models import ProductPrice, VatArea, VatRate
from tests.emptying import empty_tables
from tests.factories.listings import make_listing
from tests.factories.orders import set_price


@pytest.mark.django_db(transaction=True)
def test_the_rows_of_the_migrations_are_there_again_and_no_others(site: Site) -> None:
    def rows() -> list[list[object]]:
        return [
            sorted(model.objects.values_list("pk", flat=True))
            for model in (ProductPrice, VatArea, VatRate, Group)
        ]

    fresh = rows()
    assert all(fresh)
    make_listing("tidewell")
    set_price("launch", 100)
    VatRate.objects.all().delete()

    empty_tables(TransactionTestCase())

    assert rows() == fresh
    assert not Listing.objects.exists()
