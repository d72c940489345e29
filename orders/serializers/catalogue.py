from collections.abc import Iterable
from datetime import date
from typing import Any

from core.api.serializers import Bool, Date, Int, ListOf, OpenWord, Shape, Str
from orders import limits
from orders.payments import CLOSED
from orders.products import NOW, Option, Price, Product
from orders.selectors.catalogue import ProductList


class WeekOnSaleOut(Shape):
    """A launch week and what can be bought for it."""

    week = Date("The Monday of the week, for an order's week.")
    slots_left = Int("How many places are left.", min_value=0)
    products = ListOf(Str(), "Codes of the products that take this week.")


class AmountBoundsOut(Shape):
    """The bounds of an amount the buyer chooses."""

    min_cents = Int("The least, in cents.")
    max_cents = Int("The most, in cents, that can be charged with the highest VAT on top.")


class CategoryCountOut(Shape):
    """How many categories may be chosen."""

    min = Int("At least so many.")
    max = Int("At most so many.")


class ProductOptionOut(Shape):
    """A further choice of a product."""

    key = Str("Its name in an item's options.")
    type = OpenWord("What its value is.", values=("text", "url"))
    required = Bool("It has to be given.")  # type: ignore[assignment]
    choices = ListOf(Str(), "What may be chosen; null for free values.", null=True)


class ProductOut(Shape):
    """One product."""

    code = Str("The product's code, for an order's items.")
    name = Str("The product's name.")
    description = Str("What is bought.")
    price_cents = Int(
        "Before VAT, in cents of currency: for one; for each category with per_unit; the least with amount.",
        min_value=0,
    )
    price_kind = OpenWord("How the price comes about.", values=("fixed", "per_unit", "amount"))
    needs_listing = Bool("An item needs listing_id.")
    for_plans = ListOf(Str(), "Plans of listings it can be bought for.")
    week = OpenWord("Whether an item takes a week.", values=("required", "optional", "none"))
    amount = AmountBoundsOut(allow_null=True, help_text="Bounds of amount_cents; null if it takes none.")
    categories = CategoryCountOut(allow_null=True, help_text="How many categories; null if it takes none.")
    options = ProductOptionOut.list_of("Further choices.")
    available = Bool("It can be bought now.")
    unavailable_reason = Str("Why it cannot; null if it can.", null=True)

    @classmethod
    def render(cls, value: tuple[Product, Price, str | None, Iterable[date]]) -> dict[str, Any]:
        """From a product, its price, why it cannot be bought, and the weeks on sale."""
        product, price, reason, weeks = value
        needed = product.needed_status
        amount = {
            "min_cents": max(price.amount_cents, limits.AMOUNT_MIN),
            "max_cents": limits.AMOUNT_CHARGEABLE,
        }
        return cls.of(
            product,
            description=product.describe() + (f" It is {needed}." if needed else ""),
            price_cents=price.amount_cents,
            for_plans=list(product.plans),
            amount=amount if product.price_kind == "amount" else None,
            categories={"min": 1, "max": limits.EXTRA_CATEGORIES}
            if product.price_kind == "per_unit"
            else None,
            options=[
                ProductOptionOut.of(option, choices=_choices(option, weeks)) for option in product.options
            ],
            available=reason is None,
            unavailable_reason=reason,
        )


class ProductListOut(Shape):
    """Everything that can be bought."""

    currency = Str("ISO 4217, of all prices.")
    prices_include_vat = Bool("Always false: VAT comes on top.")
    weeks = WeekOnSaleOut.list_of("Launch weeks on sale, the nearest first.")
    items = ProductOut.list_of("The products.")

    @classmethod
    def render(cls, value: ProductList) -> dict[str, Any]:
        of_weeks = [
            product.code for product, price in value.products if product.week != "none" and price.is_on_sale
        ]
        return {
            "currency": value.currency,
            "prices_include_vat": False,
            "weeks": [
                {"week": week, "slots_left": left, "products": of_weeks if left else []}
                for week, left in value.places.items()
            ],
            "items": [
                ProductOut.render((product, price, _why_not(product, price, of=value), value.places))
                for product, price in value.products
            ],
        }


def _choices(option: Option, weeks: Iterable[date]) -> list[str] | None:
    if option.takes_week:
        return [NOW, *(week.isoformat() for week in weeks)]
    return list(option.choices) if option.choices else None


def _why_not(product: Product, price: Price, *, of: ProductList) -> str | None:
    """Why a product cannot be bought now; None if it can."""
    if not of.is_open:
        return CLOSED
    if not price.is_on_sale:
        return "It is not on sale now."
    if reason := product.unavailable_reason():
        return reason
    if product.week == "required" and not any(of.places.values()):
        return "Every week on sale is full."
    return None
