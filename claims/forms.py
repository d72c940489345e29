"""What a claim's page asks for."""

from django import forms

from claims import limits
from core.api.serializers import PUBLIC_EMAIL
from core.email_addresses import AddressRefusedError, shown_email


class EmailForm(forms.Form):
    """Where the link is mailed."""

    email = forms.CharField(
        label="Address at the company’s domain",
        max_length=limits.EMAIL,
        validators=[PUBLIC_EMAIL],
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": "Give an address."},
    )

    def clean_email(self) -> str:
        """With its domain in its one form."""
        try:
            return shown_email(self.cleaned_data["email"])
        except AddressRefusedError as error:
            raise forms.ValidationError(str(error)) from error
