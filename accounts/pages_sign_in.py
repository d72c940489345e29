"""Where allauth's pages lose what the person came for, or ask for a second sign-in."""

from typing import Any

from allauth.account.forms import RequestLoginCodeForm
from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import Login
from allauth.account.stages import LoginByCodeStage, LoginStage
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import (
    ConfirmEmailView,
    ConfirmLoginCodeView,
    LoginView,
    RequestLoginCodeView,
    SignupView,
)
from allauth.core.internal.httpkit import add_query_params
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.adapter import is_change

ENTRANCE = (
    "account_login",
    "account_request_login_code",
    "account_confirm_login_code",
    "account_email_verification_sent",
)


ELSEWHERE = (
    "A code works in the browser that asked for it, for ten minutes. Open the link there, or get a new code."
)


class KeepsTheWay:
    """Whoever is led to another of these pages takes along where they were going."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        response: HttpResponse = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        target = get_next_redirect_url(request)
        if target and response.get("Location") in {reverse(name) for name in ENTRANCE}:
            response["Location"] = add_query_params(response["Location"], {REDIRECT_FIELD_NAME: target})
        return response

    def _redirect_to_pending_stage(
        self, request: HttpRequest, stage: LoginStage
    ) -> HttpResponseRedirect | None:
        """Let who waits for a code ask for another one, or use a password."""
        if stage.key != LoginByCodeStage.key:
            return super()._redirect_to_pending_stage(request, stage)  # type: ignore[misc,no-any-return]
        clear_login(request)
        return None


class SignIn(KeepsTheWay, LoginView):
    """`/accounts/login/`."""


class SignUp(KeepsTheWay, SignupView):
    """`/accounts/signup/`."""


class RequestCode(KeepsTheWay, RequestLoginCodeView):
    """`/accounts/login/code/`: mails a code, which opens an account too where there is none."""

    def form_valid(self, form: RequestLoginCodeForm) -> HttpResponse:
        form.open_account(self.request)
        return super().form_valid(form)


class ConfirmCode(KeepsTheWay, ConfirmLoginCodeView):
    """`/accounts/login/code/confirm/`: what the first proof of an address changes is changed whole or not at all.

    The mailed link fills the code in, and changes nothing: who opens it presses the button.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        response = super().dispatch(request, *args, **kwargs)
        if "code" in request.GET and response.status_code == 302 and not request.user.is_authenticated:
            messages.warning(request, ELSEWHERE)
        return response

    def get_initial(self) -> dict[str, Any]:
        return {**super().get_initial(), "code": self.request.GET.get("code", "")[:40]}

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        return super().form_valid(form)


class ConfirmAddress(ConfirmEmailView):
    """`/accounts/confirm-email/<key>/`: the first proof of an address signs in, wherever the link is opened.

    The link works until the address is confirmed, so nobody signs in by it twice.
    """

    @transaction.atomic
    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        self.object = confirmation = self.get_object()
        is_first = not is_change(confirmation.email_address)
        address = confirmation.confirm(self.request)
        if address is None:
            return self.respond(success=False)
        self.logout_other_user(confirmation)
        if not is_first or self.request.user.is_authenticated:
            return self.respond(success=True)
        clear_login(self.request)
        record_authentication(self.request, address.user, method="link", email=address.email)
        login = Login(user=address.user, email=address.email, redirect_url=self.get_next_url())
        return perform_login(self.request, login)
