from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import celeryd_after_setup
from django.conf import settings

from core import jobs
from drafts.drafting import comparing, first_draft, redrafting, rereading
from drafts.pictures import logos, photos, site_pictures
from drafts.processor import OutOfTimeError

TOO_LONG = (SoftTimeLimitExceeded, OutOfTimeError)


@celeryd_after_setup.connect
def prepare(instance: Any, **_: Any) -> None:
    """What every process of the crawler needs, made in the one that they are forked from: they share it."""
    if "crawl" in instance.app.amqp.queues.consume_from:
        first_draft.prepare()


@jobs.job(
    "drafts.write_from_website", queue="crawl", attempts=5, lease_seconds=60, on_dead=first_draft.give_up
)
def write_from_website(lease: jobs.Lease, *, draft_id: str) -> None:
    """Read a website and write its draft. One that takes too long takes as long the next time."""
    try:
        first_draft.write_from_website(draft_id=draft_id, lease=lease)
    except TOO_LONG:
        first_draft.fail(draft_id=draft_id, code="timeout", detail=first_draft.TOO_LONG, lease=lease)


@jobs.job("drafts.read_competitor", queue="crawl", attempts=3, lease_seconds=90, on_dead=comparing.give_up)
def read_competitor(lease: jobs.Lease, *, draft_id: str, url: str) -> None:
    try:
        comparing.read_competitor(draft_id=draft_id, url=url, lease=lease)
    except TOO_LONG:
        comparing.fail(draft_id=draft_id, url=url, reason=first_draft.TOO_LONG, lease=lease)


@jobs.job("drafts.redraft", queue="ai", attempts=3, lease_seconds=120, on_dead=redrafting.give_up)
def redraft(lease: jobs.Lease, *, draft_id: str, names: list[str]) -> None:
    try:
        redrafting.redraft(draft_id=draft_id, names=names, lease=lease)
    except TOO_LONG:
        redrafting.stop(draft_id=draft_id, names=names, note=redrafting.TOO_LONG_NOTE, lease=lease)


@jobs.job(rereading.JOB, queue="crawl", attempts=3, lease_seconds=60)
def read_again(lease: jobs.Lease, *, draft_id: str) -> None:
    try:
        rereading.read_again(draft_id=draft_id, lease=lease)
    except TOO_LONG:
        redrafting.stop(draft_id=draft_id, names=(), note=rereading.TOO_LONG_NOTE, lease=lease)


@jobs.job(site_pictures.JOB, queue="crawl", attempts=3, lease_seconds=60, on_dead=site_pictures.give_up)
def fetch_site_picture(lease: jobs.Lease, *, listing_id: int, url: str) -> None:
    site_pictures.fetch_site_picture(listing_id=listing_id, url=url, lease=lease)


@jobs.job(site_pictures.OF_DRAFT, queue="crawl", attempts=3, lease_seconds=60)
def fetch_picture_of_draft(lease: jobs.Lease, *, draft_id: str, url: str) -> None:
    site_pictures.fetch_picture_of_draft(draft_id=draft_id, url=url, lease=lease)


@jobs.job(logos.JOB, queue="crawl", attempts=3, lease_seconds=60, on_dead=logos.give_up)
def fetch_logo(lease: jobs.Lease, *, draft_id: str, url: str) -> None:
    try:
        logos.fetch_logo(draft_id=draft_id, url=url, lease=lease)
    except TOO_LONG:
        logos.give_up(draft_id=draft_id, url=url)


@jobs.job(photos.JOB, queue="crawl", attempts=3, lease_seconds=60, on_dead=photos.give_up)
def fetch_photo(lease: jobs.Lease, *, photo_id: int) -> None:
    photos.fetch(photo_id=photo_id, lease=lease)


if settings.OPENAI_API_KEY:
    jobs.may_wait("drafts.write_from_website", "drafts.redraft", seconds=settings.AI_TIMEOUT)
