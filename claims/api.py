from collections.abc import Callable
from functools import partial
from typing import Any

from django.utils import timezone

from accounts.authentication import SignedInRequest
from claims import limits, selectors
from claims.errors import ClaimNotFoundError
from claims.methods import METHODS
from claims.models import Claim
from claims.proving import checking, starting
from claims.proving.checking import Attempt
from core.api.errors import check_all
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page, own_list_in, paginate_own
from core.api.scopes import Scope
from core.api.serializers import (
    Choice,
    Email,
    Int,
    ListOf,
    Moment,
    OpenWord,
    Shape,
    Str,
    StrictSerializer,
    Text,
    Url,
)
from directory.listings.shapes.own import NextActionOut
from directory.sites.lookup import current_site

RESULTS = ("found", "not_found", "mismatch", "unreachable", "timeout", "blocked_address", "redirect_off_site")
ID_MAX = 2**63 - 1
PART = {"claim_id": "The claim's id, as claim_listing and list_my_claims give it."}


class ClaimListingIn(StrictSerializer):
    """Which listing, and how you will show that it is yours."""

    slug = Text(max_length=limits.SLUG, help_text="The listing's slug.")
    method = Choice(
        choices=METHODS.keys,
        help_text=" ".join(f"{code}: {method.summary}." for code, method in METHODS.items()),
    )
    email = Email(
        max_length=limits.EMAIL,
        required=False,
        help_text="For the method email: an address at the company's domain.",
    )


class ClaimedListingOut(Shape):
    """The listing that is claimed."""

    slug = Str("The listing's slug.")
    name = Str("The product's name.")
    url = Url("The product's website.")


class ClaimInstructionsOut(Shape):
    """What to publish; beside the summary there is the part of the claim's method."""

    summary = Str("What to do, in words.")

    def get_fields(self) -> dict[str, Any]:
        parts = {
            method.answer: method.shape(required=False, help_text=f"For {code}.")
            for code, method in METHODS.items()
        }
        return {**super().get_fields(), **parts}

    @classmethod
    def render(cls, value: Claim) -> dict[str, Any]:
        instructions = value.proof.publish(value.target)
        return {"summary": instructions.summary, value.proof.answer: instructions.values}


class ClaimCheckOut(Shape):
    """What the last check showed."""

    at = Moment("When we looked.")
    result = OpenWord("What came of it.", values=RESULTS)
    detail = Str("The same in words.")
    seen = ListOf(Str(), "What was there, word for word.")


class ClaimOut(Shape):
    """A claim."""

    claim_id = Int("The claim's id.", source="pk", min_value=1)
    slug = Str("The listing's slug.", source="listing.slug")
    listing = ClaimedListingOut()
    method = OpenWord("How it is shown.", values=METHODS.keys)
    status = OpenWord("Where it stands.", source="current_status", values=Claim.Status.values)
    created_at = Moment("When it was begun.")
    expires_at = Moment("When it ends unless it is verified before.")
    verified_at = Moment("When it was verified; null before.", null=True)
    instructions = ClaimInstructionsOut()
    last_check = ClaimCheckOut(allow_null=True, help_text="The newest check; null before the first.")
    attempts = Int("How many checks there were.", min_value=0)
    next_check_allowed_at = Moment(
        "From when verify_claim checks again; null before the first check.", null=True
    )
    listing_id = Int("The listing's id in your own operations, once it is yours; null before.", null=True)
    next_actions = NextActionOut.list_of("What you can do now, the most useful first.")

    @classmethod
    def render(cls, value: Claim) -> dict[str, Any]:
        """From a claim of `with_current_status`."""
        is_owner = value.listing.owner_id == value.user_id or value.status == Claim.Status.VERIFIED
        return cls.of(
            value,
            instructions=ClaimInstructionsOut.render(value),
            listing_id=value.listing_id if is_owner else None,
            next_actions=next_actions(value, listing_id=value.listing_id),
        )


SEE_IT = "The listing is yours: see it and what it can do next."


def _proving_again(claim: Claim, *, again: dict[str, str], check: dict[str, str]) -> dict[str, str] | None:
    """What an owner does whose proof somebody else contests."""
    if claim.prove_again is None:
        return None
    why = f"Somebody else has shown control of the website, too. Prove it again by {claim.prove_again:%-d %B %Y}"
    why += ", or the listing becomes theirs:"
    if claim.needs:
        return {
            **again,
            "why": f"{why} begin another claim, by {claim.needs}, which this one is too weak against.",
        }
    if claim.proof.by_link:
        return {**again, "why": f"{why} begin another claim."}
    return {**check, "why": f"{why} publish the same proof and check for it."}


