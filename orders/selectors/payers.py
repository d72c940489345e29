"""Who pays an order, as far as a page may say: the address of one person is never shown to another."""

from dataclasses import dataclass, field

from orders.models import Order
from orders.vat import NO_NUMBER, NUMBER_COLUMNS, NumberCheck

COLUMNS = ("email", "name", "company", "address", "postcode", "city", "country")


@dataclass(frozen=True, kw_only=True)
class Payer:
    """What the form holds at first, and where its country comes from: `order`, `last`, `listing` or nowhere."""

    columns: dict[str, str] = field(default_factory=dict)
    number: NumberCheck = NO_NUMBER
    source: str = ""


def payer_of(order: Order, *, is_owner: bool) -> Payer:
    """Who pays, for somebody who has the order's link; only its owner is remembered from former orders.

    What was filled in shows to the kind of person who filled it in: the owner, or whoever else holds the link.
    """
    if order.billing_country or order.vat_country or order.vat_number:
        return Payer(columns=_filled(order, is_owner=is_owner), number=number_of(order), source="order")
    if not is_owner:
        return Payer(columns=_filled(order, is_owner=False))
    last = _last_of(order)
    if last is not None:
        return Payer(columns=_columns(last), number=number_of(last), source="last")
    lines = order.lines.exclude(listing=None).exclude(listing__country="").order_by("position")
    country = lines.values_list("listing__country", flat=True).first() or ""
    return Payer(columns={"country": country}, source="listing" if country else "")


def _filled(order: Order, *, is_owner: bool) -> dict[str, str]:
    country = order.billing_country or order.vat_country
    if is_owner == order.billing_by_owner:
        return {**_columns(order), "country": country}
    last = _last_of(order) if is_owner else None
    columns = _columns(last) if last else {}
    if columns.get("country") != country:  # a street of another country is no guess
        columns = {name: value for name, value in columns.items() if name in ("email", "name", "company")}
    return {**columns, "country": country}


def _columns(order: Order) -> dict[str, str]:
    return {name: getattr(order, f"billing_{name}") for name in COLUMNS}


def _last_of(order: Order) -> Order | None:
    if order.owner_id is None:
        return None
    mine = Order.objects.owned_by(order.owner_id).filter(billing_by_owner=True).exclude(pk=order.pk)
    return mine.exclude(billing_country="").exclude(billing_name="").order_by("-created_at", "-pk").first()


def number_of(order: Order) -> NumberCheck:
    """What was found out about the VAT number of an order."""
    if not order.vat_number:
        return NO_NUMBER
    letters = order.vat_number[:2].upper()
    stored = {name: getattr(order, column) for column, name in NUMBER_COLUMNS.items()}
    return NumberCheck(country="GR" if letters == "EL" else letters, **stored)
