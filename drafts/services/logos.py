"""A draft's logo: fetched by a job from the address in the draft, redrawn, stored by what is in it."""

import hashlib
import time
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction

from core import jobs
from core.fetch import Fetcher, FetchError
from directory.drawings import PictureRefusedError
from directory.pictures import MAX_BYTES, Picture, picture_of
from directory.services import files
from directory.services.logos import show_logo
from drafts.crawl.gate import ClosedError, Gate
from drafts.models import Draft

JOB = "drafts.fetch_logo"
SECONDS = 15.0
ACCEPTED = ("image/*", "application/octet-stream", "text/xml", "application/xml")
CLOSED = "robots.txt asked us not to fetch this picture."
FAULT = "Fetching it failed on our side."


def follow(draft: Draft, *, url: Any, at: datetime) -> None:
    """Have the picture fetched when a locked draft names another one than before; the caller saves the draft."""
    known = draft.logo or {}
    if not isinstance(url, str) or not url:
        draft.logo = None
    elif known.get("url") != url:
        draft.logo = {"url": url, "file": "", "problem": ""}
        key = f"{draft.pk}-{hashlib.sha256(url.encode()).hexdigest()[:16]}"
        jobs.again(JOB, key=key, at=at, draft_id=str(draft.pk), url=url)


def fetch_logo(*, draft_id: str, url: str, lease: jobs.Lease) -> None:
    """Fetch and redraw the picture, and show it on the draft and its listing. A refusal is told on the draft."""
    draft = Draft.objects.filter(pk=draft_id).first()
    if draft is None or (draft.logo or {}).get("url") != url:
        return
    picture, problem = None, ""
    try:
        picture = _fetched(url)
    except FetchError as error:
        problem = error.detail
    except ClosedError:
        problem = CLOSED
    except PictureRefusedError as error:
        problem = str(error)
    lease.renew()
    _keep(draft_id=draft_id, url=url, picture=picture, problem=problem)


def give_up(*, draft_id: str, url: str, **_: str) -> None:
    """The job has failed for good through a fault of ours."""
    _keep(draft_id=draft_id, url=url, picture=None, problem=FAULT)


def _fetched(url: str) -> Picture:
    ends_at = time.monotonic() + SECONDS
    with Fetcher() as fetcher:
        gate = Gate(
            fetcher=fetcher, token=settings.CRAWLER_TOKEN, seconds=SECONDS / 2, ends_at=ends_at, known={}
        )
        gate.check(url)
        answer = fetcher.get(
            url, accept=ACCEPTED, max_bytes=MAX_BYTES, timeout=SECONDS, may_follow=gate.check
        )
    if answer.status != 200:
        raise PictureRefusedError(f"There is no picture at this address ({answer.status}).")
    return picture_of(answer.body)


@transaction.atomic
def _keep(*, draft_id: str, url: str, picture: Picture | None, problem: str) -> None:
    draft = Draft.objects.select_for_update().filter(pk=draft_id).first()
    if draft is None or (draft.logo or {}).get("url") != url:
        return
    if picture is not None:
        files.store(picture.name, picture.content)
    draft.logo = {"url": url, "file": picture.name if picture else "", "problem": problem}
    draft.save(update_fields=["logo"])
    hand_over(draft)


def hand_over(draft: Draft) -> None:
    """Let the draft's listing show what was fetched for the address that it names."""
    if draft.listing_id is not None:
        known = draft.logo or {}
        show_logo(listing_id=draft.listing_id, url=known.get("url", ""), name=known.get("file", ""))
