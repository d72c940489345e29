import re
from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request

from accounts.authentication import SignedInRequest
from core import slugs
from core.api.caching import Public
from core.api.errors import NotFoundError
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page, QueryInteger
from core.api.scopes import Scope
from core.api.serializers import Bool, Choice, Date, Int, Moment, OpenWord, Shape, Slug, Str, Url
from directory.errors import ListingNotFoundError
from directory.listings import own
from directory.listings.shapes.own import OwnListingOut
from directory.listings.shapes.public import ListingSummaryOut
from directory.sites.lookup import current_site
from directory.sites.shapes import AwardOut
from leaderboards import limits
from leaderboards.trophies import programmes, selectors
from leaderboards.trophies.models import CabinetLook, Programme

NUMBER, ID_MAX = re.compile(r"[1-9][0-9]{0,18}\Z"), 2**63 - 1
LISTING_PART = {"slug": "The listing's slug, as search_listings gives it."}
OWN_PARTS = {
    "listing_id": "The listing's id, as submit_draft and list_my_listings give it.",
    "slug": "The programme's slug, as list_programmes gives it.",
}
SLUG = re.compile(slugs.PATTERN.replace("$", r"\Z"))
PUBLIC = Public(stamps=("listings", "boards"))
CATEGORIES = Public(stamps=("listings", "boards", "categories"))


class AwardId(serializers.IntegerField):
    """An award's id in a path; one that cannot be is an award that is not there."""

    def to_internal_value(self, data: Any) -> int:
        text = str(data)
        if not NUMBER.match(text) or int(text) > ID_MAX:
            raise NotFoundError("There is no such award.")
        return int(text)


class AwardPathIn(serializers.Serializer[Any]):
    id = AwardId(min_value=1, help_text="The award's id, as list_awards gives it.")


class HallOfFameIn(serializers.Serializer[Any]):
    year = QueryInteger(
        min_value=limits.EARLIEST_YEAR,
        max_value=limits.LATEST_YEAR,
        required=False,
        help_text="Only what was won in weeks of this year.",
    )
    category = Slug(required=False, help_text="A category's slug; includes its subcategories.")


class ListProgrammesIn(serializers.Serializer[Any]):
    status = Choice(choices=Programme.Status.values, required=False, help_text="Only those in this state.")


class TrophyOut(AwardOut):
    """An award with what proves it."""

    certificate_url = Url("A certificate to print.")
    credential_url = Url("An Open Badges 3.0 credential, checked with /.well-known/jwks.json.")
    programme = Str("Its slug; null: a launch week.", null=True)


class EmbedOut(Shape):
    """Code to show something elsewhere."""

    html = Str("For a web page.")
    markdown = Str("For a README.")


class TrophyCabinetOut(Shape):
    """What a listing has won."""

    listing = ListingSummaryOut(help_text="Whose cabinet it is.")
    finish = OpenWord("Bought; it changes no place.", values=CabinetLook.Finish.values, allow_null=True)
    title = Str("What its owner wrote above it.", null=True)
    items = TrophyOut.list_of("Valid awards, newest first.")
    embed = EmbedOut(help_text="Code for other pages.")
    page_url = Url("The cabinet's page.")


class AwardCheckOut(Shape):
    """One thing that makes an award valid."""

    name = OpenWord("What was checked.", values=("signature", "standing", "not_revoked"))
    passed = Bool("Whether it holds.")
    detail = Str("The same in a sentence.")


class AwardVerificationOut(Shape):
    """Whether an award holds."""

    award = AwardOut(help_text="The award.")
    valid = Bool("Every check passed.")
    checks = AwardCheckOut.list_of("What was checked.")
    credential_url = Url("To check it yourself.")
    issued_at = Moment("When it was given.")
    revoked_at = Moment("When it was revoked.", null=True)
    reason = Str("Why it was revoked.", null=True)


class FameOut(Shape):
    """One listing in the Hall of Fame."""

    listing = ListingSummaryOut(help_text="Who won.")
    awards = AwardOut.list_of("Newest first.")
    golds = Int("How many first places.", min_value=0)
    silvers = Int("How many second places.", min_value=0)
    bronzes = Int("How many third places.", min_value=0)


class ProgrammeCategoryOut(Shape):
    """A category that a programme is for."""

    slug = Str("Its slug.")
    name = Str("Its name.")


class ProgrammeOut(Shape):
    """A contest that listings enter."""

    slug = Str("What enter_programme takes.")
    title = Str("Its name.")
    description = Str("What it is about, in plain text.")
    status = OpenWord("Where it is now.", values=Programme.Status.values)
    entry_from = Moment("From when owners enter.")
    entry_until = Moment("Until when.")
    votes_from = Moment("Votes from here on count.")
    votes_until = Moment("Until when.")
    categories = ProgrammeCategoryOut.list_of("Who may enter; none: all.")
    launched_from = Date("Only launched on this day or later.", null=True)
    launched_until = Date("Only launched by this day.", null=True)
    places = Int("How many win.", min_value=1)
    entries = Int("How many listings take part.", min_value=0)
    winners = AwardOut.list_of("Who won; empty until it is closed.")
    page_url = Url("Its page, with the entries.")


class ProgrammesOut(Shape):
    """The programmes."""

    items = ProgrammeOut.list_of("Those whose voting ends last first.")


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
