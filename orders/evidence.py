"""Where a buyer is (Implementing Regulation 282/2011, article 24b): what says so, and whether two things agree.

What was typed is one; the billing address and the card of the provider, and the network's country, are others. A
provider that tells none leaves the typed country alone, as with sales of less than the year's threshold.
"""

from orders.models import Order
from orders.vat_areas import whole
from orders.wording import country_name

SOURCES = {
    "typed": "Typed",
    "billing": "Billing address there",
    "card": "Card from",
    "network": "Network from",
}


def collected(order: Order, *, told: dict[str, str]) -> dict[str, str]:
    """Every country that is known of, by what says it."""
    typed = order.billing_country or order.vat_country
    rows = {"typed": typed, **order.place_evidence, **told}
    return {source: rows[source].upper() for source in SOURCES if _is_country(rows.get(source, ""))}


def doubt(order: Order) -> str:
    """Why it is not known where a consumer is, as staff read it; nothing where two things agree or none gainsays.

    A business is where its valid number is.
    """
    rows = {source: whole(country) for source, country in order.place_evidence.items()}
    typed = rows.pop("typed", "")
    if order.vat_number_status == "valid" or not typed or not rows or typed in rows.values():
        return ""
    others = ", ".join(f"{SOURCES[source].lower()} {country_name(rows[source])}" for source in rows)
    return f"Where is the buyer? {country_name(typed)} was typed, but: {others}. VAT depends on it."


def _is_country(code: object) -> bool:
    return isinstance(code, str) and len(code) == 2 and code.isascii() and code.isalpha()
