"""A person's own name, and on the page of a maker the words, links and photo."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts import limits as account_limits
from accounts import services as accounts
from accounts.forms import Checked
from accounts.sessions import signed_in_act, signed_in_form, signed_in_page, user_of
from core.api import throttling
from core.api.serializers import Link, Name, Text
from directory import limits
from directory.images import uploads
from directory.images.uploads import sent_file
from directory.models import Founder, Upload
from directory.people.profile import edit_profile, remove_photo, send_photo
from directory.wording import PLATFORMS

LINKS = ("website", "linkedin", "x", "github", "youtube", "custom")
LABELS = {**PLATFORMS, "website": "Website", "custom": "Another link"}
ADDRESS = "/account/photo"


class ProfileForm(forms.Form):
    """The name alone for who has no page of a maker."""

    name = Checked(
        check=Name(),
        label="Your name",
        max_length=min(account_limits.NAME, limits.FOUNDER_NAME),
        help_text="Stands beside your reviews, questions and products.",
        widget=forms.TextInput(attrs={"autocomplete": "name", "dir": "auto"}),
        error_messages={"required": "Say what you’re called."},
    )
    title = Checked(
        check=Text(),
        label="What you do",
        required=False,
        max_length=limits.FOUNDER_TITLE,
        help_text="Such as: Founder, design and product.",
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    bio = Checked(
        check=Text(),
        label="About you",
        required=False,
        max_length=limits.FOUNDER_BIO,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
    )

    def __init__(self, *args: Any, founder: Founder | None, **options: Any) -> None:
        super().__init__(*args, **options)
        if founder is None:
            del self.fields["title"], self.fields["bio"]
            return
        for name in LINKS:
            self.fields[name] = Checked(
                check=Link(),
                label=LABELS.get(name, name.capitalize()),
                required=False,
                max_length=limits.SOCIAL_LINK,
                widget=forms.URLInput(attrs={"placeholder": "https://"}),
            )


@signed_in_form
def profile(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    founder = Founder.objects.filter(user=user).first()
    before = {"name": founder.name if founder else user.name}
    if founder:
        before |= {"title": founder.title, "bio": founder.bio, **founder.socials}
    form = ProfileForm(request.POST or None, initial=before, founder=founder)
    if request.method == "POST" and form.is_valid():
        throttling.enforce("write", caller=f"user:{user.pk}")
        values = dict(form.cleaned_data)
        accounts.call(user=user, name=values["name"])
        if founder:
            links = {name: values[name] for name in LINKS if values[name]}
            others = {name: url for name, url in founder.socials.items() if name not in LINKS}
            edit_profile(user_id=user.pk, values={**values, "socials": {**others, **links}})
        messages.success(request, "Saved.")
        return HttpResponseRedirect(request.path)
    context = {"form": form, "founder": founder, "links": [form[name] for name in LINKS] if founder else []}
    return render(request, "directory/account/profile.html", context, status=400 if form.errors else 200)


@signed_in_form
def photo(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        send_photo(user_id=user_of(request).pk, body=sent_file(request), at=timezone.now())
        return HttpResponseRedirect(ADDRESS)
    return render(request, "directory/account/photo.html", _context(request))


@signed_in_page
def photo_state(request: HttpRequest) -> HttpResponse:
    return render(request, "directory/account/parts/photo_state.html", _context(request))


@signed_in_act
def take_photo_down(request: HttpRequest) -> HttpResponse:
    remove_photo(user_id=user_of(request).pk)
    messages.success(request, "Removed. Your page shows your initials.")
    return HttpResponseRedirect(ADDRESS)


def _context(request: HttpRequest) -> dict[str, Any]:
    user_id = user_of(request).pk
    waiting = uploads.waiting(use=Upload.Use.PHOTO, by=user_id)
    founder = Founder.objects.filter(user=user_id).first()  # after it: made ready meanwhile, it is in both
    image = f"{settings.MEDIA_URL}{founder.photo.name}" if founder and founder.photo else ""
    return {"founder": founder, "image": image, "waiting": waiting}
