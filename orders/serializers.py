"""Answers of the orders area."""

from typing import Any

from rest_framework import serializers

from core.serializers import Shape
from orders.selectors import ProductList


class WeekOnSaleOut(Shape):
    """A launch week and what can be bought for it."""

    week = serializers.DateField()
    slots_left = serializers.IntegerField(min_value=0)
    products = serializers.ListField(child=serializers.CharField())


class AmountBoundsOut(Shape):
    """The bounds of an amount the buyer chooses."""

    min_cents = serializers.IntegerField()
    max_cents = serializers.IntegerField()


class CategoryCountOut(Shape):
    """How many categories may be chosen."""

    min = serializers.IntegerField()
    max = serializers.IntegerField()


class ProductOptionOut(Shape):
    """A further choice of a product."""

    key = serializers.CharField()
    type = serializers.CharField()
    required = serializers.BooleanField()  # type: ignore[assignment]
    choices = serializers.ListField(child=serializers.CharField(), required=False, allow_null=True)


class ProductOut(Shape):
    """One product."""

    code = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    price_cents = serializers.IntegerField(min_value=0)
    price_kind = serializers.CharField(help_text="fixed, per_unit or amount; more may come.")
    needs_listing = serializers.BooleanField()
    for_plans = serializers.ListField(child=serializers.CharField())
    week = serializers.CharField(help_text="required, optional or none; more may come.")
    amount = AmountBoundsOut(required=False, allow_null=True)
    categories = CategoryCountOut(required=False, allow_null=True)
    options = ProductOptionOut(many=True)
    available = serializers.BooleanField()
    unavailable_reason = serializers.CharField(required=False, allow_null=True)


class ProductListOut(Shape):
    """Everything that can be bought."""

    currency = serializers.CharField()
    prices_include_vat = serializers.BooleanField()
    weeks = WeekOnSaleOut(many=True)
    items = ProductOut(many=True)

    @classmethod
    def render(cls, value: ProductList) -> dict[str, Any]:
        """From the catalogue. Nothing is for sale yet: an empty list is the truth."""
        return {
            "currency": value.currency,
            "prices_include_vat": False,
            "weeks": [
                {"week": row.week, "slots_left": row.slots_left, "products": []} for row in value.weeks
            ],
            "items": [],
        }
