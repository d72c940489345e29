"""A website comes in; a draft and the job that writes it go into one transaction."""

import uuid
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F, Q

from accounts.models import User
from core import jobs
from core.api import throttling
from core.api.errors import FieldError
from core.api.links import absolute
from core.domains import domain_of, host_of
from directory.errors import DuplicateListingError
from directory.models import Listing, Site
from drafts.errors import DraftNotReadyError
from drafts.facts.fitting import public_address, site_key
from drafts.models import OPEN, Draft, DraftField

JOB = "drafts.write_from_website"
GET = {"operation": "get_draft", "method": "GET"}
CLOSED = (Listing.Status.LIVE, Listing.Status.ARCHIVED, Listing.Status.REJECTED)
SECOND = "There is a draft of this site already."
RESTARTED = ("status", "stage", "error", "pages_read", "percent", "robots", "tries", "updated_at")


def submit_listing(*, owner: User, site: Site, url: str, at: datetime, request_id: str = "") -> Draft:
    """Start a draft of a public website.

    Raises InvalidUrlError or UrlNotPublicError at once for what cannot be public, DuplicateListingError when
    the person already has an open draft of the same site, RateLimitedError for one crawl too many.
    """
    address = public_address(url, pointer="/url")
    key = site_key(address)
    refuse_second(owner=owner, site=site, key=key)
    draft = Draft(
        site=site,
        owner=owner,
        url=address,
        site_key=key,
        domain=domain_of(address),
        duplicate_of=live_listing_of(site=site, key=key),
        request_id=request_id,
        created_at=at,
        updated_at=at,
    )
    try:
        _begin(draft)
    except IntegrityError:
        refuse_second(owner=owner, site=site, key=key)
        raise
    return draft


@transaction.atomic
def _begin(draft: Draft) -> None:
    Draft.objects.bulk_create([draft])
    DraftField.objects.bulk_create(draft.blank_fields())
    jobs.add(JOB, key=str(draft.pk), draft_id=str(draft.pk))
    throttling.spend("crawl", user_id=draft.owner_id)


def refuse_second(*, owner: User, site: Site, key: str) -> None:
    """Raise DuplicateListingError when the person has an open draft of this site."""
    mine = Draft.objects.owned_by(owner.pk).filter(site=site, site_key=key)
    unlisted = Q(listing__owner=owner) & ~Q(listing__status__in=CLOSED)
    result = mine.filter(OPEN | unlisted).order_by(F("listing").asc(nulls_first=True), "-created_at").first()
    if result is None:
        return
    path = f"/api/v1/drafts/{result.pk}"
    raise DuplicateListingError(
        f"You already have a draft of this site: {result.pk}.",
        errors=[FieldError(code="duplicate_listing", pointer="/url", message=SECOND)],
        draft_id=str(result.pk),
        draft_url=absolute(path),
        next_actions=[GET | {"path": path, "why": "See the draft that is there already."}],
    )


def live_listing_of(*, site: Site, key: str) -> Listing | None:
    host = key.partition("/")[0]
    existing = Listing.objects.live().filter(site=site, host=host).order_by("pk").values_list("pk", "url")
    result = next((pk for pk, url in existing if site_key(url) == key), None)
    return Listing.objects.filter(pk=result).first() if result else None


def recognise(draft: Draft, *, home_url: str, canonical: str = "") -> None:
    """Say which site this is now that its redirects are known, without saving it.

    Raises DuplicateListingError when the person has another open draft of that site. Where the pages name another
    canonical address, a listing there is a hint, too; the draft stays with what was read.
    """
    key = site_key(home_url)
    others = Draft.objects.owned_by(draft.owner_id).filter(site_id=draft.site_id, site_key=key)
    if other := others.open().exclude(pk=draft.pk).first():
        raise DuplicateListingError(
            f"{host_of(draft.url)} leads to a site of which you have a draft: {other.pk}."
        )
    keys = [key, *([site_key(canonical)] if canonical else []), draft.site_key]
    rows = (live_listing_of(site=draft.site, key=existing) for existing in dict.fromkeys(keys))
    draft.duplicate_of = next((listing for listing in rows if listing is not None), None)
    draft.site_key, draft.domain = key, domain_of(home_url)


@transaction.atomic
def try_again(*, owner_id: int, draft_id: uuid.UUID, at: datetime) -> Draft:
    """Crawl and write a failed draft once more. Raises RateLimitedError for one crawl too many."""
    draft = Draft.objects.locked_of(owner_id, draft_id)
    restart(draft=draft, at=at)
    throttling.spend("crawl", user_id=owner_id)
    return draft


def restart(*, draft: Draft, at: datetime) -> None:
    """Put a locked, failed draft back to its beginning. What its owner wrote stays."""
    if draft.status != Draft.Status.FAILED:
        raise DraftNotReadyError("Only a failed draft can be tried again.", current=draft.status)
    refuse_second(owner=draft.owner, site=draft.site, key=draft.site_key)
    draft.pages.all().delete()
    draft.status, draft.stage, draft.error = Draft.Status.CRAWLING, "queued", None
    draft.pages_read = draft.percent = 0
    draft.robots = ""
    draft.tries += 1
    draft.updated_at = at
    draft.save(update_fields=RESTARTED)
    jobs.again(JOB, key=str(draft.pk), at=at, draft_id=str(draft.pk))
