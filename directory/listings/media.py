"""A listing's logo and pictures: sent by its owner or its website's own, prepared by a job, stored by its number."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from core import jobs
from core.api.links import absolute
from directory import limits
from directory.images import files, uploads
from directory.images.files import address_of, named, store_picture
from directory.images.pictures import Made
from directory.launches.queueing import write_to_owners
from directory.listings import editing, own, versions
from directory.models import Listing, Undo, Upload
from directory.reports.reporting import refuse_without_reason
from directory.search import public_data

LEAST_WIDTH = 600  # narrower ones are logos and icons more often than not
NARROW = f"It is less than {LEAST_WIDTH} pixels wide."
Media = Sequence[dict[str, Any]]
FORGET, PUT_BACK_WITHIN = "directory.forget_picture", timedelta(minutes=5)
FULL = f"A listing has at most {limits.PICTURES} pictures. Remove one first."


def lacks_site_picture(listing: Listing, *, url: str) -> bool:
    """Whether this picture is to be fetched: its owner has not taken the site's picture down, and it is not shown."""
    stored = listing.site_picture or {}
    return bool(url) and not stored.get("is_down") and (stored.get("source") != url or not stored.get("file"))


@transaction.atomic
def show_site_picture(*, listing_id: int, source: str, made: Made | None, problem: str, at: datetime) -> None:
    """Show a fetched picture, or note why there is none. What was taken down meanwhile stays down."""
    listing = Listing.objects.select_for_update().filter(pk=listing_id).first()
    if listing is None or not lacks_site_picture(listing, url=source):
        return
    if made is not None and made.width < LEAST_WIDTH:
        made, problem = None, NARROW
    if made is not None:
        row = store_picture(made, folder=f"{files.PICTURES}/{listing_id}")
        _write(listing, {"source": source, **row}, at=at)
    elif not (listing.site_picture or {}).get("file"):  # one that was good is better than none
        _write(listing, {"source": source, "problem": problem}, at=at)


@transaction.atomic
def take_down_site_picture(*, owner_id: int, listing_id: int, at: datetime) -> None:
    """Take it off the listing, for good. Raises ListingNotFoundError."""
    _drop_site_picture(Listing.objects.locked_own(owner_id, listing_id), at=at)


def _drop_site_picture(listing: Listing, *, at: datetime) -> None:
    """The same for a locked listing: its owner, staff, or nobody's any more."""
    if listing.site_picture:
        _write(listing, {"source": listing.site_picture.get("source", ""), "is_down": True}, at=at)


def _write(listing: Listing, row: dict[str, Any], *, at: datetime) -> None:
    gone = files.names_of(listing.site_picture or {})
    listing.site_picture, listing.updated_at = row, at
    listing.save(update_fields=["site_picture", "updated_at"])
    public_data.refresh_locked(listing_ids=[listing.pk])
    if gone:
        transaction.on_commit(partial(files.drop, gone), robust=True)


def refuse_full(count: int) -> None:
    """Raise InvalidRequestError when there are as many as there may be."""
    if count >= limits.PICTURES:
        raise uploads.refusal(FULL)


def joined(rows: Media, row: dict[str, Any]) -> list[dict[str, Any]]:
    """The same with one more, last; one that is there already moves, and has its words unless they are new.

    Raises InvalidRequestError when they are full.
    """
    others = [other for other in rows if other["file"] != row["file"]]
    refuse_full(len(others))
    former = next((other.get("alt", "") for other in rows if other not in others), "")
    return [*others, row | {"alt": row["alt"] or former}]


def name_of(row: Mapping[str, Any]) -> str:
    """What editors name a stored picture by, wherever it stands: its file, without folder and end."""
    return str(row["file"]).rpartition("/")[2].partition(".")[0]


