"""Who a page is for: people who are signed in on the site."""

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse

from accounts.models import User

View = Callable[..., HttpResponse]


def signed_in(view: View) -> View:
    """For people who are signed in; what they see is kept nowhere."""

    @login_required
    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Cache-Control"] = "private, no-store"
        return response

    return checked


def user_of(request: HttpRequest) -> User:
    """The signed-in person of a page that only such people get to."""
    return cast(User, request.user)
