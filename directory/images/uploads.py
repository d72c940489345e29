"""Pictures that people send: checked by their first bytes in the request, kept as they are, prepared by a job.

The row is the queue of record. A person's pictures are prepared in the order in which they were sent, one at a time,
and of all people's one at a time too: what decoding takes in memory is bounded whatever is sent.
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Model, Q
from django.http import HttpRequest

from accounts.models import User
from accounts.sessions import user_of
from core import jobs
from core.api import throttling
from core.api.errors import ApiError, FieldError, InvalidRequestError
from core.parts import Named
from directory import limits
from directory.images import files
from directory.images import heads as picture_heads
from directory.images.drawings import PictureRefusedError
from directory.images.pictures import Made
from directory.images.process import made_apart
from directory.models import Upload

JOB = "directory.prepare_picture"
FAULT = "Preparing it failed on our side. Add it again."
WAIT_SECONDS = 1.0
Use, Status = Upload.Use, Upload.Status
Finish = Callable[[Upload, Made, datetime], None]
MADE_AS = {
    Use.GALLERY: "gallery",
    Use.DRAFT_MEDIA: "draft",
    Use.LOGO: "logo",
    Use.DRAFT_LOGO: "logo",
    Use.PHOTO: "photo",
}
CHECKS = {
    Use.GALLERY: picture_heads.check_screen,
    Use.DRAFT_MEDIA: picture_heads.check_screen,
    Use.LOGO: picture_heads.check_logo,
    Use.DRAFT_LOGO: picture_heads.check_logo,
    Use.PHOTO: picture_heads.check_photo,
}


# by use: what is done with a picture once it is prepared, in the transaction that ends its row
finishes = Named[Finish]()


def refusal(why: str) -> InvalidRequestError:
    """A picture that is not taken, told at its field."""
    return InvalidRequestError(why, errors=[FieldError(code="picture", pointer="/picture", message=why)])


def receive(
    *,
    use: str,
    by_id: int,
    body: bytes,
    at: datetime,
    make_room: Callable[[], None] | None = None,
    **about: Any,
) -> Upload:
    """Keep a picture as it was sent and have it prepared. `make_room` is asked in the transaction of its row.

    Raises InvalidRequestError for what its first bytes show to be no picture of this use, and while the person has
    as many that wait as one may have.
    """
    try:
        CHECKS[Use(use)](body)
    except PictureRefusedError as error:
        raise refusal(str(error)) from error
    name = default_storage.save(f"originals/{uuid.uuid4().hex}", ContentFile(body))
    with transaction.atomic():
        if make_room is not None:
            make_room()
        User.objects.select_for_update(no_key=True).get(pk=by_id)  # who sends two at once is counted in turn
        if Upload.objects.filter(by=by_id, status=Status.PREPARING).count() >= limits.PICTURES_WAITING:
            raise refusal(
                f"{limits.PICTURES_WAITING} of your pictures are being prepared. Add more in a minute."
            )
        return prepare_later(use=use, by_id=by_id, original=name, created_at=at, **about)


def prepare_later(**row: Any) -> Upload:
    """Have a stored picture prepared, once the caller's transaction is committed."""
    upload = Upload.objects.create(**row)
    jobs.add(JOB, key=str(upload.pk), upload_id=upload.pk)
    return upload


def receive_only(*, use: str, by_id: int, body: bytes, at: datetime, **about: Any) -> None:
    """The same for what there is one of: it takes the place of one that waits. A refusal is kept in its row."""

    def make_room() -> None:
        for other in (
            Upload.objects.select_for_update()
            .filter(use=use, by=by_id, **about)
            .exclude(status=Status.PLACED)
        ):
            _forget(other)

    try:
        receive(use=use, by_id=by_id, body=body, at=at, make_room=make_room, **about)
    except InvalidRequestError as error:
        with transaction.atomic():
            make_room()
            Upload.objects.create(
                use=use, by_id=by_id, status=Status.REFUSED, problem=error.detail, created_at=at, **about
            )


