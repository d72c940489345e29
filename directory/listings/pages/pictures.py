"""What is done with the pictures of a listing in its editor: added, described, put in order, taken away at once."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.sessions import signed_in_act, signed_in_page, user_of
from core.api import throttling
from directory.images.uploads import sent_file
from directory.listings import media, own
from directory.listings.pages import editing
from directory.listings.pages.gallery import Doors, PictureForm, box_of, gallery_of
from directory.people import profile


def _state(*, owner_id: int, listing_id: int) -> dict[str, Any]:
    return gallery_of(own.own_row(owner_id=owner_id, listing_id=listing_id))


def _refused(request: HttpRequest, form: PictureForm, *, listing_id: int) -> HttpResponse:
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    return editing.edit_page(request, listing, picture_form=form)


DOORS = Doors(
    services=media, state=_state, refused=_refused, editor="/account/listings/{listing_id}/edit#in-pictures"
)


@signed_in_act
def put_back(request: HttpRequest, listing_id: int, undo_id: int) -> HttpResponse:
    """`/account/listings/<id>/pictures/removed/<id>`: a removed one is shown again."""
    key = {"listing_id": listing_id}
    return DOORS.changed(request, media.put_back_picture, "Put back.", key, undo_id=undo_id)


@signed_in_act
def take_down_site_picture(request: HttpRequest, listing_id: int) -> HttpResponse:
    words, key = "Taken down. It stays down.", {"listing_id": listing_id}
    return DOORS.changed(request, media.take_down_site_picture, words, key)


@signed_in_act
def take_down_founder_photo(request: HttpRequest, listing_id: int, slug: str) -> HttpResponse:
    """`/account/listings/<id>/founders/<slug>/photo/remove`: the website's, whatever became of the draft."""
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    for row in listing.founded_by.filter(founder__slug=slug).select_related("founder"):
        profile.take_down_site_photo(listing_id=listing.pk, file=str(row.founder.photo))
    return HttpResponseRedirect(f"/account/listings/{listing_id}/edit#field-founders")


@signed_in_act
def send_logo(request: HttpRequest, listing_id: int) -> HttpResponse:
    owner_id, body = user_of(request).pk, sent_file(request)
    media.send_logo(owner_id=owner_id, listing_id=listing_id, body=body, at=timezone.now())
    return HttpResponseRedirect(f"/account/listings/{listing_id}/edit#logo")


@signed_in_page
def logo_state(request: HttpRequest, listing_id: int) -> HttpResponse:
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    return render(request, "directory/parts/logo_state.html", {"box": box_of(listing)})
