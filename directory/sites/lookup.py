"""Which site a request is for, and what a site says of itself."""

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse

from accounts.site_names import tells_site_names
from core.api.links import absolute, addresses_of, on_site
from core.outages import is_outage
from directory import weeks
from directory.errors import SiteNotReadyError
from directory.models import Category, Listing, Site, SiteCount, SiteSettings

CACHED_SECONDS = 30
API_VERSION = "1.0.0"
PAGES = {
    "home": "/",
    "this_week": "/weeks/this",
    "listings": "/listings",
    "categories": "/categories",
    "leaderboards": "/leaderboards/community-weekly",
    "founders": "/founders",
    "blog": "/blog",
    "submit": "/submit",
    "launches_feed": "/feeds/launches.atom",
    "launches_calendar": "/feeds/launches.ics",
}


@dataclass(frozen=True, kw_only=True)
class SiteIndex:
    """The sites of the installation by host and by id, and the one that answers for every other host."""

    by_host: Mapping[str, Site]
    by_id: Mapping[int, Site]
    default: Site


# stands while the database is away: `/status` and what is cached need no more
_last_read: list[SiteIndex] = []


@lru_cache(maxsize=1)
def _read_sites(_slot: int) -> SiteIndex:
    try:
        sites = list(Site.objects.select_related("django_site").order_by("-is_default", "pk"))
    except Error as error:
        if _last_read and is_outage(error):
            return _last_read[0]
        raise
    if not sites:
        raise SiteNotReadyError("This installation has no site yet.", headers={"Retry-After": "5"})
    sites[0].name = settings.SITE_NAME  # the operator names the first site, staff the others
    _last_read[:] = [
        SiteIndex(
            by_host={site.django_site.domain.lower(): site for site in reversed(sites)},
            by_id={site.pk: site for site in sites},
            default=sites[0],
        )
    ]
    return _last_read[0]


def all_sites() -> SiteIndex:
    """The sites, read again every half minute, so that staff's changes arrive without a restart."""
    return _read_sites(int(time.monotonic() // CACHED_SECONDS))


@tells_site_names
def names_of_sites() -> list[str]:
    return list(Site.objects.values_list("name", flat=True))


def forget_sites() -> None:
    """Read the sites again at the next request."""
    _read_sites.cache_clear()
    _last_read.clear()


def current_site(request: HttpRequest) -> Site:
    existing = all_sites()
    return existing.by_host.get(request.get_host().lower(), existing.default)


def rules_of(site_id: int) -> SiteSettings:
    """What staff have decided for a site: the newest row, and without one no places and no patience."""
    return SiteSettings.objects.filter(site=site_id).order_by("-changed_at", "-id").first() or SiteSettings(
        site_id=site_id,
        free_queue_weeks=0,
        free_slots_per_week=0,
        paid_slots_per_week=0,
        launch_grace_hours=0,
        weeks_shown=0,
    )


def address_of(site: Site) -> str:
    """Where a site is, without a slash at the end: what settings say of the default one, its host of any other."""
    if site.is_default:
        return settings.SITE_URL
    return f"{'https' if settings.HTTPS else 'http'}://{site.django_site.domain}"


def addresses_of_listing(listing: Listing) -> AbstractContextManager[None]:
    """Within it, addresses are those of the site that a listing is on, whoever asks and wherever."""
    return addresses_of(lambda: address_of(all_sites().by_id.get(listing.site_id) or listing.site))


def with_addresses(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware: addresses in an answer are of the site that is asked, which is looked up where there are any."""

    def answer(request: HttpRequest) -> HttpResponse:
        with addresses_of(lambda: address_of(current_site(request))):
            return get_response(request)

    return answer


def site_info(*, site: Site, at: datetime) -> dict[str, Any]:
    count = SiteCount.objects.filter(site=site).first()
    return {
        "name": site.name,
        "purpose": site.purpose,
        "urls": {name: on_site(path) for name, path in PAGES.items()},
        "counts": {
            "live_listings": count.live if count else 0,
            "categories": Category.objects.count(),
            "upcoming": count.upcoming if count else 0,
        },
        "docs_url": on_site("/docs"),
        "openapi_url": on_site("/api/v1/openapi.json"),
        "mcp_url": absolute("/mcp"),
        "llms_url": on_site("/llms.txt"),
        "current_week": weeks.week_of(at).isoformat(),
        "api_version": API_VERSION,
    }
