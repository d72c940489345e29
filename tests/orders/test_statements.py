"""What a payment costs from its notification until its launch is on the site: pinned, so that it only falls."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from directory.models import Listing
from tests.conftest import Api
from tests.factories.orders import set_price
from tests.orders.paying import begin, buy, choose, lines

MOST = 80  # the mails of receipt and launch, and the turns of four jobs, counted


def test_a_paid_launch_costs_what_is_pinned(api: Api, draft: Listing) -> None:
    set_price("launch", 9900)
    payment = begin(buy(api, {"product": "launch", "listing_id": draft.pk}))
    with CaptureQueriesContext(connection) as statements:
        choose(payment, "pay")

    assert lines(payment.order) == [("launch", "done")]
    assert len(statements) <= MOST, "\n".join(row["sql"][:200] for row in statements)