def next_actions(claim: Claim, *, listing_id: int) -> list[dict[str, str]]:
    again = {"operation": "claim_listing", "method": "POST", "path": "/api/v1/claims"}
    check = {"operation": "verify_claim", "method": "POST", "path": f"/api/v1/claims/{claim.pk}/verify"}
    claims = {"operation": "list_my_claims", "method": "GET", "path": "/api/v1/claims"}
    own = {"operation": "get_my_listing", "method": "GET", "path": f"/api/v1/me/listings/{listing_id}"}
    by_link = claim.proof.by_link
    if claim.current_status == Claim.Status.PENDING:
        if by_link:
            return [
                {
                    **claims,
                    "why": f"A person must open the link mailed to {claim.email}; then look here again.",
                }
            ]
        return [
            {**check, "why": "Once it is published, check for it. Checks that find nothing lose nothing."}
        ]
    if claim.current_status == Claim.Status.VERIFIED:
        return [_proving_again(claim, again=again, check=check) or {**own, "why": SEE_IT}]
    if claim.current_status == Claim.Status.CONTESTED:
        return [
            {
                **claims,
                "why": "The present owner has seven days to prove it again; look here for the outcome.",
            }
        ]
    if claim.current_status == Claim.Status.LAPSED and not by_link:
        return [{**check, "why": "Publish the same proof again and check for it."}]
    return [{**again, "why": "Begin another claim of this listing; it gets a new code."}]


def claim_id_of(text: str) -> int:
    """The identifier in a path; one that cannot be is a claim that is not there."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:20]) <= ID_MAX:
        raise ClaimNotFoundError("There is no such claim.")
    return int(text)


def prepare_check(view: Any, request: SignedInRequest, *, claim_id: str) -> Attempt | None:
    """Look for the proof before the transaction begins."""
    return checking.check_at_once(user_id=request.user.pk, claim_id=claim_id_of(claim_id), at=timezone.now())


def claim_rules(request: SignedInRequest, *, body: dict[str, Any]) -> None:
    """What is wrong with the slug, and with there being an address or none, beside their shape."""
    checks: list[Callable[[], Any]] = []
    if slug := body.get("slug"):
        site = current_site(request)
        checks.append(partial(selectors.claimable, site=site, slug=slug, user_id=request.user.pk))
    email = body.get("email", "")
    if email is not None and (method := body.get("method")):
        checks.append(partial(METHODS[method].refuse_address, email))
    check_all(*checks)


class ClaimViewSet(OperationViewSet):
    @operation(scope=Scope.ACCOUNT_READ, query=own_list_in(Claim.Status), returns=ClaimOut, paged=True)
    def list_my_claims(self, request: SignedInRequest, *, query: dict[str, Any]) -> Page:
        """List your claims, newest first, with status and instructions."""
        return paginate_own(selectors.my_claims(user_id=request.user.pk), **query)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        body=ClaimListingIn,
        rules=claim_rules,
        returns=ClaimOut,
        status=201,
        codes=("listing_unknown", "already_owner", "email_required", "email_not_at_domain", "invalid_state"),
        opens_world=True,
    )
    def claim_listing(self, request: SignedInRequest, *, body: dict[str, Any]) -> Claim:
        """Start a claim; returns what to publish.

        A person who controls the listing's website publishes it; then call verify_claim. By e-mail, that person
        opens the mailed link and presses its button. The same call again gives the claim that is open. Verified
        is not paid: plan and paid sections stay as they are.
        """
        claim = starting.claim_listing(
            user=request.user,
            site=current_site(request),
            slug=body["slug"],
            method=body["method"],
            email=body.get("email", ""),
            at=timezone.now(),
        )
        return selectors.my_claim(user_id=request.user.pk, claim_id=claim.pk)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        parts=PART,
        returns=ClaimOut,
        prepare=prepare_check,
        codes=("invalid_state",),
        opens_world=True,
    )
    def verify_claim(self, request: SignedInRequest, *, claim_id: str, prepared: Attempt | None) -> Claim:
        """Check the DNS record, tag or file of a claim.

        last_check says what was seen. When nothing was found the claim stays pending: publish, wait, call again. A
        check that takes longer goes on without you: call list_my_claims after some seconds.
        """
        user_id, pk, at = request.user.pk, claim_id_of(claim_id), timezone.now()
        claim = checking.verify_claim(user_id=user_id, claim_id=pk, attempt=prepared, at=at)
        if claim.verified_at and claim.verified_at < at:  # it may be contested, which next_actions says
            return selectors.my_claim(user_id=user_id, claim_id=pk)
        return claim


def claim_item(*, user_id: int, thing: str) -> dict[str, Any] | None:
    """The claim as list_my_claims gives it, for the event about it."""
    row = selectors.my_claims(user_id=user_id).filter(pk=thing).first()
    return None if row is None else ClaimOut.render(row)
