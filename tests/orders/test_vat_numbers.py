"""VAT numbers as people type them, and the EU's service in every mood."""

import json
from typing import Any

import pytest

from directory.models import Listing, Site
from orders import vat_numbers
from orders.vat_numbers import SECONDS
from tests.conftest import Api, Caller
from tests.factories.staff import staff_client
from tests.orders.conftest import Vies, cart, codes
from tests.orders.paying import buy
from tests.orders.test_quote_order import QUOTE
from tests.orders.test_vat_cases import checked
from tests.servers.website import drip, endless, hang, html, raw
from tests.waiting import undisturbed

NUMBER = "FR40303265045"


def ask(buyer: Caller, number: str, country: str | None = "FR") -> Any:
    return buyer.post(
        QUOTE, cart("done_for_you", vat_number=number, **({"billing_country": country} if country else {}))
    )


@pytest.mark.parametrize(
    ("typed", "country", "plain"),
    [
        (NUMBER, "FR", NUMBER),
        (" fr 40 303.265-045 ", "fr", NUMBER),
        ("40303265045", "FR", NUMBER),
        ("ＦＲ４０３０３２６５０４５", "FR", NUMBER),
        (NUMBER, None, NUMBER),
        ("GR023456780", "GR", "EL023456780"),
        ("023456780", "GR", "EL023456780"),
    ],
)
def test_a_valid_number_gets_reverse_charge(
    buyer: Caller, site: Site, vies: Vies, typed: str, country: str | None, plain: str
) -> None:
    vies.knows(plain)

    body = ask(buyer, typed, country).json()

    assert body["vat"] | {"reason": ""} == {
        "country": "GR" if plain.startswith("EL") else "FR",
        "rate": "0.00",
        "treatment": "reverse_charge",
        "vat_number": plain,
        "vat_number_status": "valid",
        "reason": "",
    }
    assert body["vat_cents"] == 0


@pytest.mark.parametrize(
    ("typed", "country"),
    [
        ("FR40303265046", "FR"),
        (NUMBER, "DE"),
        ("FR", "FR"),
        ("EU372022452", "FR"),
        (NUMBER, "US"),
        ("123", None),
        ("---", "US"),
        ("\ufdfa" * 3, "US"),  # 3 characters that are 45 in their plain form
    ],
)
def test_what_is_no_number_is_refused(
    buyer: Caller, site: Site, vies: Vies, typed: str, country: str | None
) -> None:
    assert codes(ask(buyer, typed, country)) == [("/vat_number", "vat_number_invalid")]
    assert vies.requests == []


def test_a_number_that_is_not_registered_pays_vat(buyer: Caller, site: Site, vies: Vies) -> None:
    body = ask(buyer, NUMBER).json()

    assert (body["vat"]["vat_number_status"], body["vat"]["treatment"]) == ("invalid", "destination")
    assert body["vat_cents"] == 5980
    assert "isn't registered" in body["vat"]["reason"]


def test_a_number_of_home_changes_nothing(buyer: Caller, site: Site, vies: Vies) -> None:
    vies.knows("DE136695976")

    body = ask(buyer, "DE136695976", "DE").json()

    assert (body["vat"]["treatment"], body["vat"]["vat_number_status"]) == ("domestic", "valid")
    assert body["vat_cents"] == 5681


@pytest.mark.parametrize(
    "mood",
    [
        html("<h1>Oops</h1>", status=500),
        html("<xml/>"),
        html("[]"),
        raw(b"nonsense\r\n\r\n"),
        *(
            html(json.dumps({"isValid": False, "userError": error}))
            for error in ("MS_UNAVAILABLE", "TIMEOUT", "GLOBAL_MAX_CONCURRENT_REQ", "IP_BLOCKED")
        ),
    ],
)
def test_when_the_service_does_not_know_vat_is_charged(
    buyer: Caller, site: Site, vies: Vies, mood: Any
) -> None:
    vies.knows(NUMBER, mood)

    body = ask(buyer, NUMBER).json()

    assert (body["vat"]["vat_number_status"], body["vat_cents"]) == ("unavailable", 5980)
    assert "couldn't check" in body["vat"]["reason"]


@pytest.mark.parametrize("mood", [hang(), drip(every=0.2), endless()])
def test_a_slow_service_holds_nobody_up(
    buyer: Caller, site: Site, vies: Vies, monkeypatch: pytest.MonkeyPatch, mood: Any
) -> None:
    monkeypatch.setattr(vat_numbers, "SECONDS", SECONDS)
    vies.knows(NUMBER, mood)

    with undisturbed() as first:
        body = ask(buyer, NUMBER).json()
    with undisturbed() as second:
        assert ask(buyer, NUMBER).status_code == 200

    assert first.seconds < 4
    assert body["vat"]["vat_number_status"] == "unavailable"
    assert first.seconds + second.seconds < 4.5


def test_the_service_is_asked_once(buyer: Caller, site: Site, vies: Vies) -> None:
    vies.knows(NUMBER)
    for _ in range(3):
        ask(buyer, NUMBER)

    assert len(vies.requests) == 1


def test_a_service_that_is_away_is_no_fault(buyer: Caller, site: Site) -> None:
    assert ask(buyer, NUMBER).json()["vat"]["vat_number_status"] == "unavailable"


def test_a_number_from_elsewhere_is_kept_and_not_asked_for(buyer: Caller, site: Site, vies: Vies) -> None:
    body = ask(buyer, "GB 980 7806 84", "GB").json()

    assert (body["vat"]["treatment"], body["vat"]["vat_number"]) == ("outside_scope", "GB980780684")
    assert (body["vat_cents"], vies.requests) == (0, [])


def test_vies_is_asked_in_the_sellers_name_and_its_proof_stays(
    api: Api, live: Listing, vies: Vies, settings: Any
) -> None:
    order = buy(api, {"product": "ai_review", "listing_id": live.pk})
    settings.SELLER_VAT_NUMBER = "DE 136 695 976"
    answer = {"isValid": True, "requestIdentifier": "WAPI1", "name": "SA MAISON", "address": "12 RUE\nPARIS"}
    vies.knows(NUMBER, html(json.dumps(answer), content_type="application/json"))

    checked(order, country="FR", postcode="75001", vat_number=NUMBER)

    (request,) = vies.requests
    assert request.path.endswith("?requesterMemberStateCode=DE&requesterNumber=136695976")
    proof = (order.vat_check_reference, order.vat_check_name, order.vat_check_address)
    assert proof == ("WAPI1", "SA MAISON", "12 RUE PARIS")
    page = staff_client("finance").get(f"/admin/orders/order/{order.pk}/change/").content.decode()
    assert "VIES: SA MAISON 12 RUE PARIS" in page
