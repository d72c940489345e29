"""What a claim's page asks for."""

from django import forms

from claims import limits
from core.serializers import PUBLIC_EMAIL


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
        """With its domain in lower case, as everywhere."""
        local, _, domain = self.cleaned_data["email"].rpartition("@")
        return f"{local}@{domain.lower()}"
