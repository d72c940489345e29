"""The pictures of a listing, on its owner's account pages."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts.sessions import signed_in, user_of
from core import throttling
from core.errors import InvalidRequestError
from directory import limits
from directory.picture_process import PicturesBusyError
from directory.selectors import own
from directory.services import media


class PictureForm(forms.Form):
    """A file, and what it shows in words."""

    picture = forms.FileField(
        label="Picture",
        help_text="PNG, JPEG or WebP, at most 4 MB and 8 megapixels. Shown at most 1600 pixels wide.",
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
    )
    alt = forms.CharField(
        label="What it shows",
        help_text="One sentence, for people who cannot see it.",
        max_length=limits.PICTURE_WORDS,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def pictures(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/pictures`: those there are, and a form for one more."""
    owner_id = user_of(request).pk
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    form, status = PictureForm(request.POST or None, request.FILES or None), 400
    if request.method == "POST":
        throttling.enforce("write", caller=f"user:{owner_id}")
        if form.is_valid():
            body, alt = form.cleaned_data["picture"].read(), form.cleaned_data["alt"]
            try:
                media.add_picture(
                    owner_id=owner_id, listing_id=listing_id, body=body, alt=alt, at=timezone.now()
                )
            except (InvalidRequestError, PicturesBusyError) as error:
                form.add_error("picture", error.detail)
                status = error.status
            else:
                messages.success(request, "Added.")
                return HttpResponseRedirect(request.path)
    context = {
        "listing": own.headed(listing),
        "tab": "pictures",
        "form": form,
        "rows": own.pictures_of(listing),
        "most": limits.PICTURES,
        "is_open": "media" in own.sections_of(listing),
    }
    return render(request, "directory/account/pictures.html", context, status=status if form.errors else 200)


@require_POST
@signed_in
def remove(request: HttpRequest, listing_id: int, number: int) -> HttpResponse:
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    try:
        media.remove_picture(owner_id=owner_id, listing_id=listing_id, number=number, at=timezone.now())
    except InvalidRequestError as error:
        messages.warning(request, error.detail)
    else:
        messages.success(request, "Removed.")
    return HttpResponseRedirect(f"/account/listings/{listing_id}/pictures")
