"""Where the buyer lives, answered by the buyer, where what is known of it does not agree.

An answer that the payment or the network confirms settles the order by that country's VAT, unless more money would be
due; any other stands before staff, who decide.
"""

from datetime import datetime

from django.db import transaction

from core.api.errors import ApiError
from orders import evidence, limits, mails, refunding, settle
from orders.checkout import reprice
from orders.errors import OrderCannotMoveError
from orders.models import Order
from orders.selectors.payers import number_of
from orders.timeline import locked, note
from orders.wording import country_name, price


class DearerError(Exception):
    """There the order costs more than what came."""


@transaction.atomic
def answer(*, order_id: int, country: str, shows: str, by: str, at: datetime) -> Order:
    """Take the answer of the buyer, with what shows it. Raises OrderCannotMoveError where nothing is asked."""
    order = locked(order_id)
    payment = settle.money_in_review(order)
    if not evidence.is_unanswered(order) or payment is None:
        raise OrderCannotMoveError("There is nothing to answer.", current=order.status)
    here = refunding.left(payment, line=None)
    order.place_evidence = {**order.place_evidence, "answer": country}
    order.save(update_fields=["place_evidence"])
    text = f"The buyer answers: {country_name(country)}. {shows}"
    note(order=order, kind="place_answered", text=text, by=by, at=at)
    if not evidence.confirms(order, country=country):
        return _left_to_staff(order, text, at=at)
    try:
        with transaction.atomic():
            _move(order, here, country=country, at=at)
            settle.accept(order=order, payment=payment, by="system", at=at)
    except (ApiError, DearerError) as error:
        order.refresh_from_db()
        return _left_to_staff(order, f"{text} {getattr(error, 'detail', error)}", at=at)
    if over := here - order.total_cents:
        settle.flag_surplus(payment, over_cents=over, at=at)
    return order


def _move(order: Order, here: int, *, country: str, at: datetime) -> None:
    """Work the order out for a country. Raises DearerError where that is more than what is `here`."""
    order.billing_country = country
    order.save(update_fields=["billing_country"])
    where = {"country": country, "postcode": order.billing_postcode}
    reprice(order=order, **where, number=number_of(order), promo=order.promo, at=at)  # which it was paid with
    if order.total_cents > here:
        total = price(order.total_cents, order.currency)
        raise DearerError(f"There the order costs {total}: refund it, and let the buyer order again.")


def _left_to_staff(order: Order, text: str, *, at: datetime) -> Order:
    order.review_reason = f"{evidence.doubt(order)} {text}"[: limits.NOTE]
    order.save(update_fields=["review_reason"])
    mails.send_to_staff(order=order, reason=order.review_reason, about=at)
    return order
