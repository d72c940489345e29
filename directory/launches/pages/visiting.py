"""Visitors: who opens a page and goes on to the website, and who stands in the featured places; all are counted."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone

from core.methods import require_safe
from directory.engagement import featured_counts, visits
from directory.launches.featuring import featured
from directory.listings.profile import get_listing, public_id
from directory.models import FeaturedCount, Listing
from directory.reading import is_reader, of_listing, visitor_of
from directory.sites.lookup import current_site


def featured_in(request: HttpRequest, kind: str, *, category: str = "") -> list[dict[str, Any]]:
    """Who stands in the marked place of a page now; that the reader sees them is counted."""
    site, now = current_site(request), timezone.now()
    cards = featured(site_id=site.pk, at=now, category=category)
    if is_reader(request):
        _count(request, [card["slug"] for card in cards], kind)
    return cards


def _count(request: HttpRequest, slugs: list[str], kind: str) -> None:
    featured_counts.count(
        site_id=current_site(request).pk,
        slugs=slugs,
        kind=kind,
        visitor=visitor_of(request),
        at=timezone.now(),
    )


def count_reading(request: HttpRequest, listing: dict[str, Any], *, listing_id: int) -> None:
    """A reader opened the page of a listing, whose own people are no visitors."""
    visits.count_view(
        listing_id=listing_id,
        visitor=visitor_of(request),
        at=timezone.now(),
        referrer=request.headers.get("Referer", ""),
        is_own=_is_own(request, listing_id),
    )
    if listing["featured"]:
        _count(request, [listing["slug"]], FeaturedCount.Kind.VISIT)


def _is_own(request: HttpRequest, listing_id: int) -> bool:
    user_id = request.user.pk
    return user_id is not None and Listing.objects.owned_by(user_id).filter(pk=listing_id).exists()


@require_safe
@of_listing
def visit(request: HttpRequest, slug: str) -> HttpResponse:
    site = current_site(request)
    result = get_listing(site=site, slug=slug)
    if is_reader(request):
        listing_id = public_id(site=site, slug=slug)
        if not _is_own(request, listing_id):
            visits.count_click(listing_id=listing_id, visitor=visitor_of(request), at=timezone.now())
        if result["featured"]:
            _count(request, [slug], FeaturedCount.Kind.CLICK)
    response = HttpResponseRedirect(result["url"])
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Cache-Control"] = "private, no-store"
    return response
