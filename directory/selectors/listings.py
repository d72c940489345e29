"""One listing in full, as everybody may see it."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from core.pagination import TOTAL_EXACT_UP_TO
from directory.errors import ListingNotFoundError
from directory.models import (
    Alternative,
    Launch,
    Listing,
    ListingCategory,
    ListingFounder,
    ListingStats,
    ListingUpdate,
    Milestone,
    Site,
)
from directory.selectors.cards import summaries
from directory.selectors.pages import Counted

PAID_SECTIONS = ("story", "milestones", "media")
UPDATES_SHOWN = 5
ALTERNATIVES_SHOWN = 20


def get_listing(*, site: Site, slug: str) -> dict[str, Any]:
    """The full public profile. Raises ListingNotFoundError unless the listing is live or upcoming."""
    return _profile(Listing.objects.public().filter(site=site, slug=slug))


def profile(*, listing_id: int) -> dict[str, Any]:
    """The full profile of a listing in any status, for its owner and for staff."""
    return _profile(Listing.objects.filter(pk=listing_id))


def public_id(*, site: Site, slug: str) -> int:
    """The id of a live or upcoming listing. Raises ListingNotFoundError."""
    found = Listing.objects.public().filter(site=site, slug=slug).values_list("pk", flat=True).first()
    if found is None:
        raise ListingNotFoundError("There is no such listing.")
    return found


def _profile(rows: QuerySet[Listing]) -> dict[str, Any]:
    listing = _detailed(rows).first()
    if listing is None:
        raise ListingNotFoundError("There is no such listing.")
    return {**summaries(listing_ids=[listing.pk])[0], **_details(listing)}


def open_sections(*, plan: str, unlocked: Collection[str]) -> list[str]:
    """The paid sections everybody may see: all of them on the paid plan, else those that were unlocked."""
    return [name for name in PAID_SECTIONS if plan == Listing.Plan.PAID or name in unlocked]


def _detailed(rows: QuerySet[Listing]) -> QuerySet[Listing]:
    """Everything a profile shows in one statement."""
    mine = {"listing": OuterRef("pk")}
    founders = ListingFounder.objects.filter(**mine).order_by("position", "pk")
    updates = ListingUpdate.objects.filter(**mine).order_by("-posted_at", "-pk")[:UPDATES_SHOWN]
    milestones = Milestone.objects.filter(**mine).order_by("-date", "-pk")
    launch = Launch.objects.filter(**mine, week=OuterRef("launch_week"))
    person = JSONObject(
        slug="founder__slug",
        name="founder__name",
        title="title",
        own_title="founder__title",
        bio="founder__bio",
        socials="founder__socials",
    )
    step = JSONObject(id="pk", date="date", title="title", description="description", url="url")
    return rows.annotate(
        people=ArraySubquery(founders.values(data=person)),
        news=ArraySubquery(
            updates.values(data=JSONObject(id="pk", title="title", body="body", at="posted_at"))
        ),
        steps=ArraySubquery(milestones.values(data=step)),
        own_votes=F("stats__votes"),
        week_votes=Subquery(launch.values("votes")),
        week_began=Subquery(launch.values("launched_at")),
        above_in_week=_above_in_week(),
        above_of_all=_above_of_all(),
        approved=Counted(_approved().values("pk")[:ALTERNATIVES_SHOWN]),
        others=_others(),
    )


def _above_in_week() -> Counted:
    ahead = Q(votes__gt=OuterRef("week_votes")) | Q(votes=OuterRef("week_votes")) & (
        Q(launched_at__lt=OuterRef("week_began"))
        | Q(launched_at=OuterRef("week_began"), listing__lt=OuterRef("pk"))
    )
    launches = Launch.objects.filter(
        ahead,
        site=OuterRef("site"),
        week=OuterRef("launch_week"),
        launched_at__isnull=False,
        listing__status=Listing.Status.LIVE,
    )
    return Counted(launches.values("pk"))


def _above_of_all() -> Counted:
    ahead = Q(votes__gt=OuterRef("own_votes")) | Q(votes=OuterRef("own_votes"), listing__lt=OuterRef("pk"))
    rows = ListingStats.objects.filter(ahead, site=OuterRef("site"), is_live=True)
    return Counted(rows.values("pk")[:TOTAL_EXACT_UP_TO])


def _approved() -> QuerySet[Alternative]:
    return Alternative.objects.filter(
        listing=OuterRef("pk"),
        approved=True,
        alternative__status=Listing.Status.LIVE,
        alternative__site=OuterRef("site"),
    )


def _others() -> Counted:
    primary = ListingCategory.objects.filter(listing=OuterRef(OuterRef("pk")), position=0)
    chosen = Alternative.objects.filter(listing=OuterRef(OuterRef("pk")), approved=True)
    rows = ListingCategory.objects.filter(
        category__in=primary.values("category"),
        position=0,
        listing__site=OuterRef("site"),
        listing__status=Listing.Status.LIVE,
    )
    rows = rows.exclude(listing=OuterRef("pk")).exclude(listing__in=chosen.values("alternative"))
    return Counted(rows.values("pk")[:ALTERNATIVES_SHOWN])


def _details(listing: Any) -> dict[str, Any]:
    sections = open_sections(plan=listing.plan, unlocked=listing.unlocked_sections)
    paid = {
        "story": listing.story or None,
        "milestones": [{name: value or None for name, value in row.items()} for row in listing.steps],
        "media": listing.media,
    }
    return {
        "description": listing.description,
        "features": listing.features,
        "usps": listing.usps,
        "keywords": listing.keywords,
        "tags": listing.tags,
        "pricing": {"model": listing.pricing_model or None, "summary": listing.pricing_summary or None},
        "founders": [_person(row) for row in listing.people],
        "faqs": listing.faqs,
        "socials": listing.socials,
        "links": {
            "website": listing.url,
            "demo_video": listing.demo_video_url or None,
            "contact_email": listing.contact_email or None,
        },
        "city": listing.city or None,
        "founded_year": listing.founded_year,
        "latest_updates": [_update(row) for row in listing.news],
        "community_rating": {"average": None, "count": 0},
        "domain_rating_detail": _domain_rating(listing.domain_rating_detail),
        "rank": _rank(listing),
        "alternatives_count": min(ALTERNATIVES_SHOWN, listing.approved + listing.others),
        "not_found_on_website": listing.not_found,
        "evidence": listing.evidence,
        "unlocked_sections": sections,
        **{name: paid[name] for name in sections},
        "verified": {
            "claimed": listing.owner_id is not None,
            "method": listing.claimed_by_method or None,
            "checked_at": listing.claim_checked_at,
        },
        "last_crawled_at": listing.last_crawled_at,
    }


def _rank(listing: Any) -> dict[str, int | None]:
    if not listing.is_live:
        return {"week": None, "all_time": None}
    is_known = listing.above_of_all < TOTAL_EXACT_UP_TO
    return {
        "week": None if listing.week_votes is None else listing.above_in_week + 1,
        "all_time": listing.above_of_all + 1 if is_known else None,
    }


def _domain_rating(detail: dict[str, Any] | None) -> dict[str, Any] | None:
    """A measurement has a day; as a time it is that day's first moment."""
    return detail and {**detail, "checked_at": f"{detail['checked_at'][:10]}T00:00:00Z"}


def _person(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "slug": row["slug"],
        "name": row["name"],
        "title": row["title"] or row["own_title"] or None,
        "bio": row["bio"] or None,
        "socials": row["socials"],
    }


def _update(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": row["id"],
        "title": row["title"],
        "body": row["body"],
        "posted_at": datetime.fromisoformat(row["at"]),
    }
