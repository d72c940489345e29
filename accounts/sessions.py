"""Who a page is for: people who are signed in on the site."""

import time
from collections.abc import Callable
from functools import wraps
from typing import cast

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import suspend_request
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.networks import note_network
from core.methods import require_safe

View = Callable[..., HttpResponse]


def signed_in(view: View) -> View:
    """For people who are signed in; what they see is kept nowhere."""

    @login_required
    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        note_network(request)
        response = view(request, *args, **kwargs)
        response["Cache-Control"] = "private, no-store"
        return response

    return checked


def _only(methods: Callable[[View], View]) -> Callable[[View], View]:
    return lambda view: methods(signed_in(view))


# what is only read, what is read and sent, and what is only sent
signed_in_page, signed_in_act = _only(require_safe), _only(require_POST)
signed_in_form = _only(require_http_methods(["GET", "HEAD", "POST"]))


def user_of(request: HttpRequest) -> User:
    return cast(User, request.user)


def signed_in_lately(view: View) -> View:
    """For what makes a new way into the account: a form sent long after signing in waits for a proof of who sends it.

    That is the password or second factor again, or a mailed code where there is neither; then the form goes through.
    """

    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method != "POST" or _proved_lately(request):
            return view(request, *args, **kwargs)
        if get_adapter().get_reauthentication_methods(user_of(request)):
            raise ReauthenticationRequired
        return suspend_request(request, reverse("reauthenticate_code"))

    return checked


def shown_lately(view: View) -> View:
    """For a page that takes or shows a secret: the proof is asked for first, as a form that waits is stored."""

    @signed_in
    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return view(request, *args, **kwargs) if _proved_lately(request) else ask_again(request)

    return checked


def ask_again(request: HttpRequest) -> HttpResponse:
    """To the page that asks for the password or the second factor, or mails a code to who has neither."""
    methods = get_adapter().get_reauthentication_methods(user_of(request))
    page = methods[0]["url"] if methods else reverse("reauthenticate_code")
    return HttpResponseRedirect(f"{page}?{urlencode({'next': request.get_full_path()})}")


def _proved_lately(request: HttpRequest) -> bool:
    records = get_authentication_records(request, user_of(request))
    return bool(records) and time.time() - records[-1]["at"] < app_settings.REAUTHENTICATION_TIMEOUT
