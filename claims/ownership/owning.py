"""Whose listing it is after a proof. Proof beats possession; a proved owner has seven days; then staff decide.

Everything here runs in the caller's transaction with the listing's row locked, before that of any claim.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from accounts.services import refuse_own_gain
from claims import limits, mailing
from claims.errors import ClaimNotFoundError, ClaimStateError
from claims.methods import as_strong_as
from claims.models import Claim
from core import events
from directory.engagement import voiding
from directory.listings import claiming
from directory.listings.editing import EditListener, listens_to_edits
from directory.models import Listing
from directory.moderation.comparing import whole_of
from directory.wording import words_of

Status = Claim.Status
HOLDING = (Status.VERIFIED, Status.LAPSED)
EMITTED = (Status.VERIFIED, Status.CONTESTED, Status.LAPSED)
FROZEN = frozenset({"contact_email"})  # how its company is reached, while a listing is contested
CLOSED = "The account that claimed it is banned or closed."
GIVE, KEEP, SHARE = OUTCOMES = ("give", "keep", "share")


def locked(claim_id: int) -> tuple[Claim, Listing]:
    """A claim with its listing, both held until the transaction ends; the listing first, as everywhere."""
    claims = Claim.objects.filter(pk=claim_id)
    # without its owner: a join would give the owner of before, had somebody else held the row until now
    locked = Listing.objects.select_for_update().filter(pk__in=claims.values("listing_id"))
    listing = ClaimNotFoundError.unless(locked.first(), "claim")
    claim = claims.select_for_update(of=("self",)).select_related("user").get()
    claim.listing = listing
    return claim, listing


def move(claim: Claim, *, to: str, saving: tuple[str, ...] = ()) -> None:
    """Change a locked claim's status. Raises ClaimStateError for a move that is not one of `Claim.MOVES`."""
    if not claim.can_become(to):
        raise ClaimStateError.of(
            claim,
            f"A claim that is {claim.get_status_display().lower()} can’t become {words_of(to).lower()}.",
        )
    claim.status = to
    claim.save(update_fields=["status", *saving])
    if to in EMITTED:
        events.emit(f"claim.{to}", user_id=claim.user_id, thing=claim.pk)


def settle(claim: Claim, *, at: datetime) -> None:
    """A proof was found: an owner's stands, an unproved listing changes hands, a proved one is contested.

    To an account that was banned or closed meanwhile nothing goes.
    """
    listing = claim.listing
    if is_owner(listing, user_id=claim.user_id):
        confirm_ownership(claim, at=at)
    elif closed_reason(claim):
        return
    elif not listing.claimed_by_method:
        _take_over(claim, at=at)
    elif claim.status != Status.CONTESTED:
        _contest(claim, at=at)


def is_open(user: User) -> bool:
    return user.is_active and not user.is_suspended


def closed_reason(claim: Claim) -> str:
    """Why a proof gives nothing: the account is shut, or staff made the listing part of another. Nothing otherwise."""
    if not is_open(claim.user):
        return CLOSED
    whole = whole_of(claim.listing)
    return f"{claim.listing.name} is part of {whole} now. Claim that listing." if whole else ""


def is_owner(listing: Listing, *, user_id: int) -> bool:
    return listing.owner_id == user_id or listing.co_owners.filter(pk=user_id).exists()


def has_proved(listing: Listing, *, user_id: int) -> bool:
    """Whether an owner's own proof stands; one that no claim stands behind, as of imported listings, is the owners'."""
    if not listing.claimed_by_method or not is_owner(listing, user_id=user_id):
        return False
    provers = set(
        Claim.objects.filter(listing=listing, status=Status.VERIFIED).values_list("user", flat=True)
    )
    return user_id in provers or not provers


def confirm_ownership(claim: Claim, *, at: datetime) -> None:
    """The proof of an owner: shown on the listing, and checked again from time to time."""
    own = Claim.objects.filter(listing=claim.listing, user=claim.user).exclude(pk=claim.pk)
    over = Q(status__in=(*HOLDING, Status.CONTESTED))
    if claim.status != Status.VERIFIED:  # a new proof: the other ways begun are no longer needed
        over |= Q(status=Status.PENDING, expires_at__gt=at)
    own.filter(over).update(status=Status.SUPERSEDED)
    claim.verified_at = claim.verified_at or at
    claim.proved_at, claim.next_proof_at = at, at + claim.proof.proof_age
    claim.failures, claim.failing_since = 0, None
    claim.contest_ends_at = claim.for_staff_since = None
    facts = (
        "verified_at",
        "proved_at",
        "next_proof_at",
        "failures",
        "failing_since",
        "contest_ends_at",
        "for_staff_since",
    )
    if claim.status == Status.VERIFIED:
        claim.save(update_fields=facts)
    else:
        move(claim, to=Status.VERIFIED, saving=facts)
    if claim.user_id == claim.listing.owner_id:
        claiming.show_proof(claim.listing, method=claim.method, checked_at=at)
    else:
        sync_proof(claim.listing)


