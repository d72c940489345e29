"""What time does to claims: open ones expire, proofs are looked for again, contests end. A missed run heals itself."""

from datetime import datetime

from django.db import transaction

from claims import limits, mailing
from claims.models import Claim
from claims.ownership import owning
from claims.proving import checking
from core import jobs

Status = Claim.Status
AT_ONCE = 500


def plan(*, at: datetime) -> int:
    """End what has expired, and add a job for each proof and each contest that is due."""
    expired = Claim.objects.filter(status=Status.PENDING, expires_at__lte=at)
    expired.update(status=Status.EXPIRED, checking_until=None)
    proofs = Claim.objects.filter(status=Status.VERIFIED, next_proof_at__lte=at).order_by(
        "next_proof_at", "pk"
    )
    contests = Claim.objects.filter(status=Status.CONTESTED, contest_ends_at__lte=at)
    rows = [("claims.prove_again", pk) for pk in proofs.values_list("pk", flat=True)[:AT_ONCE]]
    rows += [("claims.end_contest", pk) for pk in contests.values_list("pk", flat=True)[:AT_ONCE]]
    for kind, claim_id in rows:
        jobs.add(kind, key=f"{claim_id}-{at:%Y%m%d%H}", claim_id=claim_id)
    return len(rows)


def prove_again(*, claim_id: int, lease: jobs.Lease, at: datetime) -> None:
    """Look for a proof that is due; by e-mail, ask for it. What was not found three times in two weeks has lapsed."""
    claim = Claim.objects.select_related("listing").filter(pk=claim_id).first()
    if claim is None or not _is_due(claim, at=at):
        return
    seen = None if claim.proof.by_link else claim.proof.check(claim.target, seconds=checking.IN_A_JOB)
    with transaction.atomic():
        lease.guard()
        claim, _ = owning.locked(claim_id)
        if not _is_due(claim, at=at):
            return
        if not owning.is_owner(
            claim.listing, user_id=claim.user_id
        ):  # staff gave the listing to somebody else
            owning.move(claim, to=Status.SUPERSEDED)
            return
        if seen is not None:
            checking.apply(claim, seen=seen, at=at)
        if seen is None or not seen.is_proof:
            _note_missing(claim, at=at)


def _is_due(claim: Claim, *, at: datetime) -> bool:
    return claim.status == Status.VERIFIED and claim.next_proof_at is not None and claim.next_proof_at <= at


def _note_missing(claim: Claim, *, at: datetime) -> None:
    claim.failing_since = claim.failing_since or at
    claim.failures += 1
    is_over = claim.failures >= limits.FAILURES
    claim.next_proof_at = None if is_over else at + limits.AFTER_FAILURE
    saving: tuple[str, ...] = ("failing_since", "failures", "next_proof_at")
    if is_over:
        owning.move(claim, to=Status.LAPSED, saving=saving)
        owning.sync_proof(claim.listing)
    elif claim.proof.by_link:
        mailing.send_link(claim, life=limits.PROOF_LINK_LIFE, at=at)
        saving = (*saving, "link", "link_expires_at")
    claim.save(update_fields=saving)
    if is_over or not claim.proof.by_link:
        key = f"claim-proof-{claim.pk}-{claim.failing_since:%Y%m%d}-{claim.failures}"
        template = "lapsed" if is_over else "not_seen"
        lapses_at = claim.failing_since + limits.FAILING_FOR
        mailing.tell(claim.user, claim=claim, template=template, key=key, lapses_at=lapses_at)


def end_contest(*, claim_id: int, lease: jobs.Lease, at: datetime) -> None:
    """After the owner's seven days: look for the owner's proof once more, then settle or hand over to staff."""
    claim = Claim.objects.select_related("listing").filter(pk=claim_id).first()
    if claim is None or not _is_over(claim, at=at):
        return
    own = owning.owners_claim(claim.listing)
    seen = None
    if own is not None and not own.proof.by_link:
        seen = own.proof.check(own.target, seconds=checking.IN_A_JOB)
    with transaction.atomic():
        lease.guard()
        claim, _ = owning.locked(claim_id)
        if not _is_over(claim, at=at):
            return
        if own is not None and seen is not None:
            own = Claim.objects.select_for_update(of=("self",)).get(pk=own.pk)
            own.listing = claim.listing
            if own.status == Status.VERIFIED:
                checking.apply(own, seen=seen, at=at)
        owning.end_contest(claim, at=at)


def _is_over(claim: Claim, *, at: datetime) -> bool:
    return (
        claim.status == Status.CONTESTED and claim.contest_ends_at is not None and claim.contest_ends_at <= at
    )
