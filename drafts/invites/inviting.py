"""invite_cofounder: a mailed link with which somebody adds an own founder's profile to a draft."""

import hashlib
import secrets
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models.functions import Lower

from accounts.models import User
from core import mail
from core.api import throttling
from core.api.errors import NotFoundError
from core.api.links import absolute
from core.email_addresses import normal_email
from directory.models import Listing
from directory.reviews import writing
from drafts import limits
from drafts.errors import DraftNotReadyError, InviteClosedError, InviteLimitError
from drafts.models import Draft, Invite
from drafts.publishing import saving
from drafts.writing.text import folded

LIFE = timedelta(days=limits.INVITE_DAYS)
SHORT_NAME = 2
SIGNER = Signer(sep=".", salt="drafts.invite")


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@transaction.atomic
def invite_cofounder(*, owner: User, draft_id: uuid.UUID, email: str, at: datetime) -> Invite:
    """Mail an invitation. An address that holds a working or used one gets no second mail, only that one.

    Raises DraftNotReadyError while there is no draft to add to, InviteLimitError once the draft has had as many
    as it may have in its life, RateLimitedError when the person or the address has had enough for a day.
    """
    draft = Draft.objects.locked_of(owner.pk, draft_id)
    if draft.status != Draft.Status.READY:
        raise DraftNotReadyError(draft.not_ready, current=draft.status)
    stored = (
        draft.invites.alias(small=Lower("email"))
        .filter(small=normal_email(email))
        .order_by("-sent_at", "-pk")
        .first()
    )
    if stored is not None and not stored.has_expired(at=at):
        return stored
    if draft.invites.count() >= limits.INVITES:
        raise InviteLimitError(
            f"A draft may have {limits.INVITES} invitations in its life.", limit=limits.INVITES
        )
    _spend(owner=owner, email=email)
    return _invite(draft=draft, inviter=owner, email=email, at=at)


def _invite(*, draft: Draft, inviter: User, email: str, at: datetime) -> Invite:
    """Store the invitation and queue its mail; the token is in the mail alone."""
    token = SIGNER.sign(secrets.token_urlsafe(24))
    invite = Invite.objects.create(
        draft=draft, email=email, digest=digest(token), sent_at=at, expires_at=at + LIFE
    )
    mail.send(
        template="drafts/mail/invite",
        to=email,
        key=f"invite-{invite.pk}",
        # The product's name is left out: its owner typed it, and we do not mail strangers' words.
        context={
            "domain": draft.domain,
            "inviter": inviter.email,
            "link": absolute(f"/invites/{token}"),
            "expires_at": invite.expires_at,
        },
        envelope=mail.Envelope(is_repeatable=False, lasts=LIFE),
    )
    return invite


def _spend(*, owner: User, email: str) -> None:
    """Count one mail to a stranger, whoever calls."""
    throttling.enforce("invite", caller=f"user:{owner.pk}")
    throttling.enforce("invite_address", caller=mail.box_of(email))
    mail.enforce(email)


def find_invite(*, token: str) -> Invite:
    """The invitation of a link. Raises NotFoundError for a link that we never made."""
    try:
        SIGNER.unsign(token)
    except BadSignature as error:
        raise NotFoundError("There is no such invitation.") from error
    row = Invite.objects.filter(digest=digest(token)).select_related("draft__owner", "draft__listing").first()
    return NotFoundError.unless(row, "invitation")


@transaction.atomic
def accept_invite(*, token: str, profile: Mapping[str, Any], at: datetime) -> Invite:
    """Make the invited person a founder of the draft, once. Its listing, if any, is updated.

    Raises InviteClosedError when the link is used, has expired, or the draft has no room for a founder.
    """
    result = find_invite(token=token)
    draft = (
        Draft.objects.select_for_update(of=("self",)).select_related("owner", "site").get(pk=result.draft_id)
    )
    invite = Invite.objects.select_for_update().get(pk=result.pk)
    if reason := invite.closed_reason(at=at):
        raise InviteClosedError(reason)
    draft.founders = _with_founder(draft.founders, profile)
    draft.revision += 1
    draft.updated_at = at
    draft.save(update_fields=["founders", "revision", "updated_at"])
    invite.status, invite.accepted_at, invite.profile = Invite.Status.ACCEPTED, at, dict(profile)
    invite.save(update_fields=["status", "accepted_at", "profile"])
    if draft.without_lost_listing().listing_id is not None:
        saving.save_listing(draft=draft, at=at, only=frozenset({"founders"}))
    _tell_owner(invite, draft=draft)
    return invite


def _tell_owner(invite: Invite, *, draft: Draft) -> None:
    """Who invited somebody reads that the profile is there, and whether everybody sees it already."""
    mail.send(
        template="drafts/mail/invite_accepted",
        to=draft.owner.email,
        key=f"invite-accepted-{invite.pk}",
        context={
            "email": invite.email,
            "domain": draft.domain,
            "is_public": is_public(draft),
            "link": absolute(f"/drafts/{draft.pk}"),
        },
    )


def is_public(draft: Draft) -> bool:
    """Whether what is added to a draft is on a public page at once."""
    return draft.listing is not None and draft.listing.status in {
        Listing.Status.LIVE,
        Listing.Status.SCHEDULED,
    }


def profile_of(invite: Invite) -> dict[str, str]:
    """The name and role that the draft gives the invited person: of the founder whose name their address holds."""
    address = folded(invite.email.partition("@")[0])
    fits = [
        founder
        for founder in invite.draft.founders
        if any(len(word) > SHORT_NAME and word in address for word in folded(founder["name"]).split())
    ]
    return {key: fits[0].get(key) or "" for key in ("name", "title")} if len(fits) == 1 else {}


def _with_founder(founders: list[dict[str, Any]], profile: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The founders with this person's own words in the place of the same name, or after the others."""
    person = {key: profile.get(key) or None for key in ("name", "title", "bio")}
    person |= {"state": "manual", "evidence": []}
    existing = [str(founder["name"]).casefold() for founder in founders]
    name = str(profile["name"]).casefold()
    if name in existing:
        return [
            person if other == name else founder for other, founder in zip(existing, founders, strict=True)
        ]
    if len(founders) >= limits.FOUNDERS:
        raise InviteClosedError(
            f"The draft has {limits.FOUNDERS} founders already. Ask who invited you to make room."
        )
    return [*founders, person]


def invited_to(listing_id: int) -> list[str]:
    """Whom the makers of a listing invited, expired or not: such people write no review of it."""
    return list(Invite.objects.filter(draft__listing=listing_id).values_list("email", flat=True))


writing.invited.append(invited_to)