def sync_proof(listing: Listing) -> None:
    """Bring what a locked listing says of its proof in line with the claims that stand."""
    best = owners_claim(listing)
    claiming.show_proof(
        listing, method=best.method if best else "", checked_at=best.proved_at if best else None
    )


def _take_over(claim: Claim, *, at: datetime) -> None:
    """Nobody's, or that of somebody who never proved it: it changes hands at once, and that person is told."""
    former = claim.listing.owner
    _hand_over(claim, at=at)
    mailing.tell(former, claim=claim, template="taken_over", key=f"claim-taken-{claim.pk}")


def _hand_over(claim: Claim, *, at: datetime) -> None:
    listing = claim.listing
    if listing.owner_id:
        former = Claim.objects.filter(listing=listing, user=listing.owner_id, status__in=HOLDING)
        former.update(status=Status.SUPERSEDED)
    claiming.hand_over(
        listing,
        owner=claim.user,
        by=f"user:{claim.user_id}",
        reason=f"Handed over: claim {claim.pk} was verified by {claim.get_method_display()}.",
        at=at,
    )
    voiding.void_own(listing_id=listing.pk, user_id=claim.user_id, at=at)
    confirm_ownership(claim, at=at)


def _contest(claim: Claim, *, at: datetime) -> None:
    claim.proved_at = claim.contested_at = at
    claim.contest_ends_at = at + limits.CONTEST
    move(claim, to=Status.CONTESTED, saving=("proved_at", "contested_at", "contest_ends_at"))
    own = owners_claim(claim.listing)
    if own is not None:
        events.emit("claim.contested", user_id=own.user_id, thing=own.pk)
    _tell_of_contest(claim, own=own, key=f"claim-contest-{claim.pk}")


def _tell_of_contest(claim: Claim, *, own: Claim | None, key: str) -> None:
    """To the owner, whose proof stands if somebody else's, and the claimant: who has to show what, until when."""
    stays = own if own is not None and own.is_as_strong_as(claim) and not own.proof.by_link else None
    words = {"ways": as_strong_as(claim.proof, reach=claim.target.reach), "stays": stays}
    if own is not None and own.user_id != claim.listing.owner_id:
        mailing.tell(own.user, claim=claim, template="contest_owner", key=f"{key}-shares", **words)
    mailing.tell(claim.listing.owner, claim=claim, template="contest_owner", key=f"{key}-owner", **words)
    mailing.tell(claim.user, claim=claim, template="contest_claimant", key=f"{key}-claimant")


def rivals(listing: Listing, *, user_id: int) -> bool:
    """Whether somebody else contests a listing, so that its owner has to prove it again."""
    return Claim.objects.filter(listing=listing, status=Status.CONTESTED).exclude(user_id=user_id).exists()


def owners_claim(listing: Listing) -> Claim | None:
    """The claim that stands behind a listing: its owner's before that of somebody who shares it, the newest first."""
    claims = Claim.objects.filter(listing=listing, status=Status.VERIFIED).order_by("-proved_at", "-pk")
    return claims.filter(user=listing.owner_id).first() or claims.first()


def end_contest(claim: Claim, *, at: datetime) -> None:
    """The owner's seven days are over: staff decide if there is a fresh proof as strong as the other, or it goes."""
    if closed := closed_reason(claim):
        claim.reason = closed
        _keep(claim)
        _announce(claim, former=claim.listing.owner, is_transferred=False, reason=closed)
        return
    own = owners_claim(claim.listing)
    if own is not None and own.is_as_strong_as(claim) and _is_since(own.proved_at, claim.contested_at):
        claim.contest_ends_at, claim.for_staff_since = None, at
        claim.save(update_fields=["contest_ends_at", "for_staff_since"])
        return
    former = claim.listing.owner
    claim.listing.co_owners.remove(claim.user)
    _hand_over(claim, at=at)
    words = {"is_transferred": True, "reason": "The owner did not prove it again within seven days."}
    _announce(claim, former=former, **words)


def _keep(claim: Claim) -> None:
    claim.contest_ends_at = claim.for_staff_since = None
    move(claim, to=Status.FAILED, saving=("contest_ends_at", "for_staff_since", "reason"))


def _is_since(moment: datetime | None, start: datetime | None) -> bool:
    return moment is not None and start is not None and moment >= start


@transaction.atomic
def decide(*, claim_id: int, outcome: str, reason: str, staff_id: int, at: datetime) -> Claim:
    """Staff's word on a contested claim: give the listing, keep it, or let both have it. Both are told why.

    Raises ClaimStateError for a claim that is no longer contested or of an account that is banned or closed and would
    get it, OwnGainError for staff's own listing or claim.
    """
    claim, listing = locked(claim_id)
    if claim.status != Status.CONTESTED:
        raise ClaimStateError("Only a contested claim is decided.", current=claim.status)
    if outcome != KEEP and not is_open(claim.user):
        raise ClaimStateError(CLOSED, current=claim.status)
    refuse_own_gain(staff_id=staff_id, people=(claim.user_id, listing.owner_id))
    former = listing.owner
    claim.decided_at, claim.decided_by_id, claim.reason = at, staff_id, reason[:500]
    claim.save(update_fields=["decided_at", "decided_by", "reason"])
    if outcome == GIVE:
        listing.co_owners.remove(claim.user)
        _hand_over(claim, at=at)
    elif outcome == SHARE:
        listing.co_owners.add(claim.user)
        voiding.void_own(listing_id=listing.pk, user_id=claim.user_id, at=at)
        confirm_ownership(claim, at=at)
    else:
        _keep(claim)
    _announce(claim, former=former, is_transferred=outcome == GIVE, is_shared=outcome == SHARE, reason=reason)
    return claim


