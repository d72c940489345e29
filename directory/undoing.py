"""Staff's larger acts can be undone once, for 30 days."""

from datetime import datetime, timedelta

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


def close(undo: Undo, *, at: datetime) -> None:
    undo.undone_at = at
    undo.save(update_fields=["undone_at"])
