"""A person's own listings on the account pages."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.sessions import signed_in, user_of
from core import throttling
from core.errors import ApiError
from directory.models import Listing
from directory.reading import PER_PAGE, page_number
from directory.selectors import own
from directory.services import badge_watch, queueing


def sentence(listing: dict[str, Any]) -> str:
    """Where a listing stands and what it waits for."""
    queue = listing["queue"] or {}
    badge = queue.get("badge") or {}
    week = f"{queue['week']:%-d %B %Y}" if queue.get("week") else ""
    if listing["status"] == Listing.Status.AWAITING_BADGE:
        return f"Waiting for the badge on {badge['homepage']}. Its launch is planned for the week of {week}."
    if listing["status"] == Listing.Status.SCHEDULED and badge.get("next_check_at"):
        return f"Its week of {week} has begun. It goes live as soon as {badge['homepage']} can be opened."
    if listing["status"] == Listing.Status.SCHEDULED and badge.get("last_checked_at") and not badge["found"]:
        return (
            f"We did not see the badge on {badge['homepage']}. Put it there before Monday {week}, 00:00 UTC."
        )
    if listing["status"] == Listing.Status.SCHEDULED:
        return f"Launches on Monday {week} at 00:00 UTC."
    return {
        Listing.Status.DRAFT: "Saved, not published. Choose how to launch it.",
        Listing.Status.LIVE: "Live. Everybody can see it and vote.",
        Listing.Status.ARCHIVED: "Taken down. Nobody but you sees it.",
        Listing.Status.REJECTED: f"Not accepted. {listing['status_reason'] or ''}",
        Listing.Status.SUSPENDED: f"Suspended by staff. {listing['status_reason'] or ''}",
    }.get(listing["status"], "")


@require_safe
@signed_in
def listings(request: HttpRequest) -> HttpResponse:
    """`/account/listings`."""
    page = own.my_listings(owner_id=user_of(request).pk, page=page_number(request), per_page=PER_PAGE)
    rows = [(row, sentence(row)) for row in page.items]
    return render(request, "directory/account/listings.html", {"page": page, "rows": rows})


@require_safe
@signed_in
def listing(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>`: where it stands and what comes next."""
    found = own.my_listing(owner_id=user_of(request).pk, listing_id=listing_id)
    badge = (found["queue"] or {}).get("badge")
    context = {
        "listing": found,
        "sentence": sentence(found),
        "badge": badge,
        "checks": own.badge_checks(listing_id=listing_id) if badge else [],
    }
    return render(request, "directory/account/listing.html", context)


@require_POST
@signed_in
def launch_free(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/free`: into the free queue."""
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    try:
        check = queueing.check_badge_at_once(owner_id=owner_id, listing_id=listing_id)
        found = queueing.choose_free_listing(
            owner_id=owner_id, listing_id=listing_id, check=check, at=timezone.now()
        )
    except ApiError as error:
        if error.status == 404:
            raise
        messages.warning(request, error.detail)
    else:
        week = f"{found.launch_week:%-d %B %Y}"
        messages.success(request, f"{found.name} has a place in the week of {week}.")
    return HttpResponseRedirect(f"/account/listings/{listing_id}")


@require_POST
@signed_in
def check_badge(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/badge`: check the homepage now."""
    owner_id = user_of(request).pk
    own.my_listing(owner_id=owner_id, listing_id=listing_id)
    at = timezone.now()
    found = badge_watch.check_badge_soon(owner_id=owner_id, listing_id=listing_id, at=at)
    newest = found.badge_checks.order_by("-at", "-pk").first()
    if found.status != Listing.Status.AWAITING_BADGE:
        messages.success(request, "We saw the badge. Keep it there until the launch.")
    elif newest is not None and newest.at == at:
        messages.warning(request, "We looked just now and did not see the badge. The details are below.")
    else:
        messages.success(
            request, "The homepage takes longer. We go on checking; look here again in a minute."
        )
    return HttpResponseRedirect(f"/account/listings/{listing_id}")
