"""What people fill in on the account pages, and where allauth's forms promise less than we do."""

from datetime import datetime, timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    AddEmailForm,
    LoginForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SignupForm,
)
from allauth.account.internal.flows.password_reset import reset_password
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django import forms
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.exceptions import ValidationError

from accounts import limits, selectors, services, services_apps
from accounts.adapter import remember_choice
from accounts.models import User
from accounts.services import ALL_SCOPES
from core import event_types
from core.api import throttling
from core.api.serializers import Name
from core.email_addresses import AddressField

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


def active_people(address: str) -> list[User]:
    user = User.objects.with_address(address)
    return [user] if user is not None and user.is_active else []


class TakesAddress:
    """Takes an address in its one form; allauth's own field makes other letters of some."""

    fields: dict[str, forms.Field]
    address = "email"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = AddressField(max_length=limits.EMAIL, label=self.fields[self.address].label)
        field.widget = self.fields[self.address].widget
        self.fields[self.address] = field


class SignInForm(TakesAddress, LoginForm):
    address = "login"


class AddAddressForm(TakesAddress, AddEmailForm):
    """Asking to move to another address."""


class ResetForm(TakesAddress, ResetPasswordForm):
    def clean_email(self) -> str:
        self.users = active_people(self.cleaned_data["email"])
        return str(self.cleaned_data["email"])


class SignUpForm(TakesAddress, SignupForm):
    """Signing up; how long it takes does not tell whether the address has an account."""

    def try_save(self, request: HttpRequest) -> Any:
        """Make the account, or spend as much on none."""
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])
        return super().try_save(request)


class CodeForm(TakesAddress, RequestLoginCodeForm):
    _user: User | None

    def clean_email(self) -> str:
        """The address, with whose account it is: an address that somebody asks to move to is nobody's yet."""
        email = str(super().clean_email())
        self._user = next(iter(active_people(email)), None)
        return email

    def open_account(self, request: HttpRequest) -> None:
        """Make an account for an address that has none. It is unproved and opens for nobody before the code does."""
        if self._user is not None or not get_adapter().is_open_for_signup(request):
            return
        email = self.cleaned_data["email"]
        self._user = services.begin_account(email=email, at=timezone.now())
        if self._user is not None:
            remember_choice(request, user=self._user, password=self._user.password)
        else:  # there is one now: closed, or begun by a second press of the button
            self._user = next(iter(active_people(email)), None)


class NewPasswordForm(ResetPasswordKeyForm):
    """A new password by a mailed link, and an end of programs that somebody else may hold."""

    end_programs = forms.BooleanField(required=False, label="End my API keys and connected apps too")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.programs = selectors.count_programs(user=self.user, at=timezone.now()) if self.user else 0
        if not self.programs:
            del self.fields["end_programs"]

    @transaction.atomic
    def save(self) -> None:
        """Set the password. The link came by mail, so the address is proved first, which ends what was before."""
        unproved = EmailAddress.objects.filter(user=self.user, email=self.user.email, verified=False).first()
        if unproved is not None:
            unproved.user = self.user
            get_adapter().confirm_email(context.request, unproved)
        reset_password(self.user, self.cleaned_data["password1"])
        if self.cleaned_data.get("end_programs"):
            services_apps.end_programs(user=self.user, at=timezone.now())


class Counted(BaseAuthenticateForm):
    """Counts codes where the count goes on while Redis is away, which allauth's own does not."""

    def clean_code(self) -> str:
        """The code, if it is right and not one guess too many."""
        if throttling.count("sign_in", caller=f"factor:{self.user.pk}").is_exceeded:
            raise get_mfa_adapter().validation_error("incorrect_code")
        return super().clean_code()


class SecondFactorForm(Counted, AuthenticateForm):
    """A code, after the password or mailed code."""


class SecondFactorAgainForm(Counted, ReauthenticateForm):
    """A code, before something that matters."""
