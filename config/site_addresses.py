"""Answers name addresses of the site that is asked: links lead back to it, and never to where a Host header says."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from core.api.links import addresses_of
from directory.sites.lookup import address_of, current_site


class SiteAddresses:
    """Looks the site up only for answers that hold an address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with addresses_of(lambda: address_of(current_site(request))):
            return self.get_response(request)
