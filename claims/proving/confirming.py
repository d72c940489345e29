"""An e-mail claim is verified by a button on the page that the mailed link opens, in the claiming account."""

from datetime import datetime

from django.db import transaction

from claims import mailing
from claims.errors import ClaimNotFoundError, ClaimStateError
from claims.models import Claim
from claims.ownership import owning

OPEN = (Claim.Status.PENDING, Claim.Status.VERIFIED, Claim.Status.LAPSED)


def link_of(*, token: str, user_id: int | None) -> tuple[Claim, str]:
    """The claim of a link and the link's id. Who is signed in with another account is refused: ClaimNotFoundError."""
    claim, link = mailing.claim_of_link(token)
    if user_id is not None and claim.user_id != user_id:
        raise ClaimNotFoundError("This link is for the account that asked for it. Sign in with that one.")
    return claim, link


def closed_reason(claim: Claim, *, link: str, at: datetime) -> str:
    """Why a link no longer works, if it does not."""
    if claim.status not in OPEN:
        return f"The claim is {claim.get_status_display().lower()}."
    if not claim.link:
        return "It was used already."
    if claim.link != link:
        return "A newer one was e-mailed; use that one."
    if claim.has_expired(at=at) or claim.link_expires_at is None or claim.link_expires_at <= at:
        return "Its time is over. Start the claim again to get a new one."
    return ""


@transaction.atomic
def confirm(*, token: str, user_id: int | None, at: datetime) -> Claim:
    """Verify the claim of a link. Raises ClaimNotFoundError for another account, ClaimStateError for a closed link."""
    unlocked, link = link_of(token=token, user_id=user_id)
    claim, _ = owning.locked(unlocked.pk)
    if reason := closed_reason(claim, link=link, at=at):
        raise ClaimStateError(f"This link cannot be used. {reason}", current=claim.status)
    claim.link, claim.link_expires_at = "", None
    claim.save(update_fields=["link", "link_expires_at"])
    owning.settle(claim, at=at)
    return claim
