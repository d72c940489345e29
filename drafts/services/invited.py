"""Whom the makers of a listing have invited to its page; such people write no review of it."""

from directory.reviews import insiders
from drafts.models import Invite


def invited_to(listing_id: int) -> list[str]:
    """Addresses of all invitations, those that expired too: whoever sent them knows these people."""
    return list(Invite.objects.filter(draft__listing=listing_id).values_list("email", flat=True))


insiders.invited.append(invited_to)
