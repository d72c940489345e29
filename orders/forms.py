from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError

from core.api.serializers import HIDDEN
from directory.countries import countries
from orders import limits
from orders.models import Order
from orders.selectors.payers import Payer
from orders.vat import EU, NO_NUMBER
from orders.wording import country_name

NEEDED_TO_PAY = ("email", "name", "address", "postcode", "city", "country", "terms")
PLACES_WITHOUT_POSTCODES = frozenset(
    {"AE", "AO", "BS", "BZ", "FJ", "GH", "HK", "IE", "MO", "PA", "QA", "UG", "ZW"}
)


def hides_nothing(text: str) -> None:
    """Refuse characters that cannot be seen or that turn the order of text."""
    if HIDDEN.search(text):
        raise ValidationError("This holds characters that cannot be seen; type it anew.", code="hidden")


def text(label: str, length: int, autocomplete: str, **more: Any) -> forms.CharField:
    attributes = {"autocomplete": autocomplete} | more.pop("attrs", {})
    return forms.CharField(
        label=label,
        max_length=length,
        validators=[hides_nothing],
        widget=forms.TextInput(attrs=attributes),
        error_messages={"required": "Fill this in."},
        **more,
    )


def reverse_charge_hint() -> str:
    if settings.SELLER_COUNTRY not in EU:
        return ""
    return f"EU business outside {country_name(settings.SELLER_COUNTRY)}? No VAT with a valid number."


class CheckoutForm(forms.Form):
    """Who pays and how. Only paying needs everything; what is checked before may be incomplete."""

    email = forms.EmailField(
        label="E-mail for the receipt",
        max_length=limits.EMAIL,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": "Fill this in."},
    )
    name = text("Name", limits.NAME, "name")
    company = text("Company", limits.NAME, "organization", required=False)
    address = text("Street and number", limits.ADDRESS, "street-address")
    postcode = text("Postal code", limits.POSTCODE, "postal-code")
    city = text("City", limits.NAME, "address-level2")
    country = forms.ChoiceField(
        label="Country",
        widget=forms.Select(attrs={"autocomplete": "country"}),
        error_messages={"required": "Choose a country."},
    )
    vat_number = text(
        "VAT number",
        limits.VAT_NUMBER,
        "off",
        required=False,
        attrs={"spellcheck": "false", "autocapitalize": "characters"},
    )
    promo_code = text(
        "Promo code", limits.PROMO_CODE, "off", required=False, strip=False, attrs={"spellcheck": "false"}
    )
    method = forms.ChoiceField(label="How to pay", error_messages={"required": "Choose how to pay."})
    terms = forms.BooleanField(
        label="Your consent", error_messages={"required": "Please agree, so that we can start."}
    )
    total = forms.IntegerField(required=False, widget=forms.HiddenInput)
    first_number = NO_NUMBER  # what is known of the number that the form holds at first

    def __init__(self, *args: Any, methods: list[str], pays: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["vat_number"].help_text = reverse_charge_hint()
        self.fields["country"].choices = [("", "Choose one"), *countries()]  # type: ignore[attr-defined]
        self.fields["method"].choices = [(code, code) for code in methods]  # type: ignore[attr-defined]
        self.fields["method"].required = pays and bool(methods)
        self.fields[
            "method"
        ].disabled = not methods  # what was priced before a code took all off still names one
        for name in NEEDED_TO_PAY:
            self.fields[name].required = pays
        if self.data.get("country") in PLACES_WITHOUT_POSTCODES:
            self.fields["postcode"].required = False


class PlaceForm(forms.Form):
    country = forms.ChoiceField(
        label="Where do you usually live?", error_messages={"required": "Choose a country."}
    )
    shows = forms.CharField(
        label="What shows it?",
        help_text="Such as the address on a bill, or the country of your bank. No numbers of accounts or cards.",
        max_length=limits.PLACE_SHOWS,
        validators=[hides_nothing],
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Fill this in."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["country"].choices = [("", "Choose one"), *countries()]  # type: ignore[attr-defined]


def initial_of(order: Order, payer: Payer, *, email: str, methods: list[str]) -> dict[str, Any]:
    """What the form holds at first: what is known of whoever looks at it."""
    return {
        **payer.columns,
        "email": payer.columns.get("email") or email,
        "vat_number": payer.number.number,
        "promo_code": order.promo.code if order.promo else "",
        "method": methods[0] if methods else "",
    }
