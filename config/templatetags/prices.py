"""Prices as their makers wrote them, in the words of a page."""

import re

from django import template

register = template.Library()
SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}
# one price and its currency, and nothing else in figures: a range or a second price stays as its maker wrote it
PRICE = re.compile(r"(From |)(\d{1,3}(?:,\d{3})*(?:\.\d\d)?|\d+) (EUR|USD|GBP)(\b[^\d€$£]*)")


@register.filter
def priced(text: str, model: str | None = "") -> str:
    """A maker's one price with the sign of its currency: `€18 a month`; a bare one that is paid once says so."""
    match = PRICE.fullmatch(text)
    if match is None:
        return text
    start, amount, currency, rest = match.groups()
    return f"{start}{SIGNS[currency]}{amount}{rest or (' once' if model == 'one_time' else '')}"


@register.filter
def money(cents: int, currency: str | None) -> str:
    return f"{SIGNS.get(currency or '', f'{currency} ')}{cents / 100:,.2f}".replace(".00", "")
