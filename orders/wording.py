"""How the pages and mails of orders say money."""

SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}


def price(cents: int, currency: str) -> str:
    """An amount with its sign and two decimals; less than nothing has a minus in front."""
    whole, part = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}{SIGNS.get(currency, f'{currency} ')}{whole:,}.{part:02d}"
