"""Founders' photos that stand on a website beside their names: offered, fetched by a press, taken down by another."""

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F

from core import jobs
from core.api.errors import NotFoundError
from directory.images import files
from directory.images.pictures import Made
from directory.listings.sources import shows_photos
from directory.people import profile
from drafts import limits, machinery
from drafts.crawl.report import CrawlReport
from drafts.models import Draft, FounderPhoto
from drafts.pictures.fetching import fetched

JOB = "drafts.fetch_photo"
FAULT = "Fetching it failed on our side."


def tied(
    draft: Draft, *, founders: Iterable[Mapping[str, Any]], report: CrawlReport | None = None
) -> list["machinery.Tie"]:
    """What the stored pages, or those of a newer crawl, tie to these people. Pages are read: lock nothing meanwhile."""
    people = [(str(person["name"]), str(person.get("title") or "")) for person in founders]
    if not people:
        return []
    if report is not None:
        return machinery.photos_in([(page.url, page.html) for page in report.read], people=people)
    stored = draft.pages.filter(skipped="").exclude(html="")
    return machinery.photos_in(stored.values_list("url", "html"), people=people)


def offer(draft: Draft, ties: Iterable["machinery.Tie"]) -> None:
    """Put what the pages tie to its founders in place of what they tied before; what was taken stays."""
    draft.photos.filter(taken_at=None).delete()
    rows = [
        FounderPhoto(draft=draft, name=name, url=url, page_url=page_url)
        for name, url, page_url in ties
        if len(url) <= limits.URL
    ]
    FounderPhoto.objects.bulk_create(rows, ignore_conflicts=True)


def of_draft(draft: Draft) -> dict[str, FounderPhoto]:
    return {photo.name: photo for photo in draft.photos.all()}


@shows_photos
def of_listing(listing_id: int) -> dict[str, FounderPhoto]:
    """Those of its newest draft."""
    mine = Draft.objects.filter(listing=listing_id, owner=F("listing__owner"))
    draft = mine.order_by("-created_at", "-pk").first()
    return of_draft(draft) if draft else {}


def own_photo(*, owner_id: int, draft_id: uuid.UUID, photo_id: int, is_locked: bool = False) -> FounderPhoto:
    """As it is now; locked for whoever changes it. Raises NotFoundError."""
    rows = FounderPhoto.objects.select_related("draft")
    if is_locked:
        rows = rows.select_for_update(of=("self",))
    photo = rows.filter(draft__owner=owner_id, draft=draft_id, pk=photo_id).first()
    return NotFoundError.unless(photo, "photo")


@transaction.atomic
def take(*, owner_id: int, draft_id: uuid.UUID, photo_id: int, at: datetime) -> None:
    """Have an offered photo fetched. Raises NotFoundError."""
    photo = own_photo(owner_id=owner_id, draft_id=draft_id, photo_id=photo_id, is_locked=True)
    if photo.file or photo.is_awaited:
        return
    photo.taken_at, photo.problem = at, ""
    photo.save(update_fields=["taken_at", "problem"])
    jobs.again(JOB, key=f"{photo.pk}", at=at, photo_id=photo.pk)


@transaction.atomic
def take_down(*, owner_id: int, draft_id: uuid.UUID, photo_id: int) -> None:
    """Take it off the founder and the draft; it is offered as before. Raises NotFoundError."""
    photo = own_photo(owner_id=owner_id, draft_id=draft_id, photo_id=photo_id, is_locked=True)
    name, photo.file.name, photo.taken_at, photo.problem = str(photo.file.name or ""), "", None, ""
    photo.save(update_fields=["file", "taken_at", "problem"])
    listing = photo.draft.without_lost_listing().listing
    if listing and name:
        profile.take_down_site_photo(listing_id=listing.pk, file=name)
    if name:
        transaction.on_commit(partial(files.drop, [name]), robust=True)


def fetch(*, photo_id: int, lease: jobs.Lease) -> None:
    """Fetch and draw it anew; why it is not used is told beside the founder."""
    photo = FounderPhoto.objects.select_related("draft").filter(pk=photo_id).first()
    if photo is None or not photo.is_awaited:
        return
    owner_id, holder = photo.draft.owner_id, f"founder's photo {photo_id}"
    made, problem = fetched(photo.url, kind="photo", owner_id=owner_id, holder=holder)
    lease.renew()
    _keep(photo_id, made=made, problem=problem)


def give_up(*, photo_id: int, **_: str) -> None:
    """The job has failed for good through a fault of ours."""
    _keep(photo_id, made=None, problem=FAULT)


@transaction.atomic
def _keep(photo_id: int, *, made: Made | None, problem: str) -> None:
    rows = FounderPhoto.objects.select_for_update(of=("self",)).select_related("draft")
    photo = rows.filter(pk=photo_id).first()
    if photo is None or not photo.is_awaited:
        return
    photo.file.name, photo.problem = profile.store_photo(made) if made else "", problem[:300]
    photo.save(update_fields=["file", "problem"])
    hand_over(photo.draft)


def hand_over(draft: Draft) -> None:
    """Let the founders of the draft's listing have what was taken for them."""
    listing = draft.without_lost_listing().listing
    if listing is None:
        return
    for photo in draft.photos.exclude(file=""):
        profile.use_site_photo(
            listing_id=listing.pk, name=photo.name, file=str(photo.file.name), source=photo.page_url
        )
