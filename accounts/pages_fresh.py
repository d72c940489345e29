"""A fresh sign-in on the spot: a mailed code says again who it is, and the form that waited goes through."""

from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.forms import ConfirmLoginCodeForm
from allauth.account.internal.flows.code_verification import AbstractCodeVerificationProcess
from allauth.account.internal.flows.login import record_authentication
from allauth.account.views import BaseReauthenticateView
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts.sessions import signed_in, user_of

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
