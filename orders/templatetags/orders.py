from collections.abc import Mapping
from typing import Any

from django import template

from orders import wording
from orders.models import Order, OrderLine
from orders.reviewing import KINDS

register = template.Library()
register.filter("price", wording.price)
register.filter("percent", wording.percent)


@register.filter
def subtotal(line: OrderLine) -> int:
    return line.unit_cents * line.quantity


@register.filter
def negative(cents: int) -> int:
    return -cents


@register.filter
def makes_up(order: Order) -> str:
    """What the total is made of: the price, and the VAT with its rate and country."""
    if not order.vat_cents:
        return order.vat_reason
    net, vat = (wording.price(cents, order.currency) for cents in (order.net_cents, order.vat_cents))
    rate = wording.percent(order.vat_rate)
    if not order.vat_country:
        return f"{net} and {vat} VAT ({rate}). {order.vat_reason}"
    return f"{net} and {vat} VAT ({rate}, {wording.country_name(order.vat_country)})"


@register.filter
def parties(document: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return [("From", document["seller"]), ("To", document["buyer"])]


@register.filter
def finding_kind(finding: Mapping[str, Any]) -> str:
    return KINDS.get(finding.get("kind", ""), "")
