"""Prices before checkout in the ways of the law, and whose a VAT number is before anything is paid."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from directory.models import Listing
from orders import wording
from orders.models import Order, Payment
from tests.conftest import Api
from tests.factories.orders import set_price
from tests.factories.staff import staff_client
from tests.orders.conftest import Vies
from tests.orders.paying import buy
from tests.orders.test_checkout_pages import link, post, told
from tests.servers.website import html

FRENCH = "FR40303265045"


def shown(me: Client, listing: Listing) -> tuple[str, str]:
    """What Featured costs on the page of add-ons, and the total on its own."""
    shop = told(me.get(f"/account/listings/{listing.pk}/buy"))
    own = told(me.get(f"/account/listings/{listing.pk}/buy/featured"))
    card = re.search(r"Featured listing Paid (€[\d.]+ \w+ VAT)", shop)
    total = re.search(r"(Total(?: without VAT)? €[\d.]+)", own)
    assert card, shop
    assert total, own
    return card[1], total[1]


def test_consumers_see_prices_with_vat_and_businesses_without(
    api: Api, me: Client, live: Listing, draft: Listing, settings: Any
) -> None:
    assert shown(me, live) == ("€49.00 plus VAT", "Total without VAT €49.00")
    order = buy(api, {"product": "launch", "listing_id": draft.pk})
    mine = Order.objects.filter(pk=order.pk)
    mine.update(billing_country="PT")
    assert shown(me, live) == ("€60.27 with VAT", "Total €60.27")
    assert "VAT of Portugal. Your country is from your last order." in told(
        me.get(f"/account/listings/{live.pk}/buy")
    )
    mine.update(billing_postcode="9000-010")  # Madeira
    assert shown(me, live) == ("€59.78 with VAT", "Total €59.78")
    for country, status in (("FR", "valid"), ("DE", "valid"), ("US", "unavailable")):
        mine.update(billing_country=country, vat_number=FRENCH, vat_number_status=status)
        assert shown(me, live) == ("€49.00 without VAT", "Total without VAT €49.00")
    assert "your last order had a VAT number" in told(me.get(f"/account/listings/{live.pk}/buy"))
    mine.update(billing_country="FR", billing_postcode="", vat_number_status="invalid")
    assert shown(me, live) == ("€58.80 with VAT", "Total €58.80")

    settings.SHOWN_PRICES = "without_vat"
    assert shown(me, live) == ("€49.00 plus VAT", "Total without VAT €49.00")
    settings.SHOWN_PRICES = "with_vat"
    mine.update(vat_number_status="valid", billing_country="DE", vat_number="DE136695976")
    assert shown(me, live) == ("€58.31 with VAT", "Total €58.31")
    mine.update(billing_country="", vat_number_status="none", vat_number="")
    assert shown(me, live) == ("€58.31 with VAT", "Total €58.31")
    public = told(Client().get("/how-a-launch-works"))
    assert "With the VAT of Germany." in public
    assert "€58.31" in public

    rate = {
        "country": "DE",
        "percent": "10",
        "valid_from": timezone.now().date(),
        "source": "Gazette",
        "meant": "on",
    }
    assert staff_client("finance").post("/admin/orders/vatrate/add/", rate).status_code == 302
    set_price("featured", 5000)
    for path in ("/how-a-launch-works", "/how-a-launch-works.md"):
        assert "€55" in Client().get(path).content.decode()
    settings.SHOWN_PRICES = "without_vat"
    for path in ("/how-a-launch-works", "/how-a-launch-works.md"):
        assert "€50" in Client().get(path).content.decode()


@pytest.mark.parametrize(
    ("registered", "given", "is_unlike"),
    [
        ("SA MAISON", ("Maison", ""), False),
        ("MAISONMARTIN SARL", ("Maison Martin", "Ines"), False),
        ("SOCIÉTÉ ÉLÉGANTE", ("Societe Elegante SAS", ""), False),
        ("CALDEIRA INES", ("", "Ines Caldeira"), False),
        ("SA MAISON", ("Brindle SA", "Ines Prado"), True),
        ("", ("Brindle", ""), False),
        ("SA MAISON", ("", ""), False),
    ],
)
def test_a_name_is_like_another_by_its_words(
    registered: str, given: tuple[str, ...], *, is_unlike: bool
) -> None:
    assert wording.is_unlike(registered, *given) is is_unlike


def test_whose_a_number_is_stands_on_the_page_and_another_name_is_shown_before_payment(
    api: Api, draft: Listing, vies: Vies
) -> None:
    answer = {"isValid": True, "requestIdentifier": "W1", "name": "SA MAISON", "address": "12 RUE"}
    vies.knows(FRENCH, html(json.dumps(answer), content_type="application/json"))
    order = buy(api, {"product": "launch", "listing_id": draft.pk})
    french = {"country": "FR", "postcode": "75001", "city": "Paris", "vat_number": FRENCH}

    total = Client().post(link(order), {**french, "act": "total", "company": "Brindle Lda", "name": "Ines"})
    assert "Registered to SA MAISON. You wrote another name." in told(total)
    alike = Client().post(link(order), {**french, "act": "total", "company": "Maison SA"})
    assert "Registered to SA MAISON." in told(alike)
    assert "another name" not in told(alike)
    post(order, "check", **french)
    stopped = post(order, **french)
    assert f"{FRENCH} is registered to SA MAISON, and you wrote another name." in told(stopped)
    assert (stopped.status_code, Payment.objects.count()) == (200, 0)
    page = staff_client("finance").get(f"/admin/orders/order/{order.pk}/change/").content.decode()
    assert "another name than the buyer’s" in page
    assert post(order, **french, registered="SA MAISON").status_code == 303
    again = post(order, **french | {"company": "Maison"})
    assert again.status_code == 303
