"""How the pages and mails of orders say money and countries."""

import re
import unicodedata
from decimal import Decimal

from directory.countries import country_names

# Parts of countries with VAT rules of their own; ISO 3166 has reserved these letters for them, or leaves them free.
PARTS = {
    "IC": "Canary Islands",
    "EA": "Ceuta and Melilla",
    "XH": "Heligoland",
    "XL": "Livigno",
    "XC": "Campione d’Italia",
    "XT": "Mount Athos",
}
DISPUTED = "The buyer disputes the payment. Answer on the provider's page."
SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}


def price(cents: int, currency: str) -> str:
    """An amount with its sign and two decimals; less than nothing has a minus in front."""
    whole, part = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}{SIGNS.get(currency, f'{currency} ')}{whole:,}.{part:02d}"


def percent(rate: Decimal | str) -> str:
    """A rate without zeros at its end: 21%, 25.5%."""
    return f"{Decimal(rate).normalize():f}%"


def country_name(code: str) -> str:
    return PARTS.get(code) or country_names().get(code, [code])[0]


COMPANIES = """
ab ag and aps as bv bvba cv doo et eurl gmbh inc kft kg lda limited llc ltd mbh nv oe og ohg oy oyj plc sa sarl sas sasu
sca scs sl slu snc spa spol sprl srl sro ug und vof
"""
FORMS = frozenset(COMPANIES.split())


def is_unlike(registered: str, *others: str) -> bool:
    """Whether no word of the names given is one of the registered name; no name at all is unlike nothing."""
    existing, typed = _words(registered), [word for name in others for word in _words(name)]
    if not existing or not typed or set(existing) & set(typed):
        return False
    whole = "".join(existing)
    return not any(joined in whole or whole in joined for name in others if (joined := "".join(_words(name))))


def _words(name: str) -> list[str]:
    """Its words without accents, case, single letters and the form of the company."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).casefold()
    return [
        word for word in re.findall(r"\w+", plain.replace(".", "")) if len(word) > 1 and word not in FORMS
    ]
