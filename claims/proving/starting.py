"""claim_listing: a claim begins, and says what to publish."""

from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from accounts.models import User
from claims import limits, mailing
from claims.errors import AlreadyOwnerError, ClaimStateError
from claims.methods import METHODS, closed_reason
from claims.models import Claim
from claims.ownership import owning
from claims.reach import Reach, reach_of
from claims.selectors import claimable
from core.api import throttling
from core.api.errors import ApiError, FieldError, InvalidRequestError, check_all
from core.email_addresses import normal_or_blank
from directory.errors import ListingUnknownError
from directory.models import Listing, Site

SECOND_MAIL_AFTER = timedelta(minutes=1)


@transaction.atomic
def claim_listing(*, user: User, site: Site, slug: str, method: str, email: str, at: datetime) -> Claim:
    """Begin a claim, or find the one that is open by this method. By e-mail, the link is mailed (again).

    Raises ListingUnknownError, EmailRequiredError, EmailNotAtDomainError, AlreadyOwnerError, InvalidRequestError for a
    way that the website's address does not have, and RateLimitedError.
    """
    try:
        listing = claimable(site=site, slug=slug, user_id=user.pk)
    except ListingUnknownError as unknown:
        check_all(partial(_refuse, unknown), partial(METHODS[method].refuse_address, email))
        raise
    _refuse_unfit(reach_of(listing.url), method=method, email=email)
    listing = Listing.objects.select_for_update().get(pk=listing.pk)
    _refuse_owner(listing, user=user)
    _refuse_loser(listing, user=user, at=at)
    claim = _open_claim(listing, user=user, method=method, at=at)
    is_new = claim is None
    if claim is None:
        claim = Claim.objects.create(
            listing=listing, user=user, method=method, created_at=at, expires_at=at + limits.LIFE
        )
    if claim.proof.by_link and claim.status == Claim.Status.PENDING and _may_mail(claim, email=email, at=at):
        claim.email = email
        mailing.send_link(claim, life=limits.LINK_LIFE, at=at)
        claim.save(update_fields=["email", "link", "link_expires_at"])
        mailing.spend_mail(user_id=user.pk, email=email)
    if is_new:
        throttling.spend("claim_start", user_id=user.pk)
    return claim


def _refuse(refusal: ApiError) -> None:
    raise refusal


def _refuse_unfit(reach: Reach, *, method: str, email: str) -> None:
    """Raise what is wrong with a method and with the address, or its absence, for this website."""
    proof, checks = METHODS[method], []
    if why := closed_reason(proof, reach):
        error = FieldError(code="method_not_possible", pointer="/method", message=why)
        detail = f"This listing cannot be claimed by {method}. {why}"
        checks.append(partial(_refuse, InvalidRequestError(detail, errors=[error])))
    if not (why and proof.by_link):  # no address would do for a link that cannot be mailed
        checks.append(partial(proof.refuse_address, email, reach=reach))
    check_all(*checks)


def _refuse_owner(listing: Listing, *, user: User) -> None:
    """Raise AlreadyOwnerError while the person's own proof stands and nobody contests it."""
    if owning.has_proved(listing, user_id=user.pk) and not owning.rivals(listing, user_id=user.pk):
        raise AlreadyOwnerError(
            f"{listing.name} is yours, verified by {listing.claimed_by_method}.", listing_id=listing.pk
        )


def _refuse_loser(listing: Listing, *, user: User, at: datetime) -> None:
    lost = Claim.objects.filter(
        listing=listing, user=user, status=Claim.Status.FAILED, decided_at__gt=at - limits.LOSER_WAITS
    )
    last = lost.order_by("-decided_at").first()
    if last is not None and last.decided_at is not None:
        until = last.decided_at + limits.LOSER_WAITS
        raise ClaimStateError(
            f"Your claim of this listing was decided on {last.decided_at:%-d %B %Y}: {last.reason} "
            f"You can claim it again from {until:%-d %B %Y}.",
            current=last.status,
        )


def _open_claim(listing: Listing, *, user: User, method: str, at: datetime) -> Claim | None:
    """The claim that is open already; one whose time is over makes room for another."""
    claims = Claim.objects.select_for_update(of=("self",)).filter(listing=listing, user=user, method=method)
    if contested := claims.filter(status=Claim.Status.CONTESTED).first():
        return contested
    pending = claims.filter(status=Claim.Status.PENDING).first()
    if pending is not None and pending.has_expired(at=at):
        owning.move(pending, to=Claim.Status.EXPIRED)
        return None
    return pending


def _may_mail(claim: Claim, *, email: str, at: datetime) -> bool:
    """Whether a call names another address, or is a person who got no mail rather than a program that calls twice."""
    if normal_or_blank(claim.email) != normal_or_blank(email) or claim.link_expires_at is None:
        return True
    return claim.link_expires_at - limits.LINK_LIFE + SECOND_MAIL_AFTER <= at
