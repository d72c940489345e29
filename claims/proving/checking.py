"""verify_claim: one check for the proof, at once if that is quick, or else by a job. One at a time for each claim."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from claims import mailing, selectors
from claims.errors import ClaimNotFoundError, ClaimStateError
from claims.methods import CheckResult
from claims.models import Claim, ClaimCheck
from claims.ownership import owning
from core import jobs
from core.api import throttling
from core.fetch import OTHER_SITES
from core.outages import ServiceAwayError
from directory.moderation.comparing import whole_of

AT_ONCE, IN_A_JOB = 3.0, 9.5
UNDER_WAY = timedelta(seconds=20)
JOB = "claims.check"
Status = Claim.Status
OPEN = (Claim.Status.PENDING, Claim.Status.VERIFIED, Claim.Status.LAPSED)


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """What came of asking for a check: nothing yet when it is left to a job."""

    seen: CheckResult | None
    next_allowed_at: datetime


def check_at_once(*, user_id: int, claim_id: int, at: datetime) -> Attempt | None:
    """Check a claim before the transaction begins. None when there is nothing to check, or a check is under way.

    Raises ClaimNotFoundError, and RateLimitedError for one check too many.
    """
    claim = selectors.my_claim(user_id=user_id, claim_id=claim_id)
    if not may_check(claim, at=at) or not _begin(claim, at=at):
        return None
    allowance = throttling.count("claim_verify", caller=f"claim:{claim.pk}")
    if allowance.is_exceeded:
        Claim.objects.filter(pk=claim.pk).update(checking_until=None)
        raise allowance.error()
    wait = 0 if allowance.remaining else allowance.reset_in
    try:
        with OTHER_SITES.place():
            seen = claim.proof.check(claim.target, seconds=AT_ONCE)
    except ServiceAwayError:
        return Attempt(seen=None, next_allowed_at=at + timedelta(seconds=wait))
    return Attempt(seen=seen, next_allowed_at=at + timedelta(seconds=wait))


def may_check(claim: Claim, *, at: datetime) -> bool:
    """Whether a check can change anything: the claim is open, has lapsed, or has to be proved again."""
    if claim.proof.by_link or claim.has_expired(at=at) or whole_of(claim.listing):
        return False
    if claim.status == Status.VERIFIED:
        return owning.rivals(claim.listing, user_id=claim.user_id)
    return claim.status in {Status.PENDING, Status.LAPSED}


def _begin(claim: Claim, *, at: datetime) -> bool:
    """Take the claim's one check, unless one is under way. It ends by itself when its process dies."""
    free = Q(checking_until=None) | Q(checking_until__lte=at) | Q(checking_until__gt=at + 2 * UNDER_WAY)
    return bool(Claim.objects.filter(free, pk=claim.pk).update(checking_until=at + UNDER_WAY))


@transaction.atomic(savepoint=False)
def verify_claim(*, user_id: int, claim_id: int, attempt: Attempt | None, at: datetime) -> Claim:
    """Record what a check showed and do what follows from it. A claim that is verified or contested stays as it is.

    Raises ClaimNotFoundError, and ClaimStateError for a claim by e-mail or one that has ended.
    """
    claim, _ = owning.locked(claim_id)
    ClaimNotFoundError.unless(claim if claim.user_id == user_id else None, "claim")
    if claim.status == Status.PENDING and (closed := owning.closed_reason(claim)):
        raise ClaimStateError(closed, current=claim.status)
    if claim.proof.by_link and claim.status in {Status.PENDING, Status.LAPSED}:
        raise ClaimStateError(
            f"A claim by {claim.proof.label} is verified by opening the link that was mailed to {claim.email}.",
            current=claim.status,
        )
    if claim.has_expired(at=at) or not (
        may_check(claim, at=at) or claim.status in {*owning.HOLDING, Status.CONTESTED}
    ):
        raise ClaimStateError(
            "This claim has ended; start another one.",
            current=Status.EXPIRED if claim.has_expired(at=at) else claim.status,
        )
    if attempt is None:
        return claim
    claim.next_check_allowed_at = attempt.next_allowed_at
    if attempt.seen is None or attempt.seen.result == "timeout":
        jobs.add(JOB, key=f"{claim.pk}-{claim.attempts}", claim_id=claim.pk)
    if attempt.seen is None:
        claim.checking_until = None
        claim.save(update_fields=["checking_until", "next_check_allowed_at"])
    else:
        apply(claim, seen=attempt.seen, at=at)
    return claim


def check_by_job(*, claim_id: int, at: datetime) -> None:
    """The check that a request could not wait for, with more time."""
    claim = Claim.objects.select_related("listing").filter(pk=claim_id).first()
    if claim is None or not may_check(claim, at=at):
        return
    if not _begin(claim, at=at):
        raise jobs.NotNowError(seconds=UNDER_WAY.total_seconds())
    seen = claim.proof.check(claim.target, seconds=IN_A_JOB)
    with transaction.atomic():
        claim, _ = owning.locked(claim_id)
        if may_check(claim, at=at):
            apply(claim, seen=seen, at=at)


def apply(claim: Claim, *, seen: CheckResult, at: datetime) -> None:
    """Keep what a check of a locked claim showed; a proof that was found settles whose listing it is."""
    record(claim, seen=seen, at=at)
    if seen.is_proof:
        owning.settle(claim, at=at)


def record(claim: Claim, *, seen: CheckResult, at: datetime) -> None:
    texts = [text for text in seen.texts if text]
    claim.last_check = ClaimCheck.objects.create(
        claim=claim, at=at, result=seen.result, detail=seen.detail, seen=texts, raw=seen.raw
    )
    claim.attempts += 1
    claim.checking_until = None
    claim.save(update_fields=["last_check", "attempts", "checking_until", "next_check_allowed_at"])


def link_of(*, token: str, user_id: int | None) -> tuple[Claim, str]:
    """The claim of a link and the link's id. Who is signed in with another account is refused: ClaimNotFoundError."""
    claim, link = mailing.claim_of_link(token)
    if user_id is not None and claim.user_id != user_id:
        raise ClaimNotFoundError("This link is for the account that asked for it. Sign in with that one.")
    return claim, link


def closed_reason(claim: Claim, *, link: str, at: datetime) -> str:
    if closed := owning.closed_reason(claim):
        return closed
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
