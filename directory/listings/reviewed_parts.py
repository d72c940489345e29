"""Pictures and news of a listing, which are edited one at a time and put back one at a time."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from core import jobs
from core.cache import changed
from directory import limits
from directory.listings.versions import NEWS
from directory.models import ListingRevision, ListingUpdate

PICTURES = "media"
Rows = Sequence[Mapping[str, Any]]


def news_row(update: ListingUpdate) -> dict[str, Any]:
    return {
        "id": update.pk,
        "title": update.title,
        "body": update.body,
        "posted_at": update.posted_at.isoformat(),
        "followers_notified": update.followers_notified,
    }


def news_now(revision: ListingRevision) -> dict[str, Any]:
    """The news of an edit as it stands, under the edit's own name for it; nothing for any other edit."""
    if NEWS not in revision.changed:
        return {}
    rows = ListingUpdate.objects.filter(listing=revision.listing_id, pk__in=_ids(revision))
    after = {row["id"]: row for row in revision.after.get(NEWS) or []}
    return {NEWS: [_as_after(news_row(row), after.get(row.pk)) for row in rows.order_by("pk")]}


def _as_after(now: dict[str, Any], after: dict[str, Any] | None) -> dict[str, Any]:
    is_same = after is not None and (now["title"], now["body"]) == (after["title"], after["body"])
    return after if after and is_same else now


def _ids(revision: ListingRevision) -> set[int]:
    sides = [*(revision.before.get(NEWS) or []), *(revision.after.get(NEWS) or [])]
    return {row["id"] for row in sides}


def write_news(revision: ListingRevision, rows: Rows, *, at: datetime) -> None:
    """Have the news of an edit stand like this: what is not among the rows goes, with mails that have not gone out."""
    by_id = {row["id"]: row for row in rows}
    ListingUpdate.objects.filter(listing=revision.listing_id, pk__in=_ids(revision) - by_id.keys()).delete()
    for pk, row in by_id.items():
        _, is_new = ListingUpdate.objects.update_or_create(
            pk=pk,
            listing_id=revision.listing_id,
            defaults={
                "title": row["title"],
                "body": row["body"],
                "posted_at": datetime.fromisoformat(row["posted_at"]),
                "followers_notified": row["followers_notified"],
            },
        )
        if is_new:
            tell_again(pk, at=at)
    changed("listings")


def tell_again(update_id: int, *, at: datetime) -> None:
    """Have followers told once staff's decision can no longer be undone."""
    jobs.again(
        "directory.tell_followers", key=str(update_id), at=at + limits.REVIEW_UNDO, update_id=update_id
    )


def tell_of_accepted(revision_ids: Sequence[int], *, at: datetime) -> None:
    rows = ListingRevision.objects.filter(pk__in=revision_ids, look_first=True, changed__contains=[NEWS])
    for revision in rows:
        for row in revision.after[NEWS]:
            if ListingUpdate.objects.filter(pk=row["id"], listing=revision.listing_id).exists():
                tell_again(row["id"], at=at)


def pictures_before(now: Rows, revision: ListingRevision) -> list[Any]:
    """The pictures of today without those that an edit brought, and with the words that it replaced."""
    before = {_key(row): row for row in revision.before.get(PICTURES) or []}
    after = {_key(row): row for row in revision.after.get(PICTURES) or []}
    left = []
    for row in now:
        key = _key(row)
        if key in after and key not in before:
            continue
        left.append(before[key] if row == after.get(key) else row)
    return left


def pictures_after(now: Rows, revision: ListingRevision) -> list[Any]:
    """The pictures of today with those that an edit brought, and with its words."""
    before = {_key(row): row for row in revision.before.get(PICTURES) or []}
    after = {_key(row): row for row in revision.after.get(PICTURES) or []}
    there = [after[_key(row)] if row == before.get(_key(row)) and _key(row) in after else row for row in now]
    return there + [row for key, row in after.items() if key not in before]


def _key(row: Mapping[str, Any]) -> str:
    return str(row["file"])
