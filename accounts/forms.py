"""What people fill in on the account pages."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from rest_framework.exceptions import ValidationError

from accounts import limits
from accounts.services import ALL_SCOPES
from core import event_types
from core.api.serializers import Name

EXPIRIES = {"90": "In 90 days", "365": "In a year", "never": "Never"}
SCOPE_WORDS = {
    "account:read": ("Read your account", "Drafts, listings, claims and orders"),
    "listings:write": ("Submit and edit", "Drafts, listings, updates and claims"),
    "orders:write": ("Prepare orders", "Quotes and checkout links. A person still pays"),
}


class Checked(forms.CharField):
    """A text that the API's own field checks."""

    def __init__(self, *, check: Any, **options: Any) -> None:
        self.check = check
        super().__init__(**options)

    def clean(self, value: Any) -> str:
        text = str(super().clean(value))
        try:
            return str(self.check.run_validation(text)) if text else ""
        except ValidationError as error:
            raise forms.ValidationError([str(line) for line in error.detail]) from error


class NameForm(forms.Form):
    name = Checked(
        check=Name(),
        label="Your name",
        help_text="Shown at the top of your pages. Leave it empty to be called by your e-mail address.",
        max_length=limits.NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name", "dir": "auto"}),
    )


class KeyForm(forms.Form):
    """A key to be made. `after` is the newest key the page knew, so that a reload makes no second one."""

    name = forms.CharField(
        max_length=limits.KEY_NAME,
        label="Name",
        help_text="So that you know later what uses it.",
        error_messages={"required": "Give the key a name."},
    )
    scopes = forms.MultipleChoiceField(
        choices=[(scope, scope) for scope in ALL_SCOPES],
        label="What it may do",
        error_messages={"required": "Choose at least one thing it may do."},
    )
    expires = forms.ChoiceField(choices=list(EXPIRIES.items()), label="Expires", initial="90")
    after = forms.IntegerField(widget=forms.HiddenInput)

    def expires_at(self, *, at: datetime) -> datetime | None:
        days = self.cleaned_data["expires"]
        return None if days == "never" else at + timedelta(days=int(days))


class TypesForm(forms.Form):
    types = forms.MultipleChoiceField(
        choices=lambda: [(name, name) for name in event_types.TYPES],
        label="Events to send",
        error_messages={"required": "Choose at least one event."},
    )


class EndpointForm(TypesForm):
    url = forms.CharField(
        max_length=limits.ENDPOINT_URL,
        label="Address",
        help_text="Where your program takes events. It begins with https://",
        error_messages={"required": "Give the address."},
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class AfterForm(forms.Form):
    after = forms.IntegerField(widget=forms.HiddenInput)
