"""While a listing is contested its owner cannot change how the product's company is reached."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from claims.errors import ClaimStateError
from claims.models import Claim
from directory.listings import in_step

FROZEN = frozenset({"contact_email"})


@in_step.holds_listings
def contested(listing_ids: Sequence[int]) -> dict[int, in_step.Follow]:
    claims = Claim.objects.filter(listing__in=listing_ids, status=Claim.Status.CONTESTED)
    return dict.fromkeys(claims.values_list("listing_id", flat=True), _refuse)


def _refuse(*, values: Mapping[str, Any], by: str, at: datetime) -> None:  # noqa: ARG001  (as every holder has it)
    if by == "user" and FROZEN & set(values):
        raise ClaimStateError(
            "Somebody else has proved that this listing is theirs. Until that is decided, its contact stays as it is.",
            current=Claim.Status.CONTESTED,
        )
