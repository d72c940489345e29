"""What every template knows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from core.api.links import on_site
from directory.errors import SiteNotReadyError
from directory.sites.lookup import address_of, all_sites, current_site

THEMES = ("light", "dark")
SITES_LISTED = 10


def name_of_site(request: HttpRequest) -> str:
    try:
        return current_site(request).name
    except SiteNotReadyError:
        return settings.SITE_NAME


def address_of_site() -> str:
    try:
        return on_site("")
    except SiteNotReadyError:
        return settings.SITE_URL


def other_sites(request: HttpRequest) -> list[tuple[str, str]]:
    """Names and addresses of the installation's other sites, as many as a foot of a page has room for."""
    try:
        here = current_site(request).pk
    except SiteNotReadyError:
        return []
    others = [entry for pk, entry in all_sites().by_id.items() if pk != here]
    return [(entry.name, address_of(entry)) for entry in others[:SITES_LISTED]]


def site(request: HttpRequest) -> dict[str, Any]:
    """The site's name and address, the theme and keys the reader chose, and what multiplies rate limits."""
    theme = request.COOKIES.get("theme", "")
    return {
        "site_name": name_of_site(request),
        "site_url": address_of_site(),
        "other_sites": other_sites(request),
        "theme": theme if theme in THEMES else "",
        "keys": "off" if request.COOKIES.get("keys") == "off" else "on",
        "request_id": getattr(request, "request_id", ""),
        "rate_limit_factor": settings.RATE_LIMIT_FACTOR,
    }
