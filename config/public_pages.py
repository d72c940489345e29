"""Pages that say the same to everybody who is not signed in may come from the read replica (`core.replica`)."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from core import replica
from core.middleware import Middleware

MODULES = {
    "config.home",
    "leaderboards.pages",
    "directory.editorial.pages",
    "directory.launches.pages.weeks",
    "directory.listings.pages.profile",
    "directory.people.pages.founders",
    "directory.search.pages",
    "directory.shown.pages.badges",
    "directory.shown.pages.feeds",
    "directory.shown.pages.sharing",
    "directory.shown.pages.sitemaps",
}


class PublicPages(Middleware):
    """The last middleware: all that is about the request has been settled."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, parts: Any
    ) -> HttpResponse | None:
        """The page from the replica, or None, and then from the primary as ever."""
        if (
            view.__module__ not in MODULES
            or request.method not in {"GET", "HEAD"}
            or settings.SESSION_COOKIE_NAME in request.COOKIES
            or "HTTP_AUTHORIZATION" in request.META
        ):
            return None
        return replica.answered(partial(view, request, *args, **parts))
