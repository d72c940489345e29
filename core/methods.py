"""What a page that only reads answers to other methods."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.views.decorators import http
from django.views.decorators.csrf import csrf_exempt

View = TypeVar("View", bound=Callable[..., Any])


def require_safe(view: View) -> View:
    """Let only GET and HEAD through, as Django's own; the rest is 405 with `Allow` also without our cookie.

    Nothing here can be forged, and a page about cookies would tell a program nothing.
    """
    return csrf_exempt(http.require_safe(view))
