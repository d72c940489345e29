"""How sign-in works here: by e-mail, with mail as jobs, counted per caller as everything else."""

import hashlib
import uuid
from datetime import timedelta
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.signup import send_unknown_account_mail
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.core import context as current
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.httpkit import add_query_params
from allauth.core.ratelimit import respond_429
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from accounts import limits, services
from accounts.models import User
from core import mail
from core.api import throttling
from core.api.errors import RateLimitedError
from core.api.links import absolute
from core.email_addresses import AddressRefusedError, normal_email
from core.fetch import split_url

CODE = timedelta(seconds=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT)
CONFIRMATION = timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS)
LIVES = {  # of what each mail holds
    "account/email/login_code": CODE,
    "account/email/fresh_code": CODE,
    "account/email/password_reset_key": timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT),
    "account/email/email_confirmation": CONFIRMATION,
    "account/email/email_confirmation_signup": CONFIRMATION,
}


def our_address(url: str) -> str:
    """The same page at the address from the settings; allauth goes by the Host header, we never do."""
    return absolute(split_url(url)._replace(scheme="", netloc="").geturl())


def with_the_way(request: HttpRequest, link: str) -> str:
    target = get_next_redirect_url(request) or ""
    is_carried = 0 < len(target) <= limits.NEXT
    return add_query_params(link, {REDIRECT_FIELD_NAME: target}) if is_carried else link


def digest(email: str) -> str:
    return hashlib.sha256(email.lower().encode()).hexdigest()


