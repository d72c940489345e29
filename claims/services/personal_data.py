"""What the claims area holds of a person: theirs to take along, and gone when they ask for it."""

from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from claims.models import Claim


def export(*, user_id: int) -> dict[str, Any]:
    """Claims with what became of them."""
    columns = ("listing__slug", "method", "status", "email", "created_at", "verified_at", "reason")
    return {"claims": list(Claim.objects.owned_by(user_id).order_by("pk").values(*columns))}


@transaction.atomic
def erase(*, user: User, at: datetime) -> None:  # noqa: ARG001  (as every area has it)
    """A proof is of a person; without the person there is none."""
    Claim.objects.owned_by(user.pk).delete()
