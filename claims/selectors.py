from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.models import User
from accounts.selectors import LISTED_OF_EACH, Waiting, count_for_account, tells_what_waits
from claims import limits
from claims.errors import ClaimNotFoundError
from claims.models import Claim, ClaimCheck
from core.api.errors import FieldError
from directory.errors import ListingUnknownError
from directory.listings.timeline import Event, newest, tells_timeline
from directory.models import Listing, Site

CHECKS_LISTED = 8


def my_claims(*, user_id: int) -> QuerySet[Claim]:
    return Claim.objects.owned_by(user_id).with_current_status().order_by("-created_at", "-pk")


def my_claim(*, user_id: int, claim_id: int) -> Claim:
    """One claim of a person. Raises ClaimNotFoundError for anybody else's."""
    return ClaimNotFoundError.unless(my_claims(user_id=user_id).filter(pk=claim_id).first(), "claim")


def claimable(*, site: Site, slug: str, user_id: int) -> Listing:
    """A public listing, or one of the person's own. Raises ListingUnknownError for a slug that names none."""
    listings = Listing.objects.filter(site=site, slug=slug)
    listing = listings.public().first() or listings.owned_by(user_id).first()
    if listing is None:
        raise ListingUnknownError(
            f"There is no listing {slug}.",
            errors=[FieldError(code="listing_unknown", pointer="/slug", message="This names no listing.")],
        )
    return listing


def claims_of_listing(*, listing_id: int, user_id: int) -> dict[str, Claim]:
    """A person's newest claim of a listing by each method."""
    rows = my_claims(user_id=user_id).filter(listing=listing_id)
    return {claim.method: claim for claim in reversed(rows)}


def checks_of(claim: Claim) -> list[ClaimCheck]:
    return list(claim.checks.order_by("-at", "-pk")[:CHECKS_LISTED])


@count_for_account("claims")
def counted_claims(user_id: int) -> list[QuerySet[Claim]]:
    return [Claim.objects.owned_by(user_id)]


@tells_what_waits
def claims_waiting(user_id: int) -> list[Waiting]:
    pending = Claim.objects.owned_by(user_id).filter(status=Claim.Status.PENDING, expires_at__gt=Now())
    rows = pending.select_related("listing").order_by("-created_at", "-pk")
    return [
        Waiting(
            title=f"Verify {claim.listing.name}",
            detail=f"Publish your proof ({claim.get_method_display()}) by {claim.expires_at:%-d %B %Y}.",
            path=f"/listings/{claim.listing.slug}/claim",
            act="Go on",
        )
        for claim in rows[:LISTED_OF_EACH]
    ]


@tells_timeline("claim")
def claims_on_timeline(listing_id: int, before: datetime | None, limit: int) -> list[Event]:
    rows = Claim.objects.filter(listing=listing_id).select_related("user")
    return [
        Event(
            at=row.created_at,
            kind="claim",
            icon="badge-check",
            says=f"Claimed by {row.get_method_display()}: {row.get_status_display().lower()}",
            by=row.user.get_short_name(),
            tone="ok" if row.status == Claim.Status.VERIFIED else "",
            page="admin:claims_claim_decide",
            key=row.pk,
        )
        for row in newest(rows, before=before, limit=limit, at="created_at")
    ]


@dataclass(frozen=True, kw_only=True)
class Side:
    title: str
    person: User | None
    claim: Claim | None
    loses: str


def sides_of(claim: Claim) -> list[Side]:
    """Owner and claimant, each with the proof and with what they would lose."""
    listing = claim.listing
    own = (
        Claim.objects.filter(listing=listing, user=listing.owner_id, status=Claim.Status.VERIFIED)
        .select_related("last_check")
        .order_by("-proved_at", "-pk")
        .first()
    )
    stats = listing.stats
    owner_loses = f"The listing with {stats.votes} votes and {stats.followers} followers, and editing it."
    return [
        Side(title="Owner", person=listing.owner, claim=own, loses=owner_loses),
        Side(
            title="Claimant",
            person=claim.user,
            claim=claim,
            loses=f"May claim it again after {limits.LOSER_WAITS.days} days.",
        ),
    ]
