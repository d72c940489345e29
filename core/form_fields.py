"""Fields of forms that several areas have."""

from typing import Any

from django import forms

from core.email_addresses import AddressRefusedError, normal_email


class AddressField(forms.EmailField):
    """An e-mail address, given back in its one form; says what is wrong with one that has none."""

    default_validators = []

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        if not text:
            return ""
        try:
            return normal_email(text)
        except AddressRefusedError as error:
            raise forms.ValidationError(str(error), code="invalid") from error
