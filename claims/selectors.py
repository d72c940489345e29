"""Looking at claims."""

from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.selectors import SHOWN_OF_EACH, Waiting, count_for_account, tells_what_waits
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


@tells_what_waits
def claims_waiting(user_id: int) -> list[Waiting]:
    """Claims whose proof is not there yet."""
    pending = Claim.objects.owned_by(user_id).filter(status=Claim.Status.PENDING, expires_at__gt=Now())
    rows = pending.select_related("listing").order_by("-created_at", "-pk")
    return [
        Waiting(
            title=f"Show that {claim.listing.name} is yours",
            detail=f"We wait for your proof by {claim.get_method_display()} until {claim.expires_at:%-d %B %Y}.",
            path=f"/listings/{claim.listing.slug}/claim",
            act="Go on",
        )
        for claim in rows[:SHOWN_OF_EACH]
    ]
