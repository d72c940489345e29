"""Staff's before/after review of edits: accepted, put back as a whole or fact by fact, and that undone again."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from core import jobs
from core.api.errors import InvalidRequestError
from directory import limits
from directory.errors import DecidedError
from directory.launches.launchable import live_at
from directory.launches.queueing import emit_to_owners, write_to_owners
from directory.listings import contents, editing, reviewed_parts, versions
from directory.listings.differences import as_text
from directory.models import Listing, ListingRevision
from directory.search import public_data
from directory.wording import decided_by, worded, words_of

Review = ListingRevision.Review
MAILED = 1000  # characters of each side


@transaction.atomic
def accept(*, revision_ids: list[int], reviewer_id: int, at: datetime) -> int:
    """The edits stand. Returns how many were pending."""
    pending = ListingRevision.objects.filter(pk__in=revision_ids, review=Review.PENDING)
    done = list(pending.select_for_update().values_list("pk", flat=True))
    ListingRevision.objects.filter(pk__in=done).update(
        review=Review.ACCEPTED, reviewed_by_id=reviewer_id, reviewed_at=at
    )
    reviewed_parts.tell_of_accepted(done, at=at)
    of = ListingRevision.objects.filter(pk__in=done).values_list("listing", flat=True)
    emit_to_owners("listing.reviewed", listing_ids=set(of))
    return len(done)


@transaction.atomic
def accept_edit(*, revision_id: int, reviewer_id: int, at: datetime) -> ListingRevision:
    """An edit stands. Raises DecidedError when somebody was faster."""
    if not accept(revision_ids=[revision_id], reviewer_id=reviewer_id, at=at):
        raise DecidedError(_by_whom(ListingRevision.objects.get(pk=revision_id), at=at))
    return ListingRevision.objects.get(pk=revision_id)


def _by_whom(revision: ListingRevision, *, at: datetime) -> str:
    did = "put this back" if revision.review == Review.REVERTED else "accepted this"
    return decided_by(revision.reviewed_by, did, revision.reviewed_at, at=at)


@transaction.atomic
def put_back(
    *,
    revision_ids: list[int],
    reviewer_id: int,
    at: datetime,
    reason: str = "",
    only: Mapping[str, str] | None = None,
    seen: str = "",
) -> int:
    """What stood before the edits comes back, newest edit first, on the listing and on its draft; the owner is told.

    What was edited again since stays: that edit is put back by itself. `only` names the facts to put back, each with
    the digest of the text that staff saw there (`digest`): these are put back whoever edited them since, unless they
    have changed after that look. Returns how many edits were put back: one of which nothing is left stays, and so
    does one whose undoing would take the listing's last name, text or category away, or would make it live at an
    address where another is. With `seen` those stay, too, that are no longer in the state in which staff saw them.
    """
    rows = ListingRevision.objects.filter(pk__in=revision_ids).exclude(review=Review.REVERTED)
    if seen:
        rows = rows.filter(review=seen)
    listing_ids = sorted(set(rows.values_list("listing", flat=True)))
    listeners, listings = _locked(listing_ids)
    done: list[int] = []
    for revision in rows.select_for_update().order_by("-at", "-pk"):
        listing = listings[revision.listing_id]
        values = _former(listing, revision, only=only)
        if not values or not _restored(listing, revision, values=values, at=at):
            continue
        revision.reviewed_by_id, revision.reviewed_at = reviewer_id, at
        revision.review_note = reason or revision.review_note
        _note_put_back(revision, values=values, is_whole=only is None)
        for listener in listeners[listing.pk]:
            listener(values=values, by="staff", at=at)
        key, then = str(revision.pk), at + limits.REVIEW_UNDO
        jobs.again("directory.tell_put_back", key=key, at=then, revision_id=revision.pk)
        done.append(revision.listing_id)
    public_data.refresh(listing_ids=listing_ids)
    emit_to_owners("listing.reviewed", listing_ids=set(done))
    return len(done)


def _note_put_back(revision: ListingRevision, *, values: Mapping[str, Any], is_whole: bool) -> None:
    """Store what was put back and by whom; an edit of which all was put back is reverted."""
    revision.put_back = {**(revision.put_back or {}), **values}
    if is_whole or set(revision.put_back) >= set(revision.changed):
        revision.review = Review.REVERTED
    revision.save(update_fields=["put_back", "review", "reviewed_by", "reviewed_at", "review_note"])


@transaction.atomic
def put_back_edit(
    *,
    revision_id: int,
    reviewer_id: int,
    at: datetime,
    reason: str = "",
    only: Mapping[str, str] | None = None,
    seen: str = Review.PENDING,
) -> ListingRevision:
    """The same for one edit. Raises DecidedError when it cannot be put back, with the reason in words.

    `seen` is its state when staff looked: what a colleague decided meanwhile stays.
    """
    rows = ListingRevision.objects.select_for_update(of=("self",)).select_related("reviewed_by")
    before = rows.get(pk=revision_id)
    if before.review == Review.REVERTED or before.review != seen:
        raise DecidedError(_by_whom(before, at=at))
    if not put_back(revision_ids=[revision_id], reviewer_id=reviewer_id, at=at, reason=reason, only=only):
        raise DecidedError(
            "Nothing was changed: it was edited again, or the listing would lack a name, a text or a category, "
            "or another is live at that address."
        )
    return ListingRevision.objects.get(pk=revision_id)


@transaction.atomic
def undo_review(*, revision_id: int, reviewer_id: int, at: datetime) -> ListingRevision:
    """Take one's own decision of the last minutes back: the edit waits again, and what it said is there again.

    Raises DecidedError when it is too late for that, somebody else's, or the listing was edited since.
    """
    listing_ids = list(ListingRevision.objects.filter(pk=revision_id).values_list("listing", flat=True))
    listeners, listings = _locked(listing_ids)
    revision = ListingRevision.objects.select_for_update().get(pk=revision_id)
    decided = revision.reviewed_at
    if revision.reviewed_by_id != reviewer_id or decided is None or at - decided > limits.REVIEW_UNDO:
        raise DecidedError("Only your own decisions of the last 10 minutes can be undone.")
    listing = listings[revision.listing_id]
    if revision.review == Review.ACCEPTED:
        revision.review = Review.PENDING
    elif revision.put_back:
        now = _now(listing, revision)
        values = {name: revision.after.get(name) for name in revision.put_back}
        if reviewed_parts.PICTURES in values:
            values[reviewed_parts.PICTURES] = reviewed_parts.pictures_after(listing.media, revision)
        if any((now.get(name) or None) != (revision.put_back[name] or None) for name in values):
            raise DecidedError("It was edited again since. Nothing was changed.")
        versions.drop_evidence(listing, values)
        _write(listing, revision, values=values, at=at)
        for listener in listeners[listing.pk]:
            listener(values=values, by="staff", at=at)
        revision.review, revision.put_back, revision.review_note = Review.PENDING, None, ""
    if not revision.put_back:
        revision.reviewed_by_id = revision.reviewed_at = None
    revision.save(update_fields=["review", "put_back", "review_note", "reviewed_by", "reviewed_at"])
    public_data.refresh(listing_ids=listing_ids)
    return revision


def _locked(listing_ids: list[int]) -> tuple[dict[int, list[editing.EditListener]], dict[int, Listing]]:
    listeners = editing.lock_listeners(listing_ids)
    rows = Listing.objects.select_for_update().filter(pk__in=listing_ids).order_by("pk")
    return listeners, {listing.pk: listing for listing in rows}


def digest(value: Any) -> str:
    """A fact as it stands, in a few letters: whether it still stands as somebody saw it."""
    return hashlib.sha256(as_text(value).encode()).hexdigest()[:16]


def _former(listing: Listing, revision: ListingRevision, *, only: Mapping[str, str] | None) -> dict[str, Any]:
    """What the edit replaced, as far as what it wrote still stands; never what an edit wrote that was put back."""
    now = _now(listing, revision)
    names = [name for name in revision.changed if name in now]
    if only is None:
        names = [name for name in names if (now[name] or None) == (revision.after.get(name) or None)]
    else:
        names = [name for name in names if only.get(name) == digest(now[name])]
    values = {name: revision.before.get(name) for name in names}
    if reviewed_parts.PICTURES in revision.changed and (only is None or reviewed_parts.PICTURES in values):
        values[reviewed_parts.PICTURES] = reviewed_parts.pictures_before(listing.media, revision)
    earlier = ListingRevision.objects.filter(listing=listing, pk__lt=revision.pk)
    for undone in earlier.filter(Q(review=Review.REVERTED) | Q(put_back__isnull=False)).order_by(
        "-at", "-pk"
    ):
        parts = undone.changed if undone.put_back is None else undone.put_back
        for name in (values.keys() & set(parts)) - {reviewed_parts.PICTURES}:
            if values[name] == undone.after.get(name):
                values[name] = undone.before.get(name)
    return {name: value for name, value in values.items() if (value or None) != (now[name] or None)}


def _now(listing: Listing, revision: ListingRevision) -> dict[str, Any]:
    """The listing as it is, with the news that the edit is about."""
    return {**contents.facts_of(listing), **reviewed_parts.news_now(revision)}


def _write(listing: Listing, revision: ListingRevision, *, values: Mapping[str, Any], at: datetime) -> None:
    contents.write(listing, values, at=at)
    if versions.NEWS in values:
        reviewed_parts.write_news(revision, values[versions.NEWS] or [], at=at)


def _restored(
    listing: Listing, revision: ListingRevision, *, values: Mapping[str, Any], at: datetime
) -> bool:
    """Write what stood there, with its quotes, unless the listing would not be whole or not alone at its address."""
    url = values.get("url")
    if url and listing.is_live and live_at(site_id=listing.site_id, url=url, besides=listing.pk):
        return False
    before = contents.facts_of(listing)
    try:
        with transaction.atomic():
            versions.restore_evidence(listing, names=values, sources=revision.sources_before or {})
            _write(listing, revision, values=values, at=at)
            versions.refuse_loss(before, contents.facts_of(listing))
    except InvalidRequestError:
        listing.refresh_from_db()
        return False
    return True


def tell_put_back(*, revision_id: int) -> None:
    """Tell the owner what was put back, once it can no longer be undone."""
    revision = ListingRevision.objects.select_related("listing__owner").filter(pk=revision_id).first()
    if revision is None or not revision.put_back or revision.reviewed_at is None:
        return
    write_to_owners(
        revision.listing,
        template="edit_put_back",
        key=f"edit-put-back-{revision.pk}-{revision.reviewed_at.isoformat()}",
        changes=[
            (
                words_of(name),
                *(as_text(worded(name, side))[:MAILED] for side in (revision.after.get(name), value)),
            )
            for name, value in revision.put_back.items()
        ],
        reason=revision.review_note,
        edited_at=revision.at,
    )
