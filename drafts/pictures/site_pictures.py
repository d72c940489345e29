"""The picture that a website gives of itself: its home page names it, a job fetches it for the listing of its draft."""

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING

from django.utils import timezone

from core import jobs
from core.fetch import InvalidUrlError, canonical_url, join_url
from directory.listings.site_pictures import is_missing, show_site_picture
from directory.models import Listing
from drafts import limits
from drafts.models import Draft
from drafts.pictures.fetching import fetched

if TYPE_CHECKING:
    from drafts import machinery

JOB = "drafts.fetch_site_picture"
FAULT = "Fetching it failed on our side."


def named_by(site: "machinery.SiteText") -> str:
    """The address of the picture that the home page names; empty where it names none."""
    named = site.pages[0].meta.get("og:image", "") if site.pages else ""
    try:
        url = canonical_url(join_url(site.pages[0].url, named)) if named else ""
    except InvalidUrlError:
        return ""
    return url if len(url) <= limits.URL else ""


def follow(draft: Draft, *, listing: Listing, at: datetime) -> None:
    """Have it fetched for the draft's listing, unless it is there or was taken down."""
    url = draft.site_picture_url
    if is_missing(listing, url=url):
        key = f"{listing.pk}-{hashlib.sha256(url.encode()).hexdigest()[:16]}"
        jobs.again(JOB, key=key, at=at, listing_id=listing.pk, url=url)


def fetch_site_picture(*, listing_id: int, url: str, lease: jobs.Lease) -> None:
    """Fetch and draw it, and show it on the listing; why it is not shown is told to the owner."""
    listing = Listing.objects.filter(pk=listing_id).first()
    if listing is None or listing.owner_id is None or not is_missing(listing, url=url):
        return
    holder = f"picture of {listing_id}"
    made, problem = fetched(url, kind="gallery", owner_id=listing.owner_id, holder=holder)
    lease.renew()
    show_site_picture(listing_id=listing_id, source=url, made=made, problem=problem, at=timezone.now())


def give_up(*, listing_id: int, url: str, **_: str) -> None:
    """The job has failed for good through a fault of ours."""
    show_site_picture(listing_id=listing_id, source=url, made=None, problem=FAULT, at=timezone.now())
