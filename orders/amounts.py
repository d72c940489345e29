"""Amounts as people type them, in the currency's own form: 5.90 is 5,90, and what is unclear is refused."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError

from directory.countries import country_names
from orders import limits
from orders.wording import price

LONGEST = 24
SPACES = str.maketrans(dict.fromkeys("\u00a0\u202f\u2009", " ") | {"’": "'"})
WHOLE = re.compile(r"(\d+)(?:[.,](\d{1,2}))?", re.ASCII)
GROUPED = re.compile(
    r"(\d{1,3}(?:(?P<sep>[ .,'])\d{3})(?:(?P=sep)\d{3})*)(?:(?!(?P=sep))[.,](\d{1,2}))?", re.ASCII
)
UNCLEAR = re.compile(r"\d{1,3}[.,]\d{3}", re.ASCII)
NO_AMOUNT = "This is no amount. Write it like 5.90 or 5,90."


def hundredths(text: str) -> int:
    """A typed number in hundredths. Raises ValidationError for none, and for one that can be read in two ways."""
    typed = text.translate(SPACES).strip()
    if UNCLEAR.fullmatch(typed):
        digits = re.sub(r"\D", "", typed)
        raise ValidationError(
            f"{typed} can be read in two ways. Write {digits} for the whole number, or two decimals at most.",
            code="unclear",
        )
    if len(typed) <= LONGEST and (match := WHOLE.fullmatch(typed)):
        whole, part = match[1], match[2]
    elif len(typed) <= LONGEST and (match := GROUPED.fullmatch(typed)):
        whole, part = re.sub(r"\D", "", match[1]), match[3]
    else:
        raise ValidationError(NO_AMOUNT, code="invalid")
    return int(whole) * 100 + int((part or "").ljust(2, "0"))


def typed(number: int) -> str:
    return f"{number // 100}.{number % 100:02d}"


class AmountField(forms.Field):
    """Money that somebody types; the form has it in cents. A line of text: number fields of browsers drop commas."""

    def __init__(
        self, *, least: int = 0, most: int = limits.AMOUNT_MAX, currency: str = "", **options: Any
    ) -> None:
        self.least, self.most, self.currency = least, most, currency
        options.setdefault("widget", forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}))
        super().__init__(**options)

    def to_python(self, value: Any) -> Any:
        """In cents; None for nothing."""
        if value in self.empty_values:
            return None
        return hundredths(str(value))

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value is not None and not self.least <= value <= self.most:
            raise ValidationError(
                f"Between {self._written(self.least)} and {self._written(self.most)}.", code="bounds"
            )

    def prepare_value(self, value: Any) -> Any:
        """Cents as they would be typed; what was typed stays."""
        return typed(value) if isinstance(value, int) else value

    def _written(self, number: int) -> str:
        return price(number, self.currency) if self.currency else typed(number)


class PercentField(AmountField):
    """A percentage with two decimals at most, typed as amounts are."""

    def __init__(self, **options: Any) -> None:
        super().__init__(most=100_00, **options)

    def clean(self, value: Any) -> Any:
        number = super().clean(value)
        return None if number is None else Decimal(number) / 100

    def prepare_value(self, value: Any) -> Any:
        return f"{value.normalize():f}" if isinstance(value, Decimal) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(None if initial is None else int(initial * 100), data)


def country_of(letters: str) -> str:
    """A country's two letters as they are stored. Raises ValidationError for what is none; nothing is left as it is."""
    country = letters.upper()
    if country and country not in country_names():
        raise ValidationError("Two letters of ISO 3166-1; Greece is GR, Great Britain is GB.")
    return country


def is_large_change(before: Decimal | int | None, after: Decimal | int) -> bool:
    """Whether somebody should be asked once more: nothing at all, or more than half up or down."""
    return after == 0 or (before is not None and abs(Decimal(after) - before) * 2 > before)


def money_column(cents: str, *, title: str = "amount", is_sorted: bool = False) -> Any:
    """A column of a list of staff: the cents of a row in its own currency; empty where there are none."""

    @admin.display(description=title, ordering=cents if is_sorted else None)
    def column(row: Any) -> str:
        number = getattr(row, cents)
        return "" if number is None else price(number, row.currency)

    return staticmethod(column)


class AsksOnceMore(forms.Form):
    """A form that has a box ticked before it takes a value far from the one before. The box is good for this value."""

    meant = forms.CharField(required=False, widget=forms.HiddenInput, label="Yes, that is meant")

    def ask_once_more(self, *, name: str, value: object, question: str) -> None:
        """Refuse the value of a field until the box beside it says that it is meant."""
        if self.cleaned_data.get("meant") == str(value):
            return
        self.fields["meant"].widget = forms.CheckboxInput(attrs={"value": str(value)}, check_test=_never)
        sent: Any = self.data
        self.data = sent.copy()
        self.data.pop(self.add_prefix("meant"), None)  # type: ignore[attr-defined]
        self.add_error(name, f"{question} Tick the box below if that is meant.")


def _never(_: object) -> bool:
    return False