def without(rows: Media, *, name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The one of this name and the others. Raises InvalidRequestError when there is none."""
    for place, row in enumerate(rows):
        if name_of(row) == name:
            return row, [*rows[:place], *rows[place + 1 :]]
    raise uploads.refusal("This picture is not there any more.")


def moved(rows: Media, *, name: str, to: int) -> list[dict[str, Any]]:
    """The same with one at another place. Raises InvalidRequestError when it is not there any more."""
    row, others = without(rows, name=name)
    others.insert(max(0, to - 1), row)
    return others


def described(rows: Media, alts: Mapping[str, str]) -> list[dict[str, Any]]:
    """The same with other words, by name. Raises InvalidRequestError when one of them is not there any more."""
    for name in alts:
        without(rows, name=name)
    return [{**row, "alt": alts.get(name_of(row), row.get("alt", ""))} for row in rows]


def coming(listing: Listing) -> Q:
    """The pictures sent to a listing, and those that were being prepared for a draft of it when that was submitted."""
    of_drafts = Q(use=Upload.Use.DRAFT_MEDIA, by=listing.owner_id, draft_id__in=listing.drafts.values("pk"))
    return Q(use=Upload.Use.GALLERY, listing=listing) | of_drafts


def add_picture(*, owner_id: int, listing_id: int, body: bytes, alt: str, at: datetime) -> Upload:
    """Have a picture prepared; it is shown last once it is. The same one again moves there with its new words.

    Raises InvalidRequestError for what is no picture and when there are as many as there may be.
    """

    def make_room() -> None:
        listing = Listing.objects.locked_own(owner_id, listing_id)
        preparing = Upload.objects.filter(coming(listing), status=Upload.Status.PREPARING)
        refuse_full(len(listing.media) + preparing.count())

    return uploads.receive(
        use=Upload.Use.GALLERY,
        by_id=owner_id,
        body=body,
        at=at,
        make_room=make_room,
        listing_id=listing_id,
        alt=alt,
    )


@uploads.finishes(Upload.Use.GALLERY)
def show_picture(upload: Upload, made: Made, at: datetime) -> None:
    """Show a picture that is prepared. It is an edit, which staff look at like others.

    Raises ListingNotFoundError where the listing is no longer theirs who sent it.
    """
    listing = Listing.objects.locked_own(upload.by_id, upload.listing_id or 0)
    row = store_picture(made, folder=f"{files.PICTURES}/{listing.pk}")
    rows = joined(listing.media, {"type": "image", "alt": upload.alt, **row})
    before = versions.begin(listing)
    _show(listing, rows, at=at)
    versions.close(listing, before=before, by_id=upload.by_id, at=at)


@transaction.atomic
def describe_pictures(*, owner_id: int, listing_id: int, alts: Mapping[str, str], at: datetime) -> None:
    """Say what pictures show, by their names: an edit like others. Raises InvalidRequestError when one is gone."""
    listing = Listing.objects.locked_own(owner_id, listing_id)
    rows = described(listing.media, alts)
    if rows == listing.media:
        return
    before = versions.begin(listing)
    _show(listing, rows, at=at)
    versions.close(listing, before=before, by_id=owner_id, at=at)


@transaction.atomic
def move_picture(*, owner_id: int, listing_id: int, name: str, to: int, at: datetime) -> None:
    """Put a picture at another place, counted from one. Raises InvalidRequestError when it is not there any more."""
    listing = Listing.objects.locked_own(owner_id, listing_id)
    _show(listing, moved(listing.media, name=name, to=to), at=at)


@transaction.atomic
def remove_picture(*, owner_id: int, listing_id: int, name: str, at: datetime) -> None:
    """Take the picture of this name away. For minutes it can be put back.

    Raises InvalidRequestError when there is none.
    """
    listing = Listing.objects.locked_own(owner_id, listing_id)
    row, rows = without(listing.media, name=name)
    details = {"pictures": [row], "number": listing.media.index(row) + 1}
    removal = Undo.objects.create(kind=Undo.Kind.PICTURE, listing=listing, details=details, at=at)
    jobs.add(FORGET, key=str(removal.pk), run_after=at + PUT_BACK_WITHIN, undo_id=removal.pk)
    _show(listing, rows, at=at)


def removed_pictures(listing_id: int) -> QuerySet[Undo]:
    """What was removed some minutes ago, the last first: each can be put back."""
    return Undo.objects.filter(listing=listing_id, kind=Undo.Kind.PICTURE).order_by("-pk")


@transaction.atomic
def put_back_picture(*, owner_id: int, listing_id: int, undo_id: int, at: datetime) -> None:
    """Show a removed picture again where it stood. Raises InvalidRequestError when it is gone, or its place taken."""
    listing = Listing.objects.locked_own(owner_id, listing_id)
    removal = removed_pictures(listing_id).select_for_update().filter(pk=undo_id).first()
    if removal is None:
        raise uploads.refusal("It can’t be put back any more. Upload it again.")
    (row,) = removal.details["pictures"]
    rows = joined(listing.media, row)
    removal.delete()
    _show(listing, moved(rows, name=name_of(row), to=removal.details["number"]), at=at)


@transaction.atomic
def forget_pictures(removals: QuerySet[Undo]) -> None:
    """Delete the files of removed pictures; whatever shows one of them again holds on to it."""
    gone = [
        name for row in removals for picture in row.details["pictures"] for name in files.names_of(picture)
    ]
    removals.delete()
    transaction.on_commit(partial(files.drop, gone), robust=True)


@transaction.atomic
def remove_pictures(*, listing_id: int, at: datetime) -> None:
    """Take all of them away, that of the website too: staff think it right, or their owner has left."""
    listing = Listing.objects.select_for_update().get(pk=listing_id)
    _drop_site_picture(listing, at=at)
    forget_pictures(removed_pictures(listing_id))
    _show(listing, [], at=at)


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
    write_to_owners(listing, template="pictures_removed", key=key, reason=reason, terms_url=terms_url)


def _show(listing: Listing, media: Media, *, at: datetime) -> None:
    """Have these, and no file of the others once that is certain."""
    stays = {row["file"] for row in media}
    gone = [name for row in listing.media if row["file"] not in stays for name in files.names_of(row)]
    listing.media, listing.updated_at = list(media), at
    listing.save(update_fields=["media", "updated_at"])
    public_data.refresh_locked(listing_ids=[listing.pk])
    if gone:
        transaction.on_commit(partial(files.drop, gone), robust=True)


def send_logo(*, owner_id: int, listing_id: int, body: bytes, at: datetime) -> None:
    """Have a logo prepared, in place of one that is being prepared. What is none is told beside the field."""
    own.own_row(owner_id=owner_id, listing_id=listing_id)
    uploads.receive_only(use=Upload.Use.LOGO, by_id=owner_id, body=body, at=at, listing_id=listing_id)


@uploads.finishes(Upload.Use.LOGO)
def use_logo(upload: Upload, made: Made, at: datetime) -> None:
    """A prepared logo becomes the listing's. It is an edit like others, which its draft follows."""
    if upload.listing_id is None:
        return
    name, content = named(made)
    files.store(name, content)
    upload.file.name = name
    lock = editing.ListingEditor(owner_id=upload.by_id, listing_ids=[upload.listing_id])
    lock.state(upload.listing_id, {"logo_url": address_of(name)}, at=at)


@transaction.atomic
def show_logo(*, listing_id: int, url: str, name: str) -> None:
    """Show this stored picture, if it is a copy of the one that the listing names; show none for a listing without."""
    listing = Listing.objects.select_for_update().filter(pk=listing_id).first()
    if listing is None or listing.logo_url not in {url, ""}:
        return
    file = name if listing.logo_url else ""
    if listing.logo.name != file:
        listing.logo.name = file
        listing.save(update_fields=["logo"])
        public_data.refresh_locked(listing_ids=[listing.pk])
