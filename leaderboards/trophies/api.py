import re
from typing import Any

from django.utils import timezone
from rest_framework.request import Request

from accounts.authentication import SignedInRequest
from core import slugs
from core.api.caching import Public
from core.api.errors import NotFoundError
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page
from core.api.scopes import Scope
from directory.errors import ListingNotFoundError
from directory.listings import own
from directory.listings.shapes.own import OwnListingOut
from directory.sites.lookup import current_site
from leaderboards.trophies import programmes, selectors
from leaderboards.trophies.shapes import (
    ID_MAX,
    NUMBER,
    AwardPathIn,
    AwardVerificationOut,
    FameOut,
    HallOfFameIn,
    ListProgrammesIn,
    ProgrammesOut,
    TrophyCabinetOut,
)

LISTING_PART = {"slug": "The listing's slug, as search_listings gives it."}
OWN_PARTS = {
    "listing_id": "The listing's id, as submit_draft and list_my_listings give it.",
    "slug": "The programme's slug, as list_programmes gives it.",
}
SLUG = re.compile(slugs.PATTERN.replace("$", r"\Z"))
PUBLIC = Public(stamps=("listings", "boards"))
CATEGORIES = Public(stamps=("listings", "boards", "categories"))


class TrophyViewSet(OperationViewSet):
    @operation(parts=LISTING_PART, returns=TrophyCabinetOut, cache=PUBLIC)
    def get_trophy_cabinet(self, request: Request, *, slug: str) -> dict[str, Any]:
        """Get what a listing has won and code to show it elsewhere. Votes decide awards; the finish is paid."""
        if not SLUG.match(slug):
            raise ListingNotFoundError("There is no such listing.")
        return selectors.get_trophy_cabinet(site=current_site(request), slug=slug)

    @operation(path=AwardPathIn, returns=AwardVerificationOut, cache=PUBLIC)
    def verify_award(self, request: Request, *, id: int) -> dict[str, Any]:
        """Verify an award: signature, place, not revoked."""
        return selectors.verify_award(site=current_site(request), award_id=id)

    @operation(query=HallOfFameIn, returns=FameOut, paged=True, cache=CATEGORIES)
    def get_hall_of_fame(self, request: Request, *, query: dict[str, Any]) -> Page:
        """List the listings that won most: first, second, third places."""
        return selectors.get_hall_of_fame(
            site=current_site(request),
            year=query.get("year"),
            category=query.get("category"),
            page=query["page"],
            per_page=query["per_page"],
        )

    @operation(query=ListProgrammesIn, returns=ProgrammesOut, cache=CATEGORIES)
    def list_programmes(self, request: Request, *, query: dict[str, Any]) -> dict[str, Any]:
        """List programmes with rules, windows and winners; at most 100."""
        status = query.get("status")
        items = selectors.list_programmes(site=current_site(request), status=status, at=timezone.now())
        return {"items": items}

    @operation(
        scope=Scope.LISTINGS_WRITE,
        parts=OWN_PARTS,
        returns=OwnListingOut,
        codes=("programme_closed", "not_eligible"),
    )
    def enter_programme(self, request: SignedInRequest, *, listing_id: str, slug: str) -> dict[str, Any]:
        """Enter a live listing of yours into an open programme. A second call changes nothing."""
        number = int(listing_id) if NUMBER.match(listing_id) else 0
        if not 0 < number <= ID_MAX:
            raise ListingNotFoundError("There is no such listing.")
        if not SLUG.match(slug):
            raise NotFoundError("There is no such programme.")
        owner_id, now = request.user.pk, timezone.now()
        programmes.enter_programme(owner_id=owner_id, listing_id=number, slug=slug, at=now)
        return own.my_listing(owner_id=owner_id, listing_id=number, at=now)
