"""Looking at claims."""

from django.db.models import QuerySet

from accounts.selectors import count_for_account
from claims.errors import ClaimNotFoundError
from claims.models import Claim, ClaimCheck
from core.errors import FieldError
from directory.errors import ListingUnknownError
from directory.models import Listing, Site

CHECKS_SHOWN = 8


def my_claims(*, user_id: int) -> QuerySet[Claim]:
    """A person's claims, newest first."""
    return Claim.objects.owned_by(user_id).shown().order_by("-created_at", "-pk")


def my_claim(*, user_id: int, claim_id: int) -> Claim:
    """One claim of a person. Raises ClaimNotFoundError for anybody else's."""
    found = my_claims(user_id=user_id).filter(pk=claim_id).first()
    if found is None:
        raise ClaimNotFoundError("There is no such claim.")
    return found


def claimable(*, site: Site, slug: str, user_id: int) -> Listing:
    """A public listing, or one of the person's own. Raises ListingUnknownError for a slug that names none."""
    listings = Listing.objects.filter(site=site, slug=slug)
    found = listings.public().first() or listings.owned_by(user_id).first()
    if found is None:
        raise ListingUnknownError(
            f"There is no listing {slug}.",
            errors=[FieldError(code="listing_unknown", pointer="/slug", message="This names no listing.")],
        )
    return found


def claims_of_listing(*, listing_id: int, user_id: int) -> dict[str, Claim]:
    """A person's newest claim of a listing by each method."""
    found = my_claims(user_id=user_id).filter(listing=listing_id)
    return {claim.method: claim for claim in reversed(found)}


def checks_of(claim: Claim) -> list[ClaimCheck]:
    """The newest checks of a claim, newest first."""
    return list(claim.checks.order_by("-at", "-pk")[:CHECKS_SHOWN])


@count_for_account("claims")
def count_claims(user_id: int) -> int:
    """How many claims a person has."""
    return Claim.objects.owned_by(user_id).count()
