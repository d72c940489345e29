"""Where allauth’s pages lose what the person came for, and a fresh sign-in on the spot, by a mailed code."""

from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.forms import ConfirmLoginCodeForm, RequestLoginCodeForm
from allauth.account.internal.flows.code_verification import AbstractCodeVerificationProcess
from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import Login
from allauth.account.stages import LoginByCodeStage, LoginStage
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import (
    BaseReauthenticateView,
    ConfirmEmailView,
    ConfirmLoginCodeView,
    LoginView,
    RequestLoginCodeView,
    SignupView,
)
from allauth.core.internal.httpkit import add_query_params
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.db import transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.adapter import is_change
from accounts.sessions import signed_in, user_of

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


STATE = "accounts_fresh_code"


class FreshCode(AbstractCodeVerificationProcess):
    """A code for who is signed in already; the browser that asked for it can use it, for ten minutes."""

    def __init__(self, request: HttpRequest, *, state: dict[str, Any]) -> None:
        self.request = request
        super().__init__(
            max_attempts=app_settings.LOGIN_BY_CODE_MAX_ATTEMPTS,
            timeout=app_settings.LOGIN_BY_CODE_TIMEOUT,
            state=state,
            user=user_of(request),
        )

    @classmethod
    def sent(cls, request: HttpRequest) -> "FreshCode | None":
        state = request.session.get(STATE)
        if state is None or state.get("user_id") != str(user_of(request).pk):
            return None
        return cls(request, state=state).abort_if_invalid()  # type: ignore[no-any-return]

    @classmethod
    def begin(cls, request: HttpRequest) -> None:
        """Mail a new code; an earlier one ends."""
        user = user_of(request)
        process = cls(request, state=cls.initial_state(user=user, email=user.email))
        process.send()
        process.persist()

    def send(self) -> None:
        adapter = get_adapter()
        self.state["code"] = adapter.generate_login_code()
        context = {"request": self.request, "user": self.user, "code": self.code}
        adapter.send_mail("account/email/fresh_code", self.state["email"], context)

    def persist(self) -> None:
        """Keep what was mailed, and how often it was guessed at."""
        self.request.session[STATE] = self.state

    def abort(self) -> None:
        self.request.session.pop(STATE, None)


class FreshSignIn(BaseReauthenticateView):
    """`/accounts/reauthenticate/code/`: first a button that mails a code, then the field for it."""

    template_name = "account/reauthenticate_code.html"
    form_class = ConfirmLoginCodeForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        self.code = FreshCode.sent(request)
        return super().dispatch(request, *args, **kwargs)

    def _check_reauthentication_method_available(self, request: HttpRequest) -> HttpResponse | None:
        """Whoever has a second factor is asked for that one."""
        if not is_mfa_enabled(user_of(request)):
            return None
        url = get_adapter().get_reauthentication_methods(user_of(request))[-1]["url"]
        return HttpResponseRedirect(self.passthrough_next_url(url))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if self.code is None or request.POST.get("action") == "send":
            FreshCode.begin(request)
            return HttpResponseRedirect(self.passthrough_next_url(request.path))
        return super().post(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "code": self.code.code if self.code else ""}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, is_sent=self.code is not None)

    def form_valid(self, form: BaseForm) -> HttpResponse:
        user = user_of(self.request)
        if self.code is not None:
            self.code.abort()
        record_authentication(self.request, user, method="code", email=user.email, reauthenticated=True)
        return super().form_valid(form)  # type: ignore[no-any-return]

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        if self.code is not None and not self.code.record_invalid_attempt():
            adapter = get_adapter(self.request)
            message = adapter.error_messages["too_many_login_attempts"]
            adapter.add_message(self.request, messages.ERROR, message=message)
            return HttpResponseRedirect(self.passthrough_next_url(self.request.path))
        return super().form_invalid(form)  # type: ignore[no-any-return]


fresh_sign_in = signed_in(FreshSignIn.as_view())
