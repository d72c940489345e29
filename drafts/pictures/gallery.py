"""The pictures that a maker puts into a draft: prepared like those of a listing, which gets them on Submit."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from functools import partial

from django.db import transaction

from directory.images import files, uploads
from directory.images.pictures import Made
from directory.listings import media
from directory.models import Upload
from drafts.models import Draft

IN_DRAFT = Upload.Use.DRAFT_MEDIA
SUBMITTED = "This draft is submitted: its pictures are on its listing."


def _open(owner_id: int, draft_id: uuid.UUID) -> Draft:
    draft = Draft.objects.locked_of(owner_id, draft_id)
    if draft.listing_id:
        raise uploads.refusal(SUBMITTED)
    return draft


def add_picture(*, owner_id: int, draft_id: uuid.UUID, body: bytes, alt: str, at: datetime) -> Upload:
    """Have a picture prepared; it is last once it is.

    Raises InvalidRequestError for what is no picture, when there are as many as there may be, and after Submit.
    """

    def make_room() -> None:
        draft = _open(owner_id, draft_id)
        preparing = Upload.objects.filter(draft_id=draft_id, use=IN_DRAFT, status=Upload.Status.PREPARING)
        media.refuse_full(len(draft.media) + preparing.count())

    about = {"draft_id": draft_id, "alt": alt}
    return uploads.receive(use=IN_DRAFT, by_id=owner_id, body=body, at=at, make_room=make_room, **about)


@uploads.finishes(IN_DRAFT)
def show_picture(upload: Upload, made: Made, at: datetime) -> None:
    """Show a picture that is prepared: in the draft, or on its listing if that was quicker.

    Raises NotFoundError where the draft is gone.
    """
    draft = Draft.objects.locked_of(upload.by_id, upload.draft_id or uuid.UUID(int=0))
    size = {"width": made.width, "height": made.height}
    row = {"type": "image", "alt": upload.alt, "file": files.store_main(made, folder="drafts"), **size}
    _write(draft, media.joined(draft.media, row), at=at)
    hand_over(draft, at=at)


@transaction.atomic
def describe_pictures(*, owner_id: int, draft_id: uuid.UUID, alts: Mapping[str, str], at: datetime) -> None:
    """Say what pictures show, by their names. Raises InvalidRequestError when one is gone."""
    draft = _open(owner_id, draft_id)
    _write(draft, media.described(draft.media, alts), at=at)


@transaction.atomic
def move_picture(*, owner_id: int, draft_id: uuid.UUID, name: str, to: int, at: datetime) -> None:
    """Put a picture at another place, counted from one. Raises InvalidRequestError when it is not there any more."""
    draft = _open(owner_id, draft_id)
    _write(draft, media.moved(draft.media, name=name, to=to), at=at)


@transaction.atomic
def remove_picture(*, owner_id: int, draft_id: uuid.UUID, name: str, at: datetime) -> None:
    """Take the picture of this name away, and its file. Raises InvalidRequestError when there is none."""
    draft = _open(owner_id, draft_id)
    row, others = media.without(draft.media, name=name)
    _write(draft, others, at=at)
    drop_files([row])


def drop_files(rows: media.Media) -> None:
    """Delete the files of these once no draft has them: that is certain when the transaction is committed."""
    if rows:
        transaction.on_commit(partial(files.drop, [row["file"] for row in rows]), robust=True)


def hand_over(draft: Draft, *, at: datetime) -> None:
    """Have them prepared for the draft's listing, in their order, as if its owner sent them there."""
    if not draft.media or draft.listing is None:
        return
    for row in draft.media:
        about = {"listing_id": draft.listing_id, "original": row["file"], "alt": row["alt"]}
        uploads.prepare_later(use=Upload.Use.GALLERY, by_id=draft.owner_id, created_at=at, **about)
    _write(draft, [], at=at)


def _write(draft: Draft, rows: media.Media, *, at: datetime) -> None:
    draft.media, draft.updated_at = list(rows), at
    draft.save(update_fields=["media", "updated_at"])
