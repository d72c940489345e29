"""A founder’s own words and photo, which the person edits: shown on their page and beside their products."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from django.db import transaction
from django.db.models import Count, OuterRef, Q, QuerySet, Window

from core.api.errors import ApiError
from core.cache import changed
from core.postgresql.base import Counted
from directory.images import files, uploads
from directory.images.pictures import Made
from directory.models import Founder, Launch, ListingFounder, ListingUpdate, Question, Review, Upload
from directory.search import public_data

EDITED = ("name", "title", "bio", "socials")
MOST = 8
AT_MOST = {"launch": 100, "reply": 2}  # of launches the best place is asked; replies are much alike


@transaction.atomic
def edit_profile(*, user_id: int, values: Mapping[str, Any]) -> None:
    """Write the person's own words on their founder page and beside their products; nothing without such a page."""
    founder = Founder.objects.select_for_update().filter(user=user_id).first()
    if founder is None:
        return
    for name in EDITED:
        setattr(founder, name, values[name])
    founder.save(update_fields=EDITED)
    listings = ListingFounder.objects.filter(founder=founder).values_list("listing", flat=True)
    public_data.refresh(listing_ids=set(listings))
    changed("listings")


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
    _write(upload.by_id, store_photo(made))


def store_photo(made: Made) -> str:
    """Store a photo for a row of the caller's transaction. Gives its name."""
    ((end, content),) = made.files.items()
    name = f"founders/{hashlib.sha256(content).hexdigest()[:24]}{end}"
    files.store(name, content)
    return name


def use_site_photo(*, listing_id: int, name: str, file: str, source: str) -> None:
    """Show a photo of the website for a founder of this listing who has no page of their own and no photo yet."""
    rows = Founder.objects.select_for_update(of=("self",)).filter(founded__listing=listing_id)
    if founder := rows.filter(name=name, user=None, photo="").first():
        _show(founder, file, source=source)


@transaction.atomic
def take_down_site_photo(*, listing_id: int, file: str) -> None:
    """Take a photo of the website off the founders of this listing who show it."""
    rows = Founder.objects.select_for_update(of=("self",)).filter(founded__listing=listing_id, photo=file)
    for founder in rows.exclude(photo_source=""):
        _show(founder, "")


@transaction.atomic
def remove_photo(*, user_id: int) -> None:
    _write(user_id, "")


def _write(user_id: int, name: str) -> None:
    founder = Founder.objects.select_for_update().filter(user=user_id).first()
    if founder is None:
        raise NoProfileError("You have no founder page any more.")
    _show(founder, name)


def _show(founder: Founder, name: str, *, source: str = "") -> None:
    before, founder.photo.name, founder.photo_source = str(founder.photo.name or ""), name, source
    founder.save(update_fields=["photo", "photo_source"])
    changed("listings")
    if before and before != name:
        transaction.on_commit(partial(files.drop, [before]), robust=True)


@dataclass(frozen=True, kw_only=True)
class Record:
    """What a maker did here: when, what and its row, newest first; what they answered in all; their best place."""

    history: list[tuple[datetime, str, Any]]
    answers: int
    best: Any = None


def record(*, listing_ids: Sequence[int], user_id: int | None) -> Record:
    """Launches and updates of these listings, and what the account answered there."""
    launches = _placed(Launch.objects.filter(listing__in=listing_ids, launched_at__isnull=False))
    sources: list[tuple[str, str, Any]] = [
        ("launch", "launched_at", launches),
        ("update", "posted_at", ListingUpdate.objects.filter(listing__in=listing_ids)),
    ]
    if user_id:
        answers = Question.objects.public().filter(listing__in=listing_ids, answered_by=user_id)
        replies = (
            Review.objects.public().filter(listing__in=listing_ids, replied_by=user_id).exclude(reply="")
        ).select_related("author")
        sources += [("answer", "answered_at", answers), ("reply", "replied_at", replies)]
    events, totals = [], {}
    for what, moment, matches in sources:
        ordered = matches.select_related("listing").order_by(f"-{moment}", "-pk")
        rows = list(ordered.annotate(total=Window(Count("pk")))[: AT_MOST.get(what, MOST)])
        totals[what] = rows[0].total if rows else 0
        events += [(getattr(row, moment), what, row) for row in rows]
    places = [row for _, what, row in events if what == "launch" and row.votes and not row.is_hidden]
    return Record(
        history=sorted(events, key=itemgetter(0), reverse=True)[:MOST],
        answers=totals.get("answer", 0) + totals.get("reply", 0),
        best=min(places, key=attrgetter("rank"), default=None),
    )


def _placed(rows: QuerySet[Launch]) -> QuerySet[Launch]:
    """With the place of each in its week, and of how many it is."""
    same = {
        "site": OuterRef("site"),
        "week": OuterRef("week"),
        "launched_at__isnull": False,
        "is_hidden": False,
    }
    mates = Launch.objects.filter(**same)
    level, earlier = Q(votes=OuterRef("votes")), Q(launched_at__lt=OuterRef("launched_at"))
    first = Q(launched_at=OuterRef("launched_at"), listing__lt=OuterRef("listing"))
    ahead = mates.filter(Q(votes__gt=OuterRef("votes")) | level & (earlier | first))
    return rows.annotate(rank=Counted(ahead.values("pk")) + 1, of=Counted(mates.values("pk")))