def prepare(*, upload_id: int, at: datetime, lease: jobs.Lease) -> None:
    """Make ours of a picture, or say what is wrong with it. Raises NotNowError while it is the turn of others."""
    upload = Upload.objects.filter(pk=upload_id, status=Status.PREPARING).first()
    if upload is None:
        return
    if Upload.objects.filter(by=upload.by_id, status=Status.PREPARING, pk__lt=upload_id).exists():
        raise jobs.NotNowError(seconds=WAIT_SECONDS)
    with jobs.place("pictures", places=1, holder=f"upload {upload_id}"):
        try:
            with upload.original.open() as original:
                made = made_apart(original.read(), kind=MADE_AS[Use(upload.use)])
        except PictureRefusedError as error:
            _refuse(upload_id, why=str(error))
            return
    lease.renew()
    try:
        with transaction.atomic():
            lease.guard()
            _finish(upload_id, made=made, at=at)
    except ApiError as error:  # such as a listing that is not theirs any more
        _refuse(upload_id, why=error.detail)


def _finish(upload_id: int, *, made: Made, at: datetime) -> None:
    upload = Upload.objects.filter(pk=upload_id, status=Status.PREPARING).first()
    if upload is None:
        return
    finishes[upload.use](upload, made, at)
    if upload.file:
        upload.status = Status.PLACED
        _without_original(upload)
    else:
        _forget(upload)


def give_up(*, upload_id: int, **_: Any) -> None:
    """The job has failed for good through a fault of ours."""
    _refuse(upload_id, why=FAULT)


@transaction.atomic
def _refuse(upload_id: int, *, why: str) -> None:
    upload = Upload.objects.select_for_update().filter(pk=upload_id, status=Status.PREPARING).first()
    if upload is not None:
        upload.status, upload.problem = Status.REFUSED, why[:300]
        _without_original(upload)


def _without_original(upload: Upload) -> None:
    """What was sent may say where it was taken: it goes as soon as ours is made, or is not."""
    name, upload.original = str(upload.original.name), ""
    upload.save(update_fields=["status", "problem", "original", "file"])
    transaction.on_commit(partial(files.drop, [name]), robust=True)


def _forget(upload: Upload) -> None:
    name = str(upload.original.name)
    upload.delete()
    if name:
        transaction.on_commit(partial(files.drop, [name]), robust=True)


@transaction.atomic
def dismiss(*, by_id: int, upload_id: int) -> None:
    """Take away a picture that waits or was refused. One that is not there any more is no fault."""
    rows = Upload.objects.select_for_update().filter(by=by_id, pk=upload_id).exclude(status=Status.PLACED)
    if upload := rows.first():
        _forget(upload)


def forget_waiting(**about: Any) -> None:
    """Take away every picture of these, such as a person's, that is not shown yet."""
    for upload in Upload.objects.select_for_update().filter(**about).exclude(status=Status.PLACED):
        _forget(upload)


def waiting(*which: Q, **about: Any) -> list[Upload]:
    """Pictures that are not shown yet, in the order in which they were sent, with what is wrong with those refused."""
    return list(Upload.objects.filter(*which, **about).exclude(status=Status.PLACED).order_by("pk"))


def waiting_beside(row: Model, field: str, *which: Q, **about: Any) -> list[Upload]:
    """The same for a row that shows in `field` what became of them, which is read again.

    Whoever reads the row first misses what is made ready between the two: it would be in neither.
    """
    rows = waiting(*which, **about)
    row.refresh_from_db(fields=[field])
    return rows


@dataclass(frozen=True, kw_only=True)
class LogoBox:
    """A logo as it is, where another is sent to, and what waits or was refused."""

    action: str
    file: str
    name: str
    waiting: Sequence[Upload]
    problem: str = ""  # why the website's own gave no picture
    is_coming: bool = False


def sent_file(request: HttpRequest) -> bytes:
    """The file of a form, counted like a call of the API; nothing where none was chosen."""
    throttling.enforce("write", caller=f"user:{user_of(request).pk}")
    file = request.FILES.get("picture")
    return file.read() if file else b""
