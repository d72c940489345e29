"""The smallest valid listings."""

from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from directory.launches.publishing import publish
from directory.launches.queueing import locked
from directory.models import Category, Launch, Listing, ListingCategory, Site
from directory.search import public_data
from directory.sites.catalogue import ensure_default_site
from directory.weeks import week_of

AT = datetime(2026, 11, 18, 9, 0, tzinfo=UTC)


def make_category(slug: str = "invoicing", *, parent: Category | None = None, **fields: Any) -> Category:
    defaults = {"name": slug.replace("-", " ").capitalize(), "parent": parent, **fields}
    return Category.objects.get_or_create(slug=slug, defaults=defaults)[0]


def make_listing(
    slug: str = "tidewell",
    *,
    owner: User | None = None,
    status: str = "live",
    site: Site | None = None,
    categories: tuple[str, ...] = ("invoicing",),
    votes: int = 0,
    **fields: Any,
) -> Listing:
    """A listing with everything its status demands; live ones have a launch in the week of AT."""
    at = fields.pop("at", AT)
    site = site or ensure_default_site()
    queued = status in {"awaiting_badge", "scheduled"}
    listing = Listing.objects.create(
        site=site,
        slug=slug,
        owner=owner,
        status=status,
        **{
            "name": slug.replace("-", " ").capitalize(),
            "tagline": f"{slug.capitalize()} keeps things in order",
            "url": f"https://{slug}.example/",
            "domain": f"{slug}.example",
            "host": f"{slug}.example",
            "launch_week": week_of(at) if queued or status == "live" else None,
            "launched_at": at if status == "live" else None,
            "created_at": at,
            "updated_at": at,
            **fields,
        },
    )
    for position, category in enumerate(categories):
        ListingCategory.objects.create(listing=listing, category=make_category(category), position=position)
    if listing.launch_week:
        Launch.objects.create(
            site=site,
            listing=listing,
            week=listing.launch_week,
            kind=listing.plan,
            votes=votes,
            booked_at=at,
            launched_at=listing.launched_at,
        )
    public_data.refresh(listing_ids=[listing.pk])
    if votes:
        listing.stats.__class__.objects.filter(pk=listing.pk).update(votes=votes)
    return listing


@transaction.atomic
def go_live(*, listing_id: int, at: datetime) -> None:
    listing = locked(listing_id)
    if listing.status != "live":
        publish(listing, at=at, by="system", reason="Live.")
