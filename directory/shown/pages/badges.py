"""The images of badges, for other people's pages."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from core.api.caching import fresh
from core.methods import require_safe
from directory.launches.badges import LIVE, MODES, SHAPES, SIZES, BadgeStyle, bearer, neutral, svg
from directory.listings.api import SLUG
from directory.sites.lookup import current_site

SVG = "image/svg+xml; charset=utf-8"
CACHED = "public, max-age=300, stale-while-revalidate=300"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
}


def style_of(request: HttpRequest) -> BadgeStyle:
    """The look that was asked for; the unknown is as usual, since an image cannot say what was wrong."""
    requested, usual = request.GET, BadgeStyle()
    return BadgeStyle(
        shape=requested["shape"] if requested.get("shape") in SHAPES else usual.shape,
        mode=requested["mode"] if requested.get("mode") in MODES else usual.mode,
        size=requested["size"] if requested.get("size") in SIZES else usual.size,
    )


@require_safe
def badge_image(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """A badge as SVG. One that is not there yields a plain image that nobody keeps, never a broken one.

    One that get_badges names and that is not earned is a plain image too: its address is good, its claim is not.
    """
    site, style = current_site(request), style_of(request)
    at = timezone.now() if code == LIVE else None
    result = bearer(site=site, slug=slug, at=at) if SLUG.match(slug) else None
    if result is None or not result.has_image(code):
        image = svg(neutral(site.name), style=style)
        headers = {**HEADERS, "Cache-Control": "no-store"}
        return HttpResponse(image, status=404, content_type=SVG, headers=headers)
    earned = result.has_earned(code)
    image = svg(result.badge(code, site_name=site.name) if earned else neutral(site.name), style=style)
    return fresh(request, image.encode(), media_type=SVG, headers={**HEADERS, "Cache-Control": CACHED})
