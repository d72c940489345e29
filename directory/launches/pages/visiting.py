"""Featured places as visitors meet them: who stands there, and on to the website; both counted for who bought them."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from directory.engagement import featured_counts
from directory.launches.featured import featured
from directory.listings.profile import get_listing
from directory.models import FeaturedCount
from directory.reading import is_reader, of_listing, visitor_of
from directory.sites.lookup import current_site


def standing_in(request: HttpRequest, kind: str, *, category: str = "") -> list[dict[str, Any]]:
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


def count_visit(request: HttpRequest, found: dict[str, Any]) -> None:
    """A reader opened the page of a listing that is featured."""
    if found["featured"]:
        _count(request, [found["slug"]], FeaturedCount.Kind.VISIT)


@require_safe
@of_listing
def visit(request: HttpRequest, slug: str) -> HttpResponse:
    """`/listings/<slug>/visit`."""
    result = get_listing(site=current_site(request), slug=slug)
    if result["featured"] and is_reader(request):
        _count(request, [slug], FeaturedCount.Kind.CLICK)
    response = HttpResponseRedirect(result["url"])
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Cache-Control"] = "private, no-store"
    return response
