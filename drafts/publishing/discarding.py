"""Drafts without consequences: one that is thrown away, one that is seen as the listing it would be."""

import uuid
from datetime import datetime
from typing import Any

from django.db import transaction

from directory.listings.profile import profile
from drafts.errors import DraftNotFoundError, DraftNotReadyError
from drafts.facts import completeness
from drafts.models import Draft, DraftField
from drafts.publishing.saving import save_listing


@transaction.atomic
def delete_draft(*, owner_id: int, draft_id: uuid.UUID) -> str:
    """Forget a draft with all that was read for it. A listing made from it stays. Returns its domain."""
    draft = Draft.objects.select_for_update().owned_by(owner_id).filter(pk=draft_id).first()
    if draft is None:
        raise DraftNotFoundError("There is no such draft.")
    draft.delete()
    return draft.domain


def preview(*, owner_id: int, draft_id: uuid.UUID, at: datetime) -> dict[str, Any]:
    """The profile of the listing that this draft would be: it is saved, read and taken back.

    Raises DraftNotReadyError for a draft that cannot be a listing yet.
    """
    with transaction.atomic():
        draft = Draft.objects.select_for_update().owned_by(owner_id).filter(pk=draft_id).first()
        if draft is None:
            raise DraftNotFoundError("There is no such draft.")
        rows = draft.field_rows.filter(group=DraftField.Group.FIELDS).values_list("name", "value")
        if draft.status != Draft.Status.READY or not completeness.is_submittable(dict(rows)):
            raise DraftNotReadyError("Something is still missing.", current=draft.status)
        saved = save_listing(draft=draft, at=at)
        result = profile(listing_id=saved.listing.pk)
        transaction.set_rollback(True)
    return result
