"""What claims say by mail. The subject names the listing's website and never words that its owner typed."""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.core.signing import BadSignature, dumps, loads

from accounts.models import User
from claims.errors import ClaimNotFoundError
from claims.models import Claim
from core import mail
from core.api import throttling
from core.api.links import absolute, on_site
from directory.models import Listing
from directory.sites.lookup import addresses_of_listing

SALT = "claims.email"


def tell(to: User | None, *, claim: Claim, template: str, key: str, **context: Any) -> None:
    """Write to a party of a claim, if it is somebody. The same key is sent once."""
    if to is None:
        return
    envelope = mail.Envelope(person_id=to.pk, thing=claim.listing)
    _send(to.email, template, key=key, envelope=envelope, context=_about(claim) | context)


def _about(claim: Claim) -> dict[str, Any]:
    page_url = _page_url(claim.listing)
    addresses = {"page_url": page_url, "claim_url": f"{page_url}/claim"}
    return {**addresses, "claim": claim, "host": claim.listing.host}


def _page_url(listing: Listing) -> str:
    with addresses_of_listing(listing):
        return on_site(f"/listings/{listing.slug}")


def _send(address: str, template: str, *, key: str, envelope: mail.Envelope, context: dict[str, Any]) -> None:
    mail.send(template=f"claims/mail/{template}", to=address, key=key, context=context, envelope=envelope)


def tell_moved(to: User, *, listing: Listing, key: str, **context: Any) -> None:
    page = {"page_url": _page_url(listing), "listing": listing}
    envelope = mail.Envelope(person_id=to.pk, thing=listing)
    _send(to.email, "moved", key=key, envelope=envelope, context=page | context)


def send_link(claim: Claim, *, life: timedelta, at: datetime) -> None:
    """Mail a link that works once, for the claiming account alone. The one before it no longer works.

    Save `link` and `link_expires_at` of the claim afterwards.
    """
    claim.link, claim.link_expires_at = secrets.token_hex(16), at + life
    token = dumps({"claim": claim.pk, "link": claim.link}, salt=SALT)
    link = {"account": claim.user.email, "link_url": absolute(f"/claims/confirm/{token}")}
    _send(
        claim.email,
        "confirm",
        key=f"claim-link-{claim.link}",
        envelope=mail.Envelope(person_id=claim.user_id, thing=claim.listing, is_repeatable=False, lasts=life),
        context=_about(claim) | link,
    )


def spend_mail(*, user_id: int, email: str) -> None:
    """Count a mail to a stranger against its sender, its box and its domain."""
    domain = email.rpartition("@")[2].lower()
    throttling.enforce("claim_mail_address", caller=mail.box_of(email))
    throttling.enforce("claim_mail_domain", caller=f"mail:{domain}")
    mail.enforce(email)
    throttling.spend("claim_mail", user_id=user_id)


def claim_of_link(token: str) -> tuple[Claim, str]:
    """The claim of a mailed link and the link's own id. Raises ClaimNotFoundError for one that we never made."""
    try:
        payload = loads(token, salt=SALT)
        claim = Claim.objects.select_related("listing", "user").filter(pk=payload["claim"]).first()
        link = str(payload["link"])
    except (BadSignature, KeyError, TypeError, ValueError) as error:
        raise ClaimNotFoundError("There is no such link.") from error
    if claim is None:
        raise ClaimNotFoundError("There is no such link.")
    return claim, link
