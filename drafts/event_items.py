"""What events about drafts carry."""

from typing import Any

from drafts import selectors
from drafts.serializers import DraftItemOut


def draft_item(*, user_id: int, thing: str) -> dict[str, Any] | None:
    """The draft as list_my_drafts gives it."""
    row = selectors.my_drafts(owner_id=user_id).filter(pk=thing).first()
    return None if row is None else DraftItemOut.render(row)
