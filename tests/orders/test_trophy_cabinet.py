"""The finish of a trophy cabinet: shown while its money is ours, the newest one first."""

from typing import Any

import pytest

from core.api import caching
from directory.models import Listing
from orders.models import Order
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.orders.paying import buy, lines
from tests.orders.test_disputes import CLOSED, CREATED, pay_by_card
from tests.orders.test_refunds import give_back, intent
from tests.orders.test_stripe_payments import tell
from tests.servers.stripe_server import StripeServer


@pytest.fixture
def listing(people: People) -> Listing:
    return make_listing(owner=people.owner)


def item(listing: Listing, **options: str) -> dict[str, Any]:
    return {"product": "trophy_cabinet", "listing_id": listing.pk, "options": options}


def look(api: Api, listing: Listing) -> tuple[str | None, str | None]:
    caching.ANSWERS.clear()
    cabinet = api().get(f"/api/v1/listings/{listing.slug}/trophies").json()
    return cabinet["finish"], cabinet["title"]


def test_a_title_has_sixty_characters_at_most(api: Api, listing: Listing) -> None:
    answer = api("all").post(
        "/api/v1/orders/checkout", {"items": [item(listing, finish="steel", title="x" * 61)]}
    )

    assert answer.status_code == 400
    refused = [(error["code"], error["pointer"]) for error in answer.json()["errors"]]
    assert refused == [("option_invalid", "/items/0/options/title")]
    assert Order.objects.count() == 0
    assert buy(api, item(listing, finish="steel", title="x" * 60)).lines.count() == 1


def test_a_refund_brings_back_the_look_before(
    api: Api, people: People, listing: Listing, stripe_server: StripeServer
) -> None:
    first = pay_by_card(buy(api, item(listing, finish="steel", title="Ours")), stripe_server)
    assert look(api, listing) == ("steel", "Ours")
    second = pay_by_card(buy(api, item(listing, finish="glass")), stripe_server)
    assert look(api, listing) == ("glass", None)

    give_back(second, people)
    assert (look(api, listing), lines(second)) == (("steel", "Ours"), [("trophy_cabinet", "reversed")])
    tell(stripe_server, CREATED, stripe_server.dispute(intent(first), first.total_cents))
    assert look(api, listing) == (None, None)


def test_it_is_off_while_its_money_is_disputed_and_no_newer_than_it_was_after_that(
    api: Api, listing: Listing, stripe_server: StripeServer
) -> None:
    first = pay_by_card(buy(api, item(listing, finish="steel", title="Ours")), stripe_server)
    dispute = stripe_server.dispute(intent(first), first.total_cents)
    tell(stripe_server, CREATED, dispute)
    assert look(api, listing) == (None, None)
    pay_by_card(buy(api, item(listing, finish="glass", title="New")), stripe_server)

    tell(stripe_server, CLOSED, dispute | {"status": "won"})
    assert (look(api, listing), lines(first)) == (("glass", "New"), [("trophy_cabinet", "done")])
