"""Staff's larger acts can be undone once, for 30 days."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import BigIntegerField, Case, F, Value, When
from django.db.models.functions import Coalesce

from directory.errors import CannotUndoError
from directory.models import Undo

UNDO_FOR = timedelta(days=30)


def unused(undo_id: int, *, kind: str, at: datetime) -> Undo:
    """An act that can still be undone, held until the transaction ends. Raises CannotUndoError."""
    row = Undo.objects.select_for_update().filter(pk=undo_id, kind=kind).first()
    if row is None or row.undone_at is not None:
        raise CannotUndoError("That was undone already. Nothing was changed.")
    if at - row.at > UNDO_FOR:
        raise CannotUndoError("That is more than 30 days ago and stays. Nothing was changed.")
    return row


Merge = tuple[int, int, datetime]


def merges() -> list[Merge]:
    """Which listing was merged into which, oldest first, but for what was taken apart again."""
    rows = Undo.objects.filter(kind=Undo.Kind.MERGE, undone_at=None, listing__isnull=False)
    return list(rows.order_by("at", "pk").values_list("listing", "details__into", "at"))


def taken_up(listing_id: int, *, rows: Sequence[Merge]) -> set[int]:
    """A listing with those that were merged into it, by themselves or within others."""
    result = {listing_id}
    for listing, into, _ in reversed(rows):
        if into in result:
            result.add(listing)
    return result


def came_from(listing_id: int) -> Any:
    """What a row says that a merge takes from a listing: where it was at first."""
    return Coalesce("merged_from", Value(listing_id), output_field=BigIntegerField())


def came_back(listing_id: int) -> Any:
    """What it says once it is on that listing again."""
    return Case(When(merged_from=listing_id, then=None), default=F("merged_from"))


def close(undo: Undo, *, at: datetime) -> None:
    undo.undone_at = at
    undo.save(update_fields=["undone_at"])
