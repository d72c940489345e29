"""What the claims area holds of a person: theirs to take along, and gone when they ask for it."""

from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from claims.models import Claim, ClaimCheck
from claims.ownership import owning
from core.models import Job
from directory.models import Listing

CHECK_COLUMNS = ("claim_id", "at", "result", "detail", "seen")
SECRETS = ("link", "link_expires_at", "checking_until")


def export(*, user_id: int) -> dict[str, Any]:
    """Claims, without the links that verify them, and what each check saw."""
    columns = [field.attname for field in Claim._meta.concrete_fields if field.name not in SECRETS]  # noqa: SLF001
    return {
        "claims": list(Claim.objects.owned_by(user_id).order_by("pk").values(*columns)),
        "checks": list(ClaimCheck.objects.filter(claim__user=user_id).order_by("pk").values(*CHECK_COLUMNS)),
    }


@transaction.atomic
def erase(*, user: User, at: datetime) -> None:  # noqa: ARG001
    """Claims go with their checks and mails; what was co-owned is its owner's alone."""
    claims = Claim.objects.owned_by(user.pk)
    mailed = list(claims.exclude(email="").values_list("email", flat=True))
    Job.objects.filter(kind="core.send_mail", key__startswith="claim-link-", payload__to__in=mailed).delete()
    Listing.co_owners.through.objects.filter(user_id=user.pk).delete()
    verified = list(claims.filter(status=Claim.Status.VERIFIED).values_list("listing_id", flat=True))
    claims.delete()
    for listing in Listing.objects.select_for_update().filter(pk__in=verified).order_by("pk"):
        owning.sync_proof(listing)
