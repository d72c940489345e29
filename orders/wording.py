"""How the pages and mails of orders say money and countries."""

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
SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}


def price(cents: int, currency: str) -> str:
    """An amount with its sign and two decimals; less than nothing has a minus in front."""
    whole, part = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}{SIGNS.get(currency, f'{currency} ')}{whole:,}.{part:02d}"


def percent(rate: Decimal | str) -> str:
    """A rate without zeros at its end: 21%, 25.5%."""
    return f"{Decimal(rate).normalize():f}%"


def country_name(code: str) -> str:
    """A country by its English name; nothing for none."""
    return PARTS.get(code) or country_names().get(code, [code])[0]
