"""The pictures of a listing: uploaded by its owner, redrawn, stored under the listing's number."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from core.errors import FieldError, InvalidRequestError
from core.links import absolute
from directory import limits
from directory.drawings import PictureRefusedError
from directory.errors import ListingNotFoundError
from directory.models import Listing
from directory.picture_process import drawn_apart
from directory.services import files, public_data, versions
from directory.services.moves import write_to_owner
from directory.services.reasons import refuse_without_reason


def add_picture(*, owner_id: int, listing_id: int, body: bytes, alt: str, at: datetime) -> None:
    """Put a picture last. The same one again moves there with its new words.

    Raises InvalidRequestError for what is no picture and when there are as many as there may be, PicturesBusyError.
    """
    try:
        screen = drawn_apart(body)
    except PictureRefusedError as error:
        raise _refusal(str(error)) from error
    name = f"{files.PICTURES}/{listing_id}/{hashlib.sha256(screen.content).hexdigest()[:24]}.webp"
    with transaction.atomic():
        listing = _own(owner_id=owner_id, listing_id=listing_id)
        others = [row for row in listing.media if row.get("file") != name]
        if len(others) >= limits.PICTURES:
            raise _refusal(f"A listing has at most {limits.PICTURES} pictures. Remove one first.")
        files.store(name, screen.content)
        added = {"type": "image", "file": name, "alt": alt, "width": screen.width, "height": screen.height}
        before = versions.begin(listing)
        _show(listing, [*others, added], at=at)
        versions.close(listing, before=before, by_id=owner_id, at=at)


@transaction.atomic
def remove_picture(*, owner_id: int, listing_id: int, number: int, at: datetime) -> None:
    """Take the picture with this number away, counted from one. Raises InvalidRequestError when there is none."""
    listing = _own(owner_id=owner_id, listing_id=listing_id)
    if not 1 <= number <= len(listing.media):
        raise _refusal("This picture is not there any more.")
    _show(listing, [row for place, row in enumerate(listing.media, start=1) if place != number], at=at)


@transaction.atomic
def remove_pictures(*, listing_id: int, at: datetime) -> None:
    """Take all of them away: staff think it right, or their owner has left."""
    _show(Listing.objects.select_for_update().get(pk=listing_id), [], at=at)


@transaction.atomic
def take_down_pictures(*, listing_id: int, reason: str, at: datetime) -> None:
    """Staff take all pictures away; the owner reads what, why, and how to object.

    Raises InvalidRequestError without a reason.
    """
    refuse_without_reason(reason)
    remove_pictures(listing_id=listing_id, at=at)
    listing = Listing.objects.select_related("owner", "site").get(pk=listing_id)
    key = f"pictures-removed-{listing_id}-{at.isoformat()}"
    terms_url = absolute("/terms")
    write_to_owner(listing, template="pictures_removed", key=key, reason=reason, terms_url=terms_url)


def _own(*, owner_id: int, listing_id: int) -> Listing:
    found = Listing.objects.select_for_update().owned_by(owner_id).filter(pk=listing_id).first()
    if found is None:
        raise ListingNotFoundError("There is no such listing.")
    return found


def _show(listing: Listing, media: Sequence[dict[str, Any]], *, at: datetime) -> None:
    """Have these, and no file of the others once that is certain."""
    kept = {row.get("file") for row in media}
    gone = [row["file"] for row in listing.media if row.get("file") and row["file"] not in kept]
    listing.media, listing.updated_at = list(media), at
    listing.save(update_fields=["media", "updated_at"])
    public_data.refresh(listing_ids=[listing.pk])
    if gone:
        transaction.on_commit(partial(files.drop, gone), robust=True)


def _refusal(why: str) -> InvalidRequestError:
    return InvalidRequestError(why, errors=[FieldError(code="picture", pointer="/picture", message=why)])
