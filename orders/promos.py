"""Promo codes: whether one can be used, and how often it has been. Codes count exactly as typed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS, transaction
from django.db.models import Count, Q

from core.api import throttling
from core.postgresql.base import fetch_row
from orders.errors import Refusal, raise_for
from orders.models import Order, PromoCode, PromoUse
from orders.pricing import Discount, Item
from orders.products import PRODUCTS
from orders.wording import price

WHERE = "/promo_code"
COLUMNS = [column.attname for column in PromoCode._meta.concrete_fields]  # noqa: SLF001 Django's own way
FIND = f"SELECT {', '.join(COLUMNS)} FROM orders_promocode WHERE code = %(code)s::text"  # noqa: S608 columns


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Whose wrong tries are counted: a person, and the network the call came from."""

    user_id: int
    network: str

    @property
    def counters(self) -> tuple[tuple[str, str], ...]:
        """Policies with the caller each counts."""
        return (("promo", f"user:{self.user_id}"), ("promo_network", self.network))


def refuse_guessing(buyer: Caller) -> None:
    """Raise RateLimitedError after too many wrong tries, whatever the next one is."""
    for policy, caller in buyer.counters:
        allowance = throttling.count(policy, caller=caller, cost=0)
        if not allowance.remaining:
            raise allowance.error()


def count_wrong_try(buyer: Caller) -> None:
    """Count a code that was refused. Raises RateLimitedError where that is one too many."""
    for policy, caller in buyer.counters:
        throttling.enforce(policy, caller=caller)


def discount_of(promo: PromoCode) -> Discount:
    percent, cents, products = promo.percent, promo.amount_cents, frozenset(promo.products)
    return Discount(code=promo.code, percent=percent, amount_cents=cents, products=products)


def names_of(promo: PromoCode) -> str:
    return ", ".join(PRODUCTS[code].name for code in promo.products if code in PRODUCTS)


def description_of(promo: PromoCode) -> str:
    if promo.percent is not None:
        off = f"{promo.percent.normalize():f}%"
    else:
        off = price(promo.amount_cents or 0, settings.CURRENCY)
    names = names_of(promo)
    return f"{off} off {names}" if names else f"{off} off"


def find(code: str) -> PromoCode | None:
    """The code that was typed, letter by letter; text that no code can be made of finds none."""
    row = fetch_row(FIND, {"code": code})
    return None if row is None else PromoCode.from_db(DEFAULT_DB_ALIAS, COLUMNS, row)


def refusal_of(
    promo: PromoCode | None, *, user_id: int | None, items: Sequence[Item], at: datetime, besides: int = 0
) -> Refusal | None:
    """Why a code cannot be used for these items now; uses by the order `besides` do not count."""
    if promo is None:
        return _refusal("unknown", "There is no such code. Codes count exactly as typed.")
    if not promo.is_active:
        return _refusal("inactive", "This code no longer works.")
    if promo.starts_at and at < promo.starts_at:
        return _refusal("not_started", f"This code is good from {promo.starts_at:%-d %B %Y %H:%M} UTC.")
    if promo.ends_at and at >= promo.ends_at:
        return _refusal("expired", f"This code expired on {promo.ends_at:%-d %B %Y %H:%M} UTC.")
    return _refusal_by_items(promo, items) or _refusal_by_uses(promo, user_id=user_id, at=at, besides=besides)


def _refusal(kind: str, message: str) -> Refusal:
    return Refusal(code=f"promo_{kind}", pointer=WHERE, message=message)


def _refusal_by_items(promo: PromoCode, items: Sequence[Item]) -> Refusal | None:
    discount = discount_of(promo)
    eligible = [item.subtotal_cents for item in items if discount.covers(item.product)]
    if items and not eligible:
        return _refusal("wrong_products", f"This code is good for: {names_of(promo)}.")
    if promo.min_subtotal_cents and items and sum(eligible) < promo.min_subtotal_cents:
        least = price(promo.min_subtotal_cents, settings.CURRENCY)
        return _refusal("min_subtotal", f"This code needs at least {least} of what it’s good for.")
    return None


def _refusal_by_uses(promo: PromoCode, *, user_id: int | None, at: datetime, besides: int) -> Refusal | None:
    if promo.max_uses is None and promo.max_per_user is None:
        return None
    counting = Q(state=PromoUse.State.USED) | Q(state=PromoUse.State.RESERVED, held_until__gt=at)
    uses = promo.uses.filter(counting).exclude(order_id=besides)
    used = uses.aggregate(all=Count("pk"), yours=Count("pk", filter=Q(user_id=user_id)))
    if promo.max_per_user is not None and user_id is not None and used["yours"] >= promo.max_per_user:
        return _refusal("used_by_you", "You’ve used this code as often as you can.")
    if promo.max_uses is not None and used["all"] >= promo.max_uses:
        return _refusal("used_up", "This code is used up.")
    return None


def hold(*, order: Order, items: Sequence[Item], until: datetime, at: datetime) -> None:
    """Keep an order's use of its code while it is being paid. Raises PromoRefusedError if it cannot be used now.

    Those who hold the same code come one after the other, so no use is given twice.
    """
    if order.promo_id is None:
        return
    promo = PromoCode.objects.select_for_update().get(pk=order.promo_id)
    refusal = refusal_of(promo, user_id=order.owner_id, items=items, at=at, besides=order.pk)
    raise_for([refusal] if refusal else [])
    _note_use(order, state=PromoUse.State.RESERVED, until=until)


def _note_use(order: Order, *, state: str, until: datetime) -> None:
    about = {"promo_id": order.promo_id, "user_id": order.owner_id, "state": state, "held_until": until}
    PromoUse.objects.update_or_create(order=order, defaults=about)


def prolong(*, order: Order, until: datetime) -> None:
    PromoUse.objects.filter(order=order, state=PromoUse.State.RESERVED).update(held_until=until)


def release(*, order: Order) -> None:
    """Give a held use back; one that was paid with stays used."""
    PromoUse.objects.filter(order=order, state=PromoUse.State.RESERVED).update(state=PromoUse.State.RELEASED)


def use(*, order: Order, at: datetime) -> None:
    """Note that an order was paid with its code, whatever became of the hold: the money was less."""
    if order.promo_id is not None:
        _note_use(order, state=PromoUse.State.USED, until=at)


@transaction.atomic
def create_promo_code(
    *, code: str, percent: Decimal | None, amount_cents: int | None, at: datetime, **rules: object
) -> PromoCode:
    """Make a code; the database refuses one that is neither a percentage nor an amount."""
    products = rules.get("products")
    unknown = [each for each in products if each not in PRODUCTS] if isinstance(products, list) else []
    if unknown:
        raise ValidationError({"products": f"There is no product {unknown[0]}."})
    values = {"code": code, "percent": percent, "amount_cents": amount_cents, "created_at": at, **rules}
    PromoCode(**values).full_clean()
    return PromoCode.objects.create(**values)
