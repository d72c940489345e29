"""What events about claims carry."""

from typing import Any

from claims import selectors
from claims.serializers import ClaimOut


def claim_item(*, user_id: int, thing: str) -> dict[str, Any] | None:
    """The claim as list_my_claims gives it."""
    row = selectors.my_claims(user_id=user_id).filter(pk=thing).first()
    return None if row is None else ClaimOut.render(row)
