"""A founder's photo: sent by the person, prepared by a job, shown on their page and beside their products."""

import hashlib
from datetime import datetime
from functools import partial

from django.db import transaction

from core.api.errors import ApiError
from core.cache import changed
from directory.images import files, uploads
from directory.images.pictures import Made
from directory.models import Founder, Upload


class NoProfileError(ApiError):
    """Whoever has no public profile has no place for a photo."""

    status = 404
    code = "not_found"
    title = "Not found"


def send_photo(*, user_id: int, body: bytes, at: datetime) -> None:
    """Have a photo prepared. What is none is told beside the field. Raises NoProfileError."""
    if not Founder.objects.filter(user=user_id).exists():
        raise NoProfileError("You have no founder page yet.")
    uploads.receive_only(use=Upload.Use.PHOTO, by_id=user_id, body=body, at=at)


@uploads.finishes(Upload.Use.PHOTO)
def use_photo(upload: Upload, made: Made, _at: datetime) -> None:
    """A prepared photo becomes that of the person's profile."""
    ((end, content),) = made.files.items()
    name = f"founders/{hashlib.sha256(content).hexdigest()[:24]}{end}"
    files.store(name, content)
    _write(upload.by_id, name)


@transaction.atomic
def remove_photo(*, user_id: int) -> None:
    """Show initials instead."""
    _write(user_id, "")


def _write(user_id: int, name: str) -> None:
    founder = Founder.objects.select_for_update().filter(user=user_id).first()
    if founder is None:
        raise NoProfileError("You have no founder page any more.")
    before, founder.photo.name = str(founder.photo.name or ""), name
    founder.save(update_fields=["photo"])
    changed("listings")
    if before and before != name:
        transaction.on_commit(partial(files.drop, [before]), robust=True)