def guessers(request: HttpRequest, credentials: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """What a wrong password is counted against, as policy and caller.

    Few tries from one network for one account; far more for the account from everywhere, so that a stranger
    who guesses on purpose does not keep its owner out.
    """
    network = throttling.network(throttling.client_address(request))
    account = digest(str(credentials.get("email", "")))
    return (
        ("sign_in_here", f"account:{account}@{network}"),
        ("sign_in_anywhere", f"account:{account}"),
        ("sign_in", f"net:{network}"),
    )


CHOSEN = "accounts_chosen_password"


def remember_choice(request: HttpRequest, *, user: User, password: str) -> None:
    """Keep the hash of the password that this browser begins an account with, unusable where it typed none."""
    request.session[CHOSEN] = {"user": user.pk, "password": password}


def pop_chosen_password(request: HttpRequest, *, user: User) -> str:
    """The hash of the password that this browser signed the person up with, once; empty if it did not."""
    if request.session.get(CHOSEN, {}).get("user") != user.pk or user.has_usable_password():
        return ""
    result: str = request.session.pop(CHOSEN)["password"]
    return result


def is_change(address: EmailAddress) -> bool:
    """Whether the address is one that its account asks to move to."""
    return address.email != address.user.email


class AccountAdapter(DefaultAccountAdapter):
    """Sends sign-in mail through the jobs table, so that a mail server that is down loses nothing."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": "That address and password don’t match. Try again, or get a code by e-mail."
        " If you have just signed up, open the link that we e-mailed you first.",
    }

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:  # noqa: FBT001, FBT002
        """Make a person without a password: the one they chose waits in their session for the address's proof."""
        user = super().save_user(request, user, form, commit=False)
        chosen = user.password
        user.set_unusable_password()
        if commit:
            User.objects.bulk_create([user])
        remember_choice(request, user=user, password=chosen)
        return user

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """The link, with where its reader was going: it may be opened on another device."""
        return with_the_way(request, super().get_email_confirmation_url(request, emailconfirmation))

    def clean_email(self, email: str) -> str:
        """The one form of an address, by whatever way of allauth's it came."""
        try:
            return normal_email(email)
        except AddressRefusedError as error:
            raise ValidationError(str(error)) from error

    def send_account_already_exists_mail(self, email: str) -> None:
        """Mail who signs up again what there is: an account, or one that still waits for its address's proof."""
        mine = EmailAddress.objects.filter(email=email, user__email=email).first()
        if mine is None or mine.verified:
            super().send_account_already_exists_mail(email)
        else:
            mine.send_confirmation(current.request)

    def set_password(self, user: User, password: str) -> None:
        """Set a password, and nothing else of the row."""
        user.set_password(password)
        user.save(update_fields=["password"])

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address by its link. A change of address needs its account's own session.

        Otherwise somebody who opens a mistyped address's mail would get the account, or a stranger's
        account somebody else's address.
        """
        if is_change(email_address):
            if request.user.pk != email_address.user_id:
                self.add_message(request, messages.WARNING, message="Sign in to the account first.")
                return False
            if not services.free_address(email=email_address.email):
                self.add_message(request, messages.ERROR, message="Another account has this address.")
                return False
        return super().confirm_email(request, email_address)

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, Any]) -> None:
        """Mail the link to the account's own address only: it proves that one."""
        if email == user.email:
            super().send_password_reset_mail(user, email, context)
        else:
            send_unknown_account_mail(current.request, email)

    def is_safe_url(self, url: str) -> bool:
        """Whether a `next` may be followed; allauth chokes on broken ones (`http://[`)."""
        return any(split_url(url)) and super().is_safe_url(url)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue a message of allauth's, made from our `<template_prefix>.txt`, subject first.

        Each code that is mailed may be guessed at a few times, so how many are mailed is limited too.
        """
        try:
            throttling.enforce("sign_in", caller=f"mail:{digest(email)}")
            mail.enforce(email)
        except RateLimitedError as error:
            raise ImmediateHttpResponse(respond_429(current.request)) from error
        if template_prefix == "account/email/login_code":
            page = add_query_params(reverse("account_confirm_login_code"), {"code": context["code"]})
            context = {**context, "code_url": with_the_way(current.request, page)}
        mine = email == getattr(context.get("user"), "email", "")
        person_id = context["user"].pk if mine else None
        envelope = mail.Envelope(person_id=person_id, is_repeatable=False, lasts=LIVES.get(template_prefix))
        self._queue(template_prefix, email, context, envelope)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell a person what happened to their account; such mail holds nothing to guess and is never refused."""
        context = {"timestamp": timezone.now(), "ip": self.get_client_ip(self.request), **(context or {})}
        self._queue(template_prefix, email or user.email, context, mail.Envelope(person_id=user.pk))

    @staticmethod
    def _queue(template_prefix: str, email: str, context: dict[str, Any], envelope: mail.Envelope) -> None:
        links = {name: our_address(value) for name, value in context.items() if name.endswith("_url")}
        mail.send(
            template=template_prefix,
            to=email,
            key=f"account-{uuid.uuid4()}",
            context={**context, **links, "email": email},
            envelope=envelope,
        )

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """What allauth's own count of wrong passwords goes by: the account from one network."""
        return f"{digest(str(credentials.get('email', '')))}@{self.get_client_ip(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Stop who guesses. allauth's own counts are in the cache, which holds nothing while Redis is away."""
        super().pre_authenticate(request, **credentials)
        if any(
            throttling.is_spent(policy, caller=caller) for policy, caller in guessers(request, credentials)
        ):
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a wrong password against the account and the network it came from."""
        for policy, caller in guessers(request, credentials):
            throttling.count(policy, caller=caller)

    def get_client_ip(self, request: HttpRequest) -> str:
        """The network the API's limits count by, so that both doors agree."""
        return throttling.network(throttling.client_address(request))

    def pre_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse | None:
        """Stop an account that staff have suspended, after its credentials have proved right."""
        if user.is_suspended:
            clear_login(request)
            return self.respond_user_inactive(request, user)
        return super().pre_login(request, user, **options)

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse:
        """Suggest a second factor to staff who have none."""
        if user.is_staff and not is_mfa_enabled(user, [Authenticator.Type.TOTP]):
            text = 'Staff accounts are worth stealing. <a href="{}">Turn on a second factor</a>.'
            messages.info(request, format_html(text, reverse("mfa_activate_totp")))
        return super().post_login(request, user, **options)


class MFAAdapter(DefaultMFAAdapter):
    """Draws the secret as an element of the page, as the policy takes no data addresses."""

    def build_totp_svg(self, url: str) -> str:
        import qrcode  # noqa: PLC0415  (4 MB in each process, with Pillow's fonts, for a page that few see)
        from qrcode.image.svg import SvgPathImage  # noqa: PLC0415

        return str(qrcode.make(url, image_factory=SvgPathImage).to_string(encoding="unicode"))


def lacks_second_factor(user: User) -> bool:
    """Whether a member of staff has to turn on a second factor before the back office opens."""
    return settings.STAFF_SECOND_FACTOR and not is_mfa_enabled(user, [Authenticator.Type.TOTP])
