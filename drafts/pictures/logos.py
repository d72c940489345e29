"""A draft's logo: fetched from the address in the draft or sent by its owner, prepared by a job."""

import hashlib
import uuid
from datetime import datetime
from typing import Any

from django.core.files.storage import default_storage
from django.db import transaction

from core import jobs
from directory.images import files, uploads
from directory.images.files import named, own_logo
from directory.images.pictures import Made
from directory.listings.media import show_logo
from directory.models import Upload
from drafts.facts.completeness import lost_to_logo
from drafts.models import Draft
from drafts.pictures.fetching import fetched

JOB = "drafts.fetch_logo"
GONE = "It is not there any more. Upload it again."
FAULT = "Fetching it failed on our side."


def follow(draft: Draft, *, url: Any, at: datetime) -> None:
    """Have the picture fetched when a locked draft names another one than before; the caller saves the draft."""
    existing = draft.logo or {}
    if not isinstance(url, str) or not url:
        draft.logo = None
    elif existing.get("url") != url:
        former, own = _former(existing), own_logo(url)
        name = former["file"] if former.get("url") == url else own
        is_there = bool(name) and default_storage.exists(name)
        draft.logo = {
            "url": url,
            "file": name if is_there else "",
            "problem": GONE if own and not is_there else "",
            "former": former,
        }
        if is_there or own:
            return
        key = f"{draft.pk}-{hashlib.sha256(url.encode()).hexdigest()[:16]}"
        jobs.again(JOB, key=key, at=at, draft_id=str(draft.pk), url=url)


def _former(logo: dict[str, Any]) -> dict[str, str]:
    """What was fetched last: who takes an upload back has it again, though the website does not answer any more."""
    if logo.get("file") and not own_logo(logo["url"]):
        return {"url": logo["url"], "file": logo["file"]}
    return logo.get("former") or {}


def send_logo(*, owner_id: int, draft_id: uuid.UUID, body: bytes, at: datetime) -> None:
    """Have a logo prepared, in place of one that is being prepared. What is none is told beside the field."""
    uploads.receive_only(use=Upload.Use.DRAFT_LOGO, by_id=owner_id, body=body, at=at, draft_id=draft_id)


def fetch_logo(*, draft_id: str, url: str, lease: jobs.Lease) -> None:
    """Fetch and redraw the picture, and show it on the draft and its listing. A refusal is told on the draft."""
    draft = Draft.objects.filter(pk=draft_id).first()
    if draft is None or (draft.logo or {}).get("url") != url:
        return
    made, problem = fetched(url, kind="logo", owner_id=draft.owner_id, holder=f"logo of {draft_id}")
    lease.renew()
    _keep(draft_id=draft_id, url=url, made=made, problem=problem)


def give_up(*, draft_id: str, url: str, **_: str) -> None:
    """The job has failed for good through a fault of ours."""
    _keep(draft_id=draft_id, url=url, made=None, problem=FAULT)


@transaction.atomic
def _keep(*, draft_id: str, url: str, made: Made | None, problem: str) -> None:
    draft = Draft.objects.select_for_update().filter(pk=draft_id).first()
    if draft is None or not draft.logo or draft.logo.get("url") != url:
        return
    name, content = named(made) if made else ("", b"")
    if made:
        files.store(name, content)
    before, draft.logo = draft.logo, draft.logo | {"file": name, "problem": problem}
    draft.completeness += lost_to_logo(before) - lost_to_logo(draft.logo)
    draft.save(update_fields=["logo", "completeness"])
    hand_over(draft)


def hand_over(draft: Draft) -> None:
    """Let the draft's listing show what was fetched for the address that it names."""
    listing = draft.without_lost_listing().listing
    if listing is not None:
        existing = draft.logo or {}
        show_logo(listing_id=listing.pk, url=existing.get("url", ""), name=existing.get("file", ""))
