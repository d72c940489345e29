"""Listing summaries, as every list of the interface shows them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from core.links import absolute
from directory.models import Listing

PUBLIC_STATUS = {Listing.Status.SCHEDULED.value: "upcoming"}


def _time(at: datetime) -> str:
    return at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def summaries(*, listing_ids: Sequence[int]) -> list[dict[str, Any]]:
    """The summaries of these listings, in the order of the ids. Unknown ids are left out."""
    rows = (
        Listing.objects.select_related("stats").prefetch_related("filed__category").in_bulk(list(listing_ids))
    )
    return [_summary(rows[listing_id]) for listing_id in listing_ids if listing_id in rows]


def _summary(listing: Listing) -> dict[str, Any]:
    filed = sorted(listing.filed.all(), key=lambda place: place.position)
    return {
        "slug": listing.slug,
        "name": listing.name,
        "tagline": listing.tagline,
        "short_description": listing.short_description or None,
        "url": listing.url,
        "logo_url": absolute(listing.logo.url) if listing.logo else listing.logo_url or None,
        "categories": [
            {"slug": place.category.slug, "name": place.category.name, "primary": number == 0}
            for number, place in enumerate(filed)
        ],
        "pricing_model": listing.pricing_model or None,
        "country": listing.country or None,
        "stage": listing.stage or None,
        "votes": listing.stats.votes,
        "followers": listing.stats.followers,
        "views": listing.stats.views,
        "domain_rating": listing.domain_rating,
        "status": PUBLIC_STATUS.get(listing.status, listing.status),
        "launch_week": listing.launch_week and listing.launch_week.isoformat(),
        "launched_at": listing.launched_at and _time(listing.launched_at),
        "plan": listing.plan,
        "featured": bool(listing.featured_until and listing.featured_until > timezone.now()),
        "claimed": listing.owner_id is not None,
        "awards": [{"code": award["code"], "week": award["week"]} for award in listing.awards],
        "page_url": absolute(f"/listings/{listing.slug}"),
        "api_url": absolute(f"/api/v1/listings/{listing.slug}"),
        "updated_at": _time(listing.updated_at),
    }
