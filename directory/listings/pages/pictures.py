"""What is done with the pictures of a listing in its editor: added, described, put in order, taken away at once."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.sessions import signed_in_act, signed_in_form, signed_in_page, user_of
from core.api import throttling
from core.api.errors import InvalidRequestError
from directory import limits
from directory.images import uploads
from directory.images.uploads import LogoBox, sent_file
from directory.listings import logos, media, own, site_pictures
from directory.listings.pages import editing
from directory.listings.pages.gallery import PictureForm, gallery_of
from directory.listings.pages.sections import is_part
from directory.models import Listing, Upload
from directory.people import profile


@signed_in_form
def pictures(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/pictures`: takes more of them; they are looked at in the editor."""
    owner_id = user_of(request).pk
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    if request.method != "POST":
        return editing.group(request, listing_id, "pictures")
    throttling.enforce("write", caller=f"user:{owner_id}")
    form = PictureForm(request.POST, request.FILES, is_of_several=is_part(request))
    if form.is_valid() and _received(form, owner_id=owner_id, listing_id=listing_id):
        return _answer(request, listing, words="Added.")
    refusal = form.errors.get("picture", form.errors.get("alt", [""]))[0]
    if is_part(request):
        return HttpResponse(refusal, status=400, content_type="text/plain")
    messages.warning(request, f"Not added. {refusal}")
    return editing.edit_page(request, listing, picture_form=form)


def _received(form: PictureForm, *, owner_id: int, listing_id: int) -> bool:
    """Whether all files of the form could be taken; what is wrong with the others stands at their field."""
    for body in form.bodies:
        try:
            media.add_picture(
                owner_id=owner_id,
                listing_id=listing_id,
                body=body.read(),
                alt="" if len(form.bodies) > 1 else form.cleaned_data["alt"],
                at=timezone.now(),
            )
        except InvalidRequestError as error:
            form.add_error(
                "picture", error.detail if len(form.bodies) == 1 else f"{body.name}: {error.detail}"
            )
    return not form.errors


def _answer(request: HttpRequest, listing: Listing, *, words: str, is_refused: bool = False) -> HttpResponse:
    """The group as it is now for scripts, the editor for everybody else."""
    if is_part(request):
        context = {**gallery_of(listing), "said": words}
        return render(request, "directory/editor/gallery_part.html", context)
    messages.add_message(request, messages.ERROR if is_refused else messages.SUCCESS, words)
    return editing.group(request, listing.pk, "pictures")


@signed_in_page
def waiting(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/pictures/waiting`: the group as it is now, while some are being prepared."""
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    return render(request, "directory/editor/gallery_part.html", gallery_of(listing))


def _changed(
    request: HttpRequest, listing_id: int, change: Callable[..., Any], words: str, **how: Any
) -> HttpResponse:
    owner_id, refused = user_of(request).pk, ""
    throttling.enforce("write", caller=f"user:{owner_id}")
    try:
        change(owner_id=owner_id, listing_id=listing_id, at=timezone.now(), **how)
    except InvalidRequestError as error:
        refused = error.detail
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    return _answer(request, listing, words=refused or words, is_refused=bool(refused))


@signed_in_act
def remove(request: HttpRequest, listing_id: int, number: int) -> HttpResponse:
    return _changed(request, listing_id, media.remove_picture, "Removed.", number=number)


@signed_in_act
def put_back(request: HttpRequest, listing_id: int, undo_id: int) -> HttpResponse:
    """`/account/listings/<id>/pictures/removed/<id>`: a removed one is shown again."""
    return _changed(request, listing_id, media.put_back_picture, "Put back.", undo_id=undo_id)


@signed_in_act
def describe(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/pictures/words`: what they show, as far as it was typed."""
    typed = {n: " ".join(request.POST.get(f"alt-{n}", "").split()) for n in range(1, limits.PICTURES + 1)}
    if any(len(alt) > limits.PICTURE_WORDS for alt in typed.values()):
        words = f"Say in up to {limits.PICTURE_WORDS} letters what a picture shows."
        listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
        return _answer(request, listing, words=words, is_refused=True)
    alts = {number: alt for number, alt in typed.items() if alt}
    return _changed(request, listing_id, media.describe_pictures, "Saved.", alts=alts)


@signed_in_act
def move(request: HttpRequest, listing_id: int, number: int) -> HttpResponse:
    typed = request.POST.get("to", "")
    to = int(typed) if typed.isdecimal() and len(typed) < 4 else number
    return _changed(request, listing_id, media.move_picture, "Moved.", number=number, to=to)


@signed_in_act
def take_down_site_picture(request: HttpRequest, listing_id: int) -> HttpResponse:
    return _changed(request, listing_id, site_pictures.take_down_site_picture, "Taken down. It stays down.")


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
def dismiss(request: HttpRequest, listing_id: int, upload_id: int) -> HttpResponse:
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    uploads.dismiss(by_id=user_of(request).pk, upload_id=upload_id)
    return _answer(request, listing, words="Removed.")


def box_of(listing: Listing) -> LogoBox:
    rows = uploads.waiting_beside(listing, "logo", use=Upload.Use.LOGO, listing_id=listing.pk)
    file, action = str(listing.logo.name or ""), f"/account/listings/{listing.pk}/logo"
    return LogoBox(action=action, file=file, name=listing.name, waiting=rows)


@signed_in_act
def send_logo(request: HttpRequest, listing_id: int) -> HttpResponse:
    owner_id, body = user_of(request).pk, sent_file(request)
    logos.send_logo(owner_id=owner_id, listing_id=listing_id, body=body, at=timezone.now())
    return HttpResponseRedirect(f"/account/listings/{listing_id}/edit#logo")


@signed_in_page
def logo_state(request: HttpRequest, listing_id: int) -> HttpResponse:
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    return render(request, "directory/parts/logo_state.html", {"box": box_of(listing)})
