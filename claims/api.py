from collections.abc import Callable
from functools import partial
from typing import Any

from django.utils import timezone

from accounts.authentication import SignedInRequest
from claims import selectors
from claims.errors import ClaimNotFoundError
from claims.methods import METHODS
from claims.models import Claim
from claims.proving import checking, starting
from claims.proving.checking import Attempt
from claims.shapes import ClaimListingIn, ClaimOut
from core.api.errors import check_all
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page, own_list_in, paginate_own
from core.api.scopes import Scope
from directory.sites.lookup import current_site

ID_MAX = 2**63 - 1
PART = {"claim_id": "The claim's id, as claim_listing and list_my_claims give it."}


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
