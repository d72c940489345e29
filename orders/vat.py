"""Which VAT a buyer pays, and why: pure. What is sold are electronic services at the standard rate.

A tax adviser has to confirm these rules for each seller (docs/decisions/0043).
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from orders.wording import country_name

_STATES = Path(__file__).with_name("data").joinpath("member_states.csv").read_text().splitlines()
# Peppol's scheme of electronic addresses for each member state's VAT numbers, or for those of its enterprises
SCHEMES = dict(csv.reader(_STATES))
EU = frozenset(SCHEMES)
NOTHING = Decimal("0.00")
REVERSE = "Reverse charge: the buyer accounts for VAT (Article 196 of Directive 2006/112/EC)."
SMALL = "No VAT: the seller is a small business (Article 284 of Directive 2006/112/EC)."
NOTES = {
    "none": "",
    "valid": "",
    "invalid": " The VAT number isn't registered for trade within the EU.",
    "unavailable": " We couldn't check the VAT number just now; it is checked again before payment.",
}


@dataclass(frozen=True, kw_only=True)
class NumberCheck:
    """What is known of a VAT number. `status` is none, valid, invalid or unavailable.

    `country` is where it was given out. `problem` says why it cannot be a number at all.
    """

    number: str = ""
    country: str = ""
    status: str = "none"
    checked_at: datetime | None = None
    reference: str = ""
    name: str = ""  # whose it is, as VIES says
    address: str = ""
    problem: str = ""

    def columns(self) -> dict[str, object]:
        return {column: getattr(self, name) for column, name in NUMBER_COLUMNS.items()}


NUMBER_COLUMNS = {
    "vat_number": "number",
    "vat_number_status": "status",
    "vat_checked_at": "checked_at",
    "vat_check_reference": "reference",
    "vat_check_name": "name",
    "vat_check_address": "address",
}
NO_NUMBER = NumberCheck()


@dataclass(frozen=True, kw_only=True)
class Seller:
    country: str
    uses_oss: bool
    registered: frozenset[str] = frozenset()  # countries outside the EU whose VAT it charges there
    is_small: bool = False  # exempt from VAT as a small business


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The rate, how it came about, and the reason in words for the buyer."""

    country: str
    rate: Decimal
    treatment: str
    reason: str
    number: NumberCheck


def decide(*, seller: Seller, buyer: str, number: NumberCheck, rates: Mapping[str, Decimal]) -> Decision:
    """What a buyer in a country pays; `buyer` may be empty, then the number's country counts."""
    country = buyer or number.country
    rule = _rule_abroad if country and country != seller.country else _rule_at_home
    rate, treatment, reason = rule(seller, country, number, rates)
    return Decision(country=country, rate=rate, treatment=treatment, reason=reason, number=number)


Rule = tuple[Decimal, str, str]


def _rule_at_home(seller: Seller, country: str, number: NumberCheck, rates: Mapping[str, Decimal]) -> Rule:  # noqa: ARG001
    """In the seller's own country, or where none is known yet."""
    treatment = "domestic" if country else "assumed"
    if seller.is_small:
        return NOTHING, treatment, SMALL
    reason = f"VAT of {country_name(seller.country)}{'' if country else ', until you choose your country'}."
    return rates.get(seller.country, NOTHING), treatment, reason


def _rule_abroad(seller: Seller, country: str, number: NumberCheck, rates: Mapping[str, Decimal]) -> Rule:
    place = country_name(country)
    if country not in EU:
        is_charged = country in seller.registered and country in rates and not number.number
        if is_charged:
            return rates[country], "destination", f"VAT of {place}."
        return NOTHING, "outside_scope", f"{place}: no EU VAT."
    if number.status == "valid":
        return NOTHING, "reverse_charge", REVERSE
    if seller.is_small:
        return NOTHING, "domestic", SMALL
    note = NOTES[number.status]
    if seller.uses_oss and country in rates:
        return rates[country], "destination", f"VAT of {place}.{note}"
    home = rates.get(seller.country, NOTHING)
    return home, "domestic", f"Sold from {country_name(seller.country)}, with its VAT.{note}"
