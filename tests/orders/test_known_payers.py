"""Who paid before is remembered for that person alone, and the total shown is the total charged."""

from typing import Any

import pytest
from django.test import Client

from directory.models import Listing
from orders.models import Order, Payment
from tests.conftest import Api
from tests.factories.orders import set_price
from tests.orders.paying import buy, work
from tests.orders.test_checkout_pages import BUYER, link, told

BELGIAN, BRITISH = (
    "Pay €117.81 with test money",
    "Pay €99.00 with test money",
)  # 19% as the shop of tests is German
MINE = {**BUYER, "country": "GB", "postcode": "EH1 1YZ", "city": "Edinburgh", "address": "Castlehill 1"}


@pytest.fixture
def launch(api: Api, draft: Listing) -> Any:
    """Makes an order of a launch."""
    set_price("launch", 9900)
    return lambda: buy(api, {"product": "launch", "listing_id": draft.pk})


def filled(client: Client, order: Order, act: str, **more: Any) -> Any:
    """The form as this person sends it."""
    order.refresh_from_db()
    return client.post(link(order), {**MINE, "total": order.total_cents, "act": act, **more})


def test_the_last_order_is_remembered_for_its_owner_and_for_nobody_else(launch: Any, me: Client) -> None:
    filled(me, launch(), "check")
    order = launch()

    mine, other = me.get(link(order)), Client().get(link(order))

    assert "From your last order." in told(mine)
    assert "Inês Prado · Brindle Lda Castlehill 1, EH1 1YZ Edinburgh, United Kingdom" in told(mine)
    assert (BRITISH in told(mine), "United Kingdom: no EU VAT." in told(mine)) == (True, True)
    assert '<option value="GB" selected>' in mine.content.decode()
    assert (BELGIAN in told(other), "VAT of Germany, until you choose your country." in told(other)) == (
        True,
        True,
    )
    for secret in ("Inês", "Castlehill", "Edinburgh", "EH1 1YZ", BUYER["email"], '"GB" selected'):
        assert secret not in other.content.decode()
    assert Order.objects.filter(billing_name="").count() == 1  # looking saved nothing


def test_what_is_remembered_is_paid_at_once_at_the_total_shown(launch: Any, me: Client) -> None:
    filled(me, launch(), "check")
    order = launch()

    started = me.post(link(order), {**MINE, "total": 9900, "act": "pay"})

    assert (started.status_code, Payment.objects.get().amount_cents) == (303, 9900)


def test_an_address_shows_to_whoever_filled_it_in(launch: Any, me: Client) -> None:
    order, later = launch(), None
    filled(me, order, "check")
    other = told(Client().get(link(order)))
    assert (BRITISH in other, "Castlehill" in other, "Edinburgh" in other) == (True, False, False)
    assert 'value="Castlehill 1"' in me.get(link(order)).content.decode()

    by_colleague = launch()
    filled(Client(), by_colleague, "check", name="A Colleague", country="FR")
    assert "A Colleague" in Client().get(link(by_colleague)).content.decode()
    later = launch()
    for order in (by_colleague, later):
        assert "A Colleague" not in me.get(link(order)).content.decode()
    assert "Inês Prado" in me.get(link(later)).content.decode()


def test_the_listings_country_is_offered_to_who_never_bought(launch: Any, me: Client, draft: Listing) -> None:
    Listing.objects.filter(pk=draft.pk).update(country="GB")
    order = launch()

    assert "From your listing." in told(me.get(link(order)))
    assert BRITISH in told(me.get(link(order)))
    assert "Review and pay €99.00" in told(me.get(f"/account/orders/{order.number}"))
    assert BELGIAN in told(Client().get(link(order)))


def test_a_changed_country_shows_its_total_and_saves_nothing(launch: Any) -> None:
    order = launch()
    form = {"act": "total", "country": "FR", "postcode": "", "vat_number": ""}

    part = Client().post(link(order), form)

    assert part["Cache-Control"] == "private, no-store"
    assert 'name="total" value="11880"' in part.content.decode()
    assert "€99.00 and €19.80 VAT (20%, France)" in told(part)
    assert "Pay €118.80 with test money" in told(part)
    wrong = Client().post(link(order), {**form, "vat_number": "FR123"})
    assert "This isn&#x27;t a VAT number" in wrong.content.decode()
    order.refresh_from_db()
    assert (order.billing_country, order.total_cents) == ("", 11781)


def test_a_refused_form_shows_the_total_of_the_country_that_was_chosen(launch: Any) -> None:
    order = launch()

    page = Client().post(link(order), {**MINE, "act": "pay", "name": "", "total": 11781})

    assert (page.status_code, BRITISH in told(page)) == (400, True)
    started = Client().post(link(order), {**MINE, "act": "pay", "total": 9900})
    work()
    assert (started.status_code, Payment.objects.get().amount_cents) == (303, 9900)
