"""The pictures of a listing, on its owner's account pages."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.sessions import signed_in_act, signed_in_form, signed_in_page, user_of
from core.api import throttling
from core.api.errors import InvalidRequestError
from directory import limits
from directory.images import uploads
from directory.listings import media, own, site_pictures
from directory.listings.profile import site_picture_of
from directory.models import Listing, Upload

ACCEPTED = "image/png,image/jpeg,image/webp"


class FilesInput(forms.FileInput):
    """A field for several files; of these the form itself takes the others."""

    allow_multiple_selected = True

    def value_from_datadict(self, _data: Any, files: Any, name: str) -> Any:
        return files.get(name)


class WordsForm(forms.Form):
    alt = forms.CharField(
        label="What it shows",
        help_text="One sentence, for people who can’t see it.",
        max_length=limits.PICTURE_WORDS,
    )


class PictureForm(WordsForm):
    """Files, and what one shows in words; of several each is described once it is there."""

    picture = forms.FileField(
        label="Pictures",
        help_text="PNG, JPEG or WebP, up to 4 MB and 8 megapixels each. Choose, drop or paste them.",
        widget=FilesInput(attrs={"accept": ACCEPTED}),
    )
    field_order = ("picture", "alt")

    def __init__(self, *args: Any, is_of_several: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        self.bodies: list[UploadedFile] = self.files.getlist("picture") if self.files else []
        self.is_of_several = is_of_several or len(self.bodies) > 1
        if self.is_of_several:
            self.fields["alt"].required = False
        elif not self.is_bound:
            self.fields["alt"].help_text += " With several at once, describe each once it’s there."


@signed_in_form
def pictures(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/pictures`: those there are, and a form for more."""
    owner_id = user_of(request).pk
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    is_part = "X-Part" in request.headers
    form = PictureForm(request.POST or None, request.FILES or None, is_of_several=is_part)
    if request.method == "POST":
        throttling.enforce("write", caller=f"user:{owner_id}")
        if form.is_valid() and _received(form, owner_id=owner_id, listing_id=listing_id):
            return HttpResponse() if is_part else HttpResponseRedirect(request.path)
        if is_part:
            return HttpResponse(form.errors.get("picture", [""])[0], status=400, content_type="text/plain")
    return _page(request, listing, form=form)


def _received(form: PictureForm, *, owner_id: int, listing_id: int) -> bool:
    """Whether all files of the form could be taken; what is wrong with the others stands at their field."""
    alt = "" if form.is_of_several else form.cleaned_data["alt"]
    for body in form.bodies:
        try:
            media.add_picture(
                owner_id=owner_id, listing_id=listing_id, body=body.read(), alt=alt, at=timezone.now()
            )
        except InvalidRequestError as error:
            form.add_error(
                "picture", error.detail if len(form.bodies) == 1 else f"{body.name}: {error.detail}"
            )
    return not form.errors


def _page(request: HttpRequest, listing: Listing, *, form: PictureForm) -> HttpResponse:
    waiting = _waiting(listing)
    context = {
        "listing": own.headed(listing),
        "fetched": listing.site_picture or {},
        "tab": "pictures",
        "form": form,
        "rows": own.pictures_of(listing),
        "waiting": waiting,
        "is_full": len(listing.media) + len(waiting) >= limits.PICTURES,
        "most": limits.PICTURES,
        "words": limits.PICTURE_WORDS,
        "site_picture": site_picture_of(listing.site_picture),
        "is_open": "media" in own.sections_of(listing),
    }
    return render(request, "directory/account/pictures.html", context, status=400 if form.errors else 200)


def _waiting(listing: Listing) -> list[Upload]:
    return uploads.waiting(listing_id=listing.pk, use=Upload.Use.GALLERY)


@signed_in_page
def waiting(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/pictures/waiting`: the part of the page that changes."""
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    context = {"listing": {"listing_id": listing.pk}, "waiting": _waiting(listing)}
    return render(request, "directory/account/parts/waiting_pictures.html", context)


def _changed(request: HttpRequest, listing_id: int, *, words: str, change: Any, **how: Any) -> HttpResponse:
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    try:
        change(owner_id=owner_id, listing_id=listing_id, at=timezone.now(), **how)
    except InvalidRequestError as error:
        messages.warning(request, error.detail)
    else:
        messages.success(request, words)
    return HttpResponseRedirect(f"/account/listings/{listing_id}/pictures")


@signed_in_act
def remove(request: HttpRequest, listing_id: int, number: int) -> HttpResponse:
    """`/account/listings/<id>/pictures/<number>/remove`."""
    return _changed(request, listing_id, words="Removed.", change=media.remove_picture, number=number)


@signed_in_act
def describe(request: HttpRequest, listing_id: int, number: int) -> HttpResponse:
    """`/account/listings/<id>/pictures/<number>/words`: what it shows."""
    form = WordsForm(request.POST)
    if not form.is_valid():
        messages.warning(request, f"Say in up to {limits.PICTURE_WORDS} letters what the picture shows.")
        return HttpResponseRedirect(f"/account/listings/{listing_id}/pictures")
    alt = form.cleaned_data["alt"]
    return _changed(
        request, listing_id, words="Saved.", change=media.describe_picture, number=number, alt=alt
    )


@signed_in_act
def move(request: HttpRequest, listing_id: int, number: int) -> HttpResponse:
    """`/account/listings/<id>/pictures/<number>/move`: to another place."""
    typed = request.POST.get("to", "")
    to = int(typed) if typed.isdecimal() and len(typed) < 4 else number
    return _changed(request, listing_id, words="Moved.", change=media.move_picture, number=number, to=to)


@signed_in_act
def take_down_site_picture(request: HttpRequest, listing_id: int) -> HttpResponse:
    return _changed(
        request, listing_id, words="Taken down. It stays down.", change=site_pictures.take_down_site_picture
    )


@signed_in_act
def dismiss(request: HttpRequest, listing_id: int, upload_id: int) -> HttpResponse:
    """`/account/listings/<id>/pictures/uploads/<id>/remove`: one that waits, or was refused."""
    own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    uploads.dismiss(by_id=user_of(request).pk, upload_id=upload_id)
    return HttpResponseRedirect(f"/account/listings/{listing_id}/pictures")
