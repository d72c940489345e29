"""What owners put right later, on the account pages: an update, a milestone, and whether a listing is on the site."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts.sessions import signed_in, user_of
from core.api import throttling
from core.api.errors import ApiError
from directory.editorial import updates
from directory.listings import editing, own, taking_off
from directory.listings.pages import inputs
from directory.listings.pages.editing import NEWS, STEP, given, plain_inputs
from directory.listings.shapes.inputs import MilestoneIn
from directory.listings.shapes.own import PostListingUpdateIn
from directory.models import Listing

FORM = require_http_methods(["GET", "HEAD", "POST"])


@FORM
@signed_in
def update(request: HttpRequest, listing_id: int, update_id: int) -> HttpResponse:
    owner_id = user_of(request).pk
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    posted = own.update_of(listing, update_id=update_id)
    typed, refusal = {"title": posted.title, "body": posted.body}, None
    if request.method == "POST":
        throttling.enforce("write", caller=f"user:{owner_id}")
        typed = request.POST.dict()
        try:
            fresh = inputs.validated(PostListingUpdateIn, given(typed, ("title", "body")))
            updates.edit_update(
                owner_id=owner_id, listing_id=listing_id, update_id=update_id, at=timezone.now(), **fresh
            )
        except ApiError as error:
            refusal = error
        else:
            messages.success(request, "Saved. E-mails that went out keep the former text.")
            return HttpResponseRedirect(f"/account/listings/{listing_id}/updates")
    context: dict[str, Any] = {
        "listing": own.headed(listing),
        "tab": "updates",
        "update": posted,
        "inputs": plain_inputs(NEWS, typed=typed, refusal=refusal),
        "refusal": refusal,
    }
    return render(request, "directory/account/update.html", context, status=400 if refusal else 200)


@require_POST
@signed_in
def remove_update(request: HttpRequest, listing_id: int, update_id: int) -> HttpResponse:
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    updates.remove_update(owner_id=owner_id, listing_id=listing_id, update_id=update_id)
    messages.success(request, "Removed from the listing and its feed.")
    return HttpResponseRedirect(f"/account/listings/{listing_id}/updates")


@FORM
@signed_in
def milestone(request: HttpRequest, listing_id: int, milestone_id: int) -> HttpResponse:
    owner_id = user_of(request).pk
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    step = own.milestone_of(listing, milestone_id=milestone_id)
    typed, refusal = {name: str(getattr(step, name)) for name, *_ in STEP}, None
    if request.method == "POST":
        throttling.enforce("write", caller=f"user:{owner_id}")
        typed = request.POST.dict()
        try:
            editing.edit_milestone(
                owner_id=owner_id,
                listing_id=listing_id,
                milestone_id=milestone_id,
                step=inputs.validated(MilestoneIn, given(typed, [row[0] for row in STEP])),
                at=timezone.now(),
            )
        except ApiError as error:
            refusal = error
        else:
            messages.success(request, "Saved. The versions keep what it said before.")
            return HttpResponseRedirect(f"/account/listings/{listing_id}/milestones")
    context: dict[str, Any] = {
        "listing": own.headed(listing),
        "tab": "milestones",
        "step": step,
        "inputs": plain_inputs(STEP, typed=typed, refusal=refusal),
        "refusal": refusal,
    }
    return render(request, "directory/account/milestone.html", context, status=400 if refusal else 200)


@FORM
@signed_in
def off_site(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/off`: says what taking it off does, and does it by POST; puts it back as well."""
    owner_id = user_of(request).pk
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    if request.method == "POST":
        throttling.enforce("write", caller=f"user:{owner_id}")
        act = taking_off.put_back if request.POST.get("do") == "back" else taking_off.take_off
        try:
            act(owner_id=owner_id, listing_id=listing_id, at=timezone.now())
        except ApiError as error:
            if error.status == 404:
                raise
            messages.warning(request, error.detail)
        return HttpResponseRedirect(f"/account/listings/{listing_id}")
    context = {
        "listing": own.headed(listing),
        "is_owner": listing.owner_id == owner_id,
        "is_live": listing.status == Listing.Status.LIVE,
        "can_come_back": taking_off.was_taken_off_by_owner(listing),
        "contact": settings.CONTACT_EMAIL,
    }
    return render(request, "directory/account/off.html", context)
