"""What the drafts area holds of a person: theirs to take along, and gone when they ask for it."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models.functions import Lower

from accounts.models import User
from drafts.models import Draft, DraftField, Invite, ModelUse

ERASED = "erased@erased.invalid"


def export(*, user_id: int) -> dict[str, Any]:
    """Drafts with their values, the pages read for them, and who was invited."""
    mine = {"draft__owner": user_id}
    return {
        "drafts": list(Draft.objects.owned_by(user_id).order_by("created_at", "pk").values()),
        "fields": list(
            DraftField.objects.filter(**mine)
            .order_by("pk")
            .values("draft_id", "group", "name", "value", "state", "evidence", "updated_at", "updated_by")
        ),
        "invites": list(
            Invite.objects.filter(**mine).order_by("pk").values("draft_id", "email", "status", "sent_at")
        ),
        "model_use": list(ModelUse.objects.filter(owner=user_id).values("day", "calls", "tokens")),
    }


@transaction.atomic
def erase(*, user: User, at: datetime) -> None:
    """Drafts go with all that was read for them; invitations that others sent to the person lose their address."""
    Draft.objects.owned_by(user.pk).delete()
    ModelUse.objects.filter(owner=user).delete()
    invites = Invite.objects.select_related("draft").alias(small=Lower("email")).filter(small=user.email)
    for invite in invites:
        _forget_founder(invite.draft, name=str((invite.profile or {}).get("name") or ""), at=at)
    invites.update(email=ERASED, profile=None)


def _forget_founder(draft: Draft, *, name: str, at: datetime) -> None:
    others = [person for person in draft.founders if str(person["name"]).casefold() != name.casefold()]
    if len(others) < len(draft.founders):
        draft.founders, draft.undo = others, None
        draft.updated_at, draft.revision = at, draft.revision + 1
        draft.save(update_fields=["founders", "undo", "updated_at", "revision"])
        draft.photos.filter(name__iexact=name).delete()
