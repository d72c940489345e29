"""The picture that a website gives of itself: its home page names it, jobs fetch it for a draft and for its listing."""

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from core import jobs
from core.fetch import InvalidUrlError, canonical_url, join_url
from directory.images import files
from directory.listings.media import LEAST_WIDTH, lacks_site_picture, show_site_picture
from directory.models import Listing
from drafts import limits
from drafts.models import Draft
from drafts.pictures.fetching import fetched

if TYPE_CHECKING:
    from drafts import machinery

JOB = "drafts.fetch_site_picture"
OF_DRAFT = "drafts.fetch_picture_of_draft"
FAULT = "Fetching it failed on our side."


def named_by(site: "machinery.SiteText") -> str:
    """The address of the picture that the home page names; empty where it names none."""
    named = site.pages[0].meta.get("og:image", "") if site.pages else ""
    try:
        url = canonical_url(join_url(site.pages[0].url, named)) if named else ""
    except InvalidUrlError:
        return ""
    return url if len(url) <= limits.URL else ""


def name(draft: Draft, *, site: "machinery.SiteText", at: datetime) -> None:
    """Note what the home page names, and have it fetched for the editor; the caller saves the draft.

    A file without its address was taken off by the owner, and stays off.
    """
    url = named_by(site)
    if url != draft.site_picture_url and (draft.site_picture_url or not draft.site_picture):
        draft.site_picture_url, draft.site_picture = url, ""
        if url:
            jobs.again(OF_DRAFT, key=_key(draft.pk, url), at=at, draft_id=str(draft.pk), url=url)


def fetch_picture_of_draft(*, draft_id: str, url: str, lease: jobs.Lease) -> None:
    """Fetch and draw it for the owner alone; where there is none to show, the editor shows none."""
    drafts = Draft.objects.filter(pk=draft_id, site_picture_url=url, site_picture="")
    draft = drafts.first()
    if draft is None:
        return
    made, _ = fetched(url, kind="gallery", owner_id=draft.owner_id, holder=f"picture of {draft_id}")
    lease.renew()
    if made is None or made.width < LEAST_WIDTH:
        return
    with transaction.atomic():
        drafts.update(site_picture=files.store_main(made, folder="drafts"))


def follow(draft: Draft, *, listing: Listing, at: datetime) -> None:
    """Have it fetched for the draft's listing, unless it is there or was taken down."""
    url = draft.site_picture_url
    if lacks_site_picture(listing, url=url):
        jobs.again(JOB, key=_key(listing.pk, url), at=at, listing_id=listing.pk, url=url)


def _key(pk: object, url: str) -> str:
    return f"{pk}-{hashlib.sha256(url.encode()).hexdigest()[:16]}"


def fetch_site_picture(*, listing_id: int, url: str, lease: jobs.Lease) -> None:
    """Fetch and draw it, and show it on the listing; why it is not shown is told to the owner."""
    listing = Listing.objects.filter(pk=listing_id).first()
    if listing is None or listing.owner_id is None or not lacks_site_picture(listing, url=url):
        return
    made, problem = fetched(url, kind="gallery", owner_id=listing.owner_id, holder=f"picture of {listing_id}")
    lease.renew()
    show_site_picture(listing_id=listing_id, source=url, made=made, problem=problem, at=timezone.now())


def give_up(*, listing_id: int, url: str, **_: str) -> None:
    """The job has failed for good through a fault of ours."""
    show_site_picture(listing_id=listing_id, source=url, made=None, problem=FAULT, at=timezone.now())
