"""Is our badge on a homepage? A real link to the listing with the badge's image in it; nothing else counts."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

from core.fetch import Fetcher, FetchError, InvalidUrlError, UrlNotPublicError
from directory import badges
from directory.models import BadgeCheck, Listing

MAX_BYTES = 2 * 1024 * 1024
AT_ONCE_SECONDS = 5.0
SECONDS = 15.0
IGNORED = ("script", "style", "template", "noscript", "iframe", "textarea")


@dataclass(frozen=True, kw_only=True)
class Sighting:
    """What one look at a homepage showed. `result`: found, not_found, link_only, or why nothing could be seen."""

    found: bool
    result: str
    detail: str
    snippet: str = ""


def look(*, homepage: str, slug: str, seconds: float = SECONDS) -> Sighting:
    """Open a homepage and look for the badge of a listing."""
    try:
        with Fetcher() as fetcher:
            page = fetcher.get(
                homepage, accept=("text/html", "application/xhtml+xml"), max_bytes=MAX_BYTES, timeout=seconds
            )
    except (FetchError, InvalidUrlError, UrlNotPublicError) as error:
        return Sighting(found=False, result=error.code[:20], detail=error.detail)
    if not 200 <= page.status < 300:
        return Sighting(found=False, result="bad_status", detail=f"The homepage answered {page.status}.")
    return find_badge(html=page.body, base_url=page.url, slug=slug)


def find_badge(*, html: bytes | str, base_url: str, slug: str) -> Sighting:
    """The badge in a page: an anchor to the listing that holds the badge's image."""
    soup = BeautifulSoup(html, "lxml")
    for hidden in soup(IGNORED):
        hidden.decompose()
    anchors = [
        anchor for anchor in soup.find_all("a", href=True) if _leads_to_listing(anchor, base_url, slug)
    ]
    for anchor in anchors:
        if any(_is_badge(image, base_url, slug) for image in anchor.find_all("img", src=True)):
            return Sighting(
                found=True, result="found", detail="The badge is on the homepage.", snippet=str(anchor)[:500]
            )
    if anchors:
        return Sighting(
            found=False,
            result="link_only",
            detail="The homepage links to the listing, but the badge's image is not in the link.",
            snippet=str(anchors[0])[:500],
        )
    return Sighting(
        found=False, result="not_found", detail="No link to the listing with the badge in it was found."
    )


def _leads_to_listing(anchor: Tag, base_url: str, slug: str) -> bool:
    return _same_place(urljoin(base_url, str(anchor["href"]).strip()), badges.link_url(slug))


def _is_badge(image: Tag, base_url: str, slug: str) -> bool:
    source = urlsplit(urljoin(base_url, str(image["src"]).strip()))
    ours = urlsplit(badges.image_prefix(slug))
    return source.netloc.lower() == ours.netloc.lower() and source.path.startswith(ours.path)


def _same_place(found: str, wanted: str) -> bool:
    ours, theirs = urlsplit(wanted), urlsplit(found)
    return (theirs.netloc.lower(), theirs.path.rstrip("/")) == (ours.netloc.lower(), ours.path.rstrip("/"))


def record(*, listing: Listing, sighting: Sighting, at: datetime, next_at: datetime | None) -> BadgeCheck:
    """Keep what was seen, so that the owner and staff can see it too."""
    return BadgeCheck.objects.create(
        listing=listing,
        at=at,
        found=sighting.found,
        result=sighting.result,
        detail=sighting.detail[:500],
        snippet=sighting.snippet[:500],
        next_at=next_at,
    )
