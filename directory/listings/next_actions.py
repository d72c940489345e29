"""What the owner of a listing, or the owner's agent, can do next."""

from collections.abc import Mapping
from typing import Any

from core.api.routes import all_operations
from directory.addresses import homepage_of
from directory.launches import badges
from directory.models import Listing
from directory.sites.lookup import addresses_of_listing
from directory.weeks import launch_and_due

Status = Listing.Status
UNPROVED = "Verify by its slug that it is yours; until then whoever verifies it first takes it over."


def next_actions(listing: Listing, *, queue: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """What the owner, or the owner's agent, can do now, the most useful first; only operations that there are."""
    existing = {spec.name for spec in all_operations()}
    here = f"/api/v1/me/listings/{listing.pk}"
    paths = {
        "choose_free_listing": ("POST", f"{here}/free"),
        "get_my_listing": ("GET", here),
        "update_my_listing": ("PATCH", here),
        "post_listing_update": ("POST", f"{here}/updates"),
        "get_listing": ("GET", f"/api/v1/listings/{listing.slug}"),
        "quote_order": ("POST", "/api/v1/orders/quote"),
        "claim_listing": ("POST", "/api/v1/claims"),
    }
    with addresses_of_listing(listing):
        sensible = _sensible(listing, waits_for_badge=waits_for_badge(queue))
    return [
        {"operation": name, "method": paths[name][0], "path": paths[name][1], "why": why}
        for name, why in sensible
        if name in existing
    ]


def waits_for_badge(queue: Mapping[str, Any] | None) -> bool:
    """Whether a launch that is booked may yet be stopped by a badge that nobody has seen."""
    badge = (queue or {}).get("badge") or {}
    return bool(badge) and badge["required"] and not badge["found"]


def _sensible(listing: Listing, *, waits_for_badge: bool) -> list[tuple[str, str]]:
    see, edit, pay = "get_my_listing", "update_my_listing", "quote_order"
    week, _ = launch_and_due(listing.launch_week)
    launch = "Or launch it right away or in a week you choose: price the product launch; a person pays."
    if listing.beyond_plan and listing.plan == Listing.Plan.FREE:
        launch += " It also files the categories that wait for the paid plan."
    if listing.status == Status.DRAFT:
        return [
            ("choose_free_listing", "Launch it free in a coming week, with our badge on the homepage."),
            (pay, launch),
            (edit, "Change what it says before it is public."),
        ]
    is_booked = listing.status == Status.SCHEDULED
    if listing.status == Status.AWAITING_BADGE or (is_booked and waits_for_badge):
        when = "when the week begins" if is_booked else "every hour"
        why = f"{_put_badge(listing)} We look {when}; call this to see whether it was found."
        public = "; it is public already" if is_booked else " before it is public"
        return [(see, why), (pay, launch), (edit, f"Change what it says{public}.")]
    if is_booked:
        keep = " if the badge is still on the homepage" if listing.needs_badge else ""
        return [
            (see, f"It launches on {week} at 00:00 UTC{keep}."),
            (edit, "Change what it says; it is public already."),
        ]
    if listing.status == Status.LIVE:
        return [
            ("get_listing", "See the public profile and its votes."),
            ("post_listing_update", "Tell its followers what is new."),
            *([] if listing.claimed_by_method else [("claim_listing", UNPROVED)]),
            (edit, "Change what it says; edits are public right away."),
        ]
    if listing.status == Status.ARCHIVED:
        return [(see, "It is unpublished and only you can see it. Write to the site team to bring it back.")]
    reason = listing.status_reason or "No reason is on record."
    return [(see, f"The site team has {listing.status} it: {reason} Write to them once it is fixed.")]


def _put_badge(listing: Listing) -> str:
    code = badges.badge_html(slug=listing.slug, name=listing.name)
    page = homepage_of(listing.url)
    week, due = launch_and_due(listing.launch_week)
    by = f"by Sunday {due}" if listing.status == Status.AWAITING_BADGE else "before it begins"
    return f"To launch in the week of {week}, a person must put this code on {page} {by}: {code}"