@transaction.atomic
def revoke(*, claim_id: int, reason: str, staff_id: int, at: datetime) -> Claim:
    """Staff take a proof back. The listing keeps its owner, who has to prove it again."""
    claim, listing = locked(claim_id)
    claim.decided_at, claim.decided_by_id, claim.reason = at, staff_id, reason[:500]
    move(claim, to=Status.REVOKED, saving=("decided_at", "decided_by", "reason"))
    sync_proof(listing)
    mailing.tell(claim.user, claim=claim, template="revoked", key=f"claim-revoked-{claim.pk}", reason=reason)
    return claim


def _announce(claim: Claim, *, former: User | None, **words: Any) -> None:
    for side, party in (("claimant", claim.user), ("owner", former)):
        key = f"claim-decided-{claim.pk}-{side}"
        mailing.tell(party, claim=claim, template="decided", key=key, side=side, **words)


@transaction.atomic
def ask_again(*, claim_id: int, at: datetime) -> Claim:
    """Staff give both sides seven days more: who owns the listing is asked to prove it again.

    Raises ClaimStateError for a claim that is no longer contested.
    """
    claim, _ = locked(claim_id)
    if claim.status != Status.CONTESTED:
        raise ClaimStateError("Only a contested claim is asked about again.", current=claim.status)
    _begin_anew(claim, at=at)
    return claim


def _begin_anew(claim: Claim, *, at: datetime) -> None:
    claim.contested_at, claim.contest_ends_at, claim.for_staff_since = at, at + limits.CONTEST, None
    claim.save(update_fields=["contested_at", "contest_ends_at", "for_staff_since"])
    key = f"claim-asked-again-{claim.pk}-{at.isoformat()}"
    _tell_of_contest(claim, own=owners_claim(claim.listing), key=key)


@transaction.atomic
def give_to(*, listing_id: int, owner_id: int, reason: str, staff_id: int, at: datetime) -> Listing:
    """Staff move a listing to another account. What the former owner proved no longer stands; both are told.

    Whoever contests it has the heir for an owner, who is told as well and has seven days.
    Raises ClaimStateError for an account that is closed or owns it already, OwnGainError for staff's own listing and
    for whoever gives it to themself.
    """
    listing = Listing.objects.select_for_update().get(pk=listing_id)
    refuse_own_gain(staff_id=staff_id, people=(owner_id, listing.owner_id))
    heir = User.objects.filter(pk=owner_id, is_active=True, suspended_at=None).first()
    if heir is None or heir.pk == listing.owner_id:
        raise ClaimStateError("Choose an open account that does not own it already.", current=listing.status)
    former = listing.owner
    Claim.objects.filter(listing=listing, user=former, status__in=HOLDING).update(status=Status.SUPERSEDED)
    note = f"Handed over by the site team: {reason}"
    listing.co_owners.remove(heir)
    claiming.hand_over(listing, owner=heir, by=f"staff:{staff_id}", reason=note, at=at)
    voiding.void_own(listing_id=listing.pk, user_id=heir.pk, at=at)
    sync_proof(listing)
    _pass_contests_on(listing, heir=heir, at=at)
    for party in (former, heir):
        if party is not None:
            key = f"listing-moved-{listing.pk}-{at.isoformat()}-{party.pk}"
            mailing.tell_moved(party, listing=listing, is_yours=party == heir, reason=reason, key=key)
    return listing


def _pass_contests_on(listing: Listing, *, heir: User, at: datetime) -> None:
    """What the heir had proved against the former owner stands; who contests it still does so against the heir."""
    contests = Claim.objects.select_for_update(of=("self",)).filter(listing=listing, status=Status.CONTESTED)
    contests = contests.select_related("user").order_by("-proved_at", "-pk")
    own = contests.filter(user=heir).first()
    if own is not None:
        own.listing = listing
        confirm_ownership(own, at=at)
    for claim in contests.exclude(user=heir):
        claim.listing = listing
        _begin_anew(claim, at=at)


@listens_to_edits
def contested(listing_ids: Sequence[int]) -> dict[int, EditListener]:
    claims = Claim.objects.filter(listing__in=listing_ids, status=Status.CONTESTED)
    return dict.fromkeys(claims.values_list("listing_id", flat=True), _refuse)


def _refuse(*, values: Mapping[str, Any], by: str, at: datetime) -> None:  # noqa: ARG001  (as every holder has it)
    if by == "user" and FROZEN & set(values):
        raise ClaimStateError(
            "Somebody else has proved that this listing is theirs. Until that is decided, its contact stays as it is.",
            current=Status.CONTESTED,
        )
