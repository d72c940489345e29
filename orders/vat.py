"""Which VAT a buyer pays, and why: pure. What is sold are electronic services at the standard rate.

A tax adviser has to confirm these rules for each seller (docs/decisions/0043).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from orders.wording import country_name

EU = frozenset(
    {
        "AT",
        "BE",
        "BG",
        "HR",
        "CY",
        "CZ",
        "DK",
        "EE",
        "FI",
        "FR",
        "DE",
        "GR",
        "HU",
        "IE",
        "IT",
        "LV",
        "LT",
        "LU",
        "MT",
        "NL",
        "PL",
        "PT",
        "RO",
        "SK",
        "SI",
        "ES",
        "SE",
    }
)
NOTHING = Decimal("0.00")
NOTES = {
    "none": "",
    "valid": "",
    "invalid": " The VAT number isn't registered for trade within the EU.",
    "unavailable": " We couldn't check the VAT number just now.",
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
    problem: str = ""


NO_NUMBER = NumberCheck()


@dataclass(frozen=True, kw_only=True)
class Seller:
    """Where the seller is, and whether it pays VAT abroad through the one-stop shop."""

    country: str
    uses_oss: bool


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
    home = rates.get(seller.country, NOTHING)

    def decided(rate: Decimal, treatment: str, reason: str) -> Decision:
        return Decision(country=country, rate=rate, treatment=treatment, reason=reason, number=number)

    if not country:
        return decided(home, "assumed", "Choose your country to see VAT.")
    place = country_name(country)
    if country == seller.country:
        return decided(home, "domestic", f"VAT of {place}.")
    if country not in EU:
        return decided(NOTHING, "outside_scope", f"{place}: no EU VAT.")
    if number.status == "valid":
        return decided(
            NOTHING,
            "reverse_charge",
            "Reverse charge: the buyer accounts for VAT (Article 196 of Directive 2006/112/EC).",
        )
    note = NOTES[number.status]
    if seller.uses_oss and country in rates:
        return decided(rates[country], "destination", f"VAT of {place}.{note}")
    return decided(home, "domestic", f"Sold from {country_name(seller.country)}, with its VAT.{note}")
