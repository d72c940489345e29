"""What a cart costs: the one computation behind quotes, orders and changed orders. Nothing is saved here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings

from core.api.errors import ApiError
from directory.models import Site
from orders import limits, promos
from orders.cart import check_items, load_context
from orders.errors import Refusal, raise_for
from orders.models import PromoCode
from orders.pricing import Cart, Item, price_cart
from orders.products import PRODUCTS
from orders.promos import Caller
from orders.selectors.catalogue import prices, vat_rates
from orders.seller import day_of, seller
from orders.vat import NO_NUMBER, Decision, NumberCheck, decide
from orders.vat_areas import place_of
from orders.vat_numbers import read_number
from orders.wording import price as money

VAT_FIELD = "/vat_number"


@dataclass(frozen=True, kw_only=True)
class Quote:
    """A priced cart with the VAT that was decided on and the code that was used."""

    currency: str
    cart: Cart
    vat: Decision
    promo: PromoCode | None


def quote_order(
    *, buyer: Caller, site: Site, cart: Mapping[str, Any], number: NumberCheck, at: datetime
) -> Quote:
    """Price a cart with everything checked. Raises one error that names all that is wrong; saves nothing.

    `number` is what `check_number` found out of the VAT number, before any transaction.
    """
    code = cart.get("promo_code")
    if code is not None:
        promos.refuse_guessing(buyer)
    context = load_context(user_id=buyer.user_id, site=site, items=cart["items"], at=at)
    items, wrong = check_items(items=cart["items"], context=context)
    promo = None if code is None else promos.find(code)
    if code is not None:
        refusal = promos.refusal_of(promo, user_id=buyer.user_id, items=items, at=at)
        if refusal:
            promos.count_wrong_try(buyer)
            wrong.append(refusal)
    raise_for([*wrong, *_wrong_number(number)])
    return price(items=items, country=cart.get("billing_country", ""), number=number, promo=promo, at=at)


def refuse_items(
    *, user_id: int, site: Site, items: Sequence[Mapping[str, Any] | None], at: datetime
) -> None:
    """What `quote_order` raises for these items; those without their shape are None and left out."""
    places = [place for place, item in enumerate(items) if item is not None]
    whole = [item for item in items if item is not None]
    _, wrong = check_items(items=whole, context=load_context(user_id=user_id, site=site, items=whole, at=at))
    raise_for(replace(refusal, pointer=_at_place(refusal.pointer, places)) for refusal in wrong)


def refuse_number(vat_number: str | None, *, country: str | None, at: datetime) -> None:
    """What `quote_order` raises for how the VAT number is written; nobody is asked whether it is registered.

    Where the country is not known for its own fault (None), the number may be right.
    """
    if vat_number and country is not None:
        raise_for(_wrong_number(read_number(vat_number=vat_number, country=country, on=day_of(at))))


def _wrong_number(number: NumberCheck) -> list[Refusal]:
    problem = number.problem
    return [Refusal(code="vat_number_invalid", pointer=VAT_FIELD, message=problem)] if problem else []


def _at_place(pointer: str, places: Sequence[int]) -> str:
    _, items, index, *rest = pointer.split("/")
    return "/".join(("", items, str(places[int(index)]), *rest))


def price(
    *,
    items: Sequence[Item],
    country: str,
    number: NumberCheck,
    promo: PromoCode | None,
    at: datetime,
    postcode: str = "",
) -> Quote:
    """Price items that have been checked. Raises what `quote_order` raises for a total that cannot be charged."""
    vat = decide_vat(country=country, postcode=postcode, number=number, on=day_of(at))
    discount = promos.discount_of(promo) if promo else None
    cart = price_cart(items=items, rate=vat.rate, discount=discount)
    raise_for(_unchargeable(cart.total_cents))
    return Quote(currency=settings.CURRENCY, cart=cart, vat=vat, promo=promo)


def decide_vat(*, country: str, postcode: str = "", number: NumberCheck, on: date) -> Decision:
    """The VAT of a buyer at a place; without a postcode, of the country as a whole."""
    place = place_of(country=country, postcode=postcode, on=on)
    own = seller(on=on)
    rates = vat_rates(countries=filter(None, (own.country, place.country, number.country)), on=on)
    if place.rate is not None:
        rates[place.country] = place.rate
    return decide(seller=own, buyer=place.country, number=number, rates=rates)


def public_rate(*, at: datetime) -> Decimal | None:
    """The VAT in the prices that everybody sees: the seller's where a setting says so, else None."""
    is_taxed = settings.SHOWN_PRICES == "with_vat"
    return decide_vat(country="", number=NO_NUMBER, on=day_of(at)).rate if is_taxed else None


@dataclass(frozen=True, kw_only=True)
class Tried:
    """What a buyer would be quoted, or why not."""

    quote: Quote | None = None
    refusal: str = ""


def try_quote(
    *, products: Sequence[str], country: str, user_id: int | None, code: str, at: datetime
) -> Tried:
    """For staff: what these products would cost a buyer at a moment, with a code. Nothing is stored or counted."""
    costs = prices(at=at)
    items = [
        Item(product=name, name=PRODUCTS[name].name, unit_cents=costs[name].amount_cents, options={})
        for name in products
        if name in costs
    ]
    promo = promos.find(code) if code else None
    refusal = promos.refusal_of(promo, user_id=user_id, items=items, at=at) if code else None
    if refusal:
        return Tried(refusal=refusal.message)
    try:
        return Tried(quote=price(items=items, country=country, number=NO_NUMBER, promo=promo, at=at))
    except ApiError as error:
        return Tried(refusal=error.detail)


def _unchargeable(total: int) -> Iterator[Refusal]:
    if 0 < total < limits.TOTAL_MIN:
        message = (
            f"A total of {money(total, settings.CURRENCY)} cannot be charged; it has to be nothing or at least "
            f"{money(limits.TOTAL_MIN, settings.CURRENCY)}."
        )
        yield Refusal(code="total_below_minimum", pointer="/items", message=message, limit=limits.TOTAL_MIN)
    if total > limits.TOTAL_MAX:
        message = f"A total of {money(total, settings.CURRENCY)} cannot be charged at once."
        yield Refusal(code="total_above_maximum", pointer="/items", message=message, limit=limits.TOTAL_MAX)
