"""A cart as it is sent."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from core.api.serializers import Country, Integer, ListOf, Name, StrictSerializer, Text
from directory.countries import country_names
from orders import limits

TEXT = Name()


class Verbatim(Text):
    """A text that counts letter by letter: neither trimmed nor composed anew."""

    def to_internal_value(self, data: Any) -> str:
        """As it was given, once it is one that could be."""
        super().to_internal_value(data)
        return str(data)


@extend_schema_field({"type": "object", "maxProperties": limits.OPTIONS, "additionalProperties": True})
class Options(serializers.DictField):
    """Choices by their name. The product says what each may be; an empty text counts as left out."""

    default_error_messages = {
        "too_many": "This must have at most {max_length} entries.",
        "not_an_object": "This must be a JSON object.",
    }
    max_length = limits.OPTIONS

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_an_object")
        if len(data) > self.max_length:
            message = self.error_messages["too_many"].format(max_length=self.max_length)
            raise ValidationError(message, code="max_length")
        wrong: dict[Any, Any] = {}
        for name, value in (entry for entry in data.items() if isinstance(entry[1], str)):
            try:
                data = {**data, name: TEXT.to_internal_value(value)}
            except ValidationError as error:
                wrong[name] = error.detail
        if wrong:
            raise ValidationError(wrong)
        return {name: value for name, value in data.items() if value != ""}


class ItemIn(StrictSerializer):
    """One product of a cart, with what it needs."""

    product = Text(max_length=limits.PRODUCT, help_text="A product's code, as list_products gives it.")
    listing_id = Integer(
        min_value=1,
        required=False,
        help_text="The listing it is for, of your own; products say if they need it.",
    )
    week = Text(
        max_length=limits.WEEK,
        required=False,
        help_text="The Monday (YYYY-MM-DD) of a week of list_products. launch: omit it to go live now.",
    )
    amount_cents = Integer(
        min_value=limits.AMOUNT_MIN,
        max_value=limits.AMOUNT_MAX,
        required=False,
        help_text="billboard_min only: what you give, at least the minimum.",
    )
    categories = ListOf(
        Text(),
        f"extra_categories only: slugs of up to {limits.EXTRA_CATEGORIES} more categories.",
        max_length=limits.CATEGORIES_SENT,
        required=False,
    )
    options = Options(required=False, help_text="For products whose entry has options.")


class CartIn(StrictSerializer):
    """What to buy, where the buyer is, and a code."""

    items = ListOf(ItemIn(), "What to buy.", min_length=limits.ITEMS_MIN, max_length=limits.ITEMS_MAX)
    billing_country = Country(required=False, help_text="ISO 3166-1 alpha-2, for the VAT preview.")
    vat_number = Text(
        max_length=limits.VAT_NUMBER,
        required=False,
        help_text="A business of another EU country with a valid number gets reverse charge.",
    )
    promo_code = Verbatim(
        max_length=limits.PROMO_CODE,
        required=False,
        trim_whitespace=False,
        help_text="Exactly as typed. A code that cannot be used is refused with the reason.",
    )

    def validate_billing_country(self, value: str) -> str:
        if value not in country_names():
            raise ValidationError("There is no such country in ISO 3166-1.", code="country_unknown")
        return value
