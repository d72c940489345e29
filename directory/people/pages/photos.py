"""A founder's own photo, on the account pages."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.sessions import signed_in_act, signed_in_form, signed_in_page, user_of
from directory.images import uploads
from directory.images.uploads import sent_file
from directory.models import Founder, Upload
from directory.people import profile

ADDRESS = "/account/photo"


@signed_in_form
def photo(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        profile.send_photo(user_id=user_of(request).pk, body=sent_file(request), at=timezone.now())
        return HttpResponseRedirect(ADDRESS)
    return render(request, "directory/account/photo.html", _context(request))


@signed_in_page
def waiting(request: HttpRequest) -> HttpResponse:
    return render(request, "directory/account/parts/photo_state.html", _context(request))


@signed_in_act
def remove(request: HttpRequest) -> HttpResponse:
    profile.remove_photo(user_id=user_of(request).pk)
    messages.success(request, "Removed. Your page shows your initials.")
    return HttpResponseRedirect(ADDRESS)


def _context(request: HttpRequest) -> dict[str, Any]:
    user_id = user_of(request).pk
    founder = Founder.objects.filter(user=user_id).first()
    image = f"{settings.MEDIA_URL}{founder.photo.name}" if founder and founder.photo else ""
    return {"founder": founder, "image": image, "waiting": uploads.waiting(use=Upload.Use.PHOTO, by=user_id)}
