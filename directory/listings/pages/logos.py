"""Sending a logo of a listing."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.sessions import signed_in_act, signed_in_page, user_of
from directory.images import uploads
from directory.images.uploads import LogoBox, sent_file
from directory.listings import logos, own
from directory.models import Listing, Upload


def box_of(listing: Listing) -> LogoBox:
    return LogoBox(
        action=f"/account/listings/{listing.pk}/logo",
        file=str(listing.logo.name or ""),
        name=listing.name,
        waiting=uploads.waiting(use=Upload.Use.LOGO, listing_id=listing.pk),
    )


@signed_in_act
def send(request: HttpRequest, listing_id: int) -> HttpResponse:
    owner_id, body = user_of(request).pk, sent_file(request)
    logos.send_logo(owner_id=owner_id, listing_id=listing_id, body=body, at=timezone.now())
    return HttpResponseRedirect(f"/account/listings/{listing_id}/edit#logo")


@signed_in_page
def waiting(request: HttpRequest, listing_id: int) -> HttpResponse:
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    return render(request, "directory/parts/logo_state.html", {"box": box_of(listing)})
