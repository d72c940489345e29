"""What claims say by mail. The subject names the listing's website and never words that its owner typed."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, dumps, loads
from django.template.loader import render_to_string

from accounts.models import User
from claims.errors import ClaimNotFoundError
from claims.models import Claim
from core import mail, throttling
from core.links import absolute, on_site
from directory.models import Listing
from directory.selectors.sites import addresses_of_listing

SALT = "claims.email"


def tell(to: User | None, *, claim: Claim, template: str, key: str, **context: Any) -> None:
    """Write to a party of a claim, if it is somebody. The same key is sent once."""
    if to is None:
        return
    send(to.email, claim=claim, template=template, key=key, **context)


def send(address: str, *, claim: Claim, template: str, key: str, **context: Any) -> None:
    """Write to an address about a claim, as text and as the same text in HTML."""
    listing = claim.listing
    known = {"site_name": settings.SITE_NAME, "site_url": absolute("")}
    with addresses_of_listing(listing):
        page_url = on_site(f"/listings/{listing.slug}")
    addresses = {"page_url": page_url, "claim_url": f"{page_url}/claim"}
    _queue(
        address, template, {**known, **addresses, "claim": claim, "host": listing.host, **context}, key=key
    )


def _queue(address: str, template: str, context: dict[str, Any], *, key: str) -> None:
    subject, _, text = render_to_string(f"claims/mail/{template}.txt", context).strip().partition("\n")
    paragraphs = text.strip().split("\n\n")
    html = render_to_string("mail/plain.html", {**context, "subject": subject, "paragraphs": paragraphs})
    mail.queue(to=address, subject=subject, text=text, html=html, key=key)


def tell_moved(to: User, *, listing: Listing, key: str, **context: Any) -> None:
    """Write to a party of a move that staff made."""
    known = {"site_name": settings.SITE_NAME, "site_url": absolute("")}
    with addresses_of_listing(listing):
        page_url = on_site(f"/listings/{listing.slug}")
    _queue(to.email, "moved", {**known, "page_url": page_url, "listing": listing, **context}, key=key)


def send_link(claim: Claim, *, life: timedelta, at: datetime) -> None:
    """Mail a link that works once, for the claiming account alone. The one before it no longer works.

    Save `link` and `link_expires_at` of the claim afterwards.
    """
    claim.link, claim.link_expires_at = secrets.token_hex(16), at + life
    token = dumps({"claim": claim.pk, "link": claim.link}, salt=SALT)
    send(
        claim.email,
        claim=claim,
        template="confirm",
        key=f"claim-link-{claim.link}",
        account=claim.user.email,
        link_url=absolute(f"/claims/confirm/{token}"),
    )


def spend_mail(*, user_id: int, email: str) -> None:
    """Count a mail to a stranger against its sender, its box and its domain."""
    local, _, domain = email.lower().rpartition("@")
    box = hashlib.sha256(f"{local.partition('+')[0]}@{domain}".encode()).hexdigest()
    throttling.enforce("claim_mail_address", caller=f"mail:{box}")
    throttling.enforce("claim_mail_domain", caller=f"mail:{domain}")
    throttling.spend("claim_mail", user_id=user_id)


def claim_of_link(token: str) -> tuple[Claim, str]:
    """The claim of a mailed link and the link's own id. Raises ClaimNotFoundError for one that we never made."""
    try:
        found = loads(token, salt=SALT)
        claim = Claim.objects.select_related("listing", "user").filter(pk=found["claim"]).first()
        link = str(found["link"])
    except (BadSignature, KeyError, TypeError, ValueError) as error:
        raise ClaimNotFoundError("There is no such link.") from error
    if claim is None:
        raise ClaimNotFoundError("There is no such link.")
    return claim, link
