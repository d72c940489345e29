"""HTML door of the drafts area for invited founders: the page that a mailed link opens."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from core.api.serializers import HIDDEN
from core.fetch import InvalidUrlError, UrlNotPublicError, check_link
from drafts import limits
from drafts.errors import InviteClosedError
from drafts.invites import inviting
from drafts.models import Invite

PLATFORMS = {"linkedin": "LinkedIn", "x": "X", "github": "GitHub", "website": "Website"}


def check_public_link(link: str) -> None:
    """Refuse what is not an http or https address of a public host."""
    try:
        check_link(link)
    except (InvalidUrlError, UrlNotPublicError) as error:
        raise ValidationError(
            f"Give a whole address that begins with https://. {error.detail}", code="link"
        ) from error


def hides_nothing(name: str) -> None:
    """Refuse characters that cannot be seen or that turn the order of text."""
    if HIDDEN.search(name):
        raise ValidationError("The name has invisible characters. Type it again.", code="hidden")


def link(platform: str) -> forms.CharField:
    return forms.CharField(
        label=PLATFORMS[platform],
        max_length=limits.SOCIAL_LINK,
        required=False,
        validators=[check_public_link],
    )


class ProfileForm(forms.Form):
    name = forms.CharField(
        label="Your name",
        max_length=limits.FOUNDER_NAME,
        validators=[hides_nothing],
        error_messages={"required": "Give your name."},
    )
    title = forms.CharField(
        label="Your role",
        max_length=limits.FOUNDER_TITLE,
        required=False,
        help_text="For example: Co-founder, CTO.",
    )
    bio = forms.CharField(
        label="About you",
        max_length=limits.FOUNDER_BIO,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    linkedin = link("linkedin")
    x = link("x")
    github = link("github")
    website = link("website")
    consent = forms.BooleanField(
        label="I agree", error_messages={"required": "Without your consent we keep nothing."}
    )

    def profile(self) -> dict[str, Any]:
        values = self.cleaned_data
        return {
            **{key: values[key] or None for key in ("name", "title", "bio")},
            "socials": {key: values[key] for key in PLATFORMS if values[key]},
        }


@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest, token: str) -> HttpResponse:
    """`/invites/<token>`: says who asks and what will be shown, then takes the profile, once."""
    result = inviting.find_invite(token=token)
    if reason := result.closed_reason(at=timezone.now()):
        return _page(request, result, closed=reason)
    form = ProfileForm(request.POST or None, initial=inviting.profile_of(result))
    if request.method != "POST" or not form.is_valid():
        return _page(request, result, form=form)
    try:
        inviting.accept_invite(token=token, profile=form.profile(), at=timezone.now())
    except InviteClosedError as error:
        return _page(request, result, closed=error.detail)
    return _page(request, result, thanks=form.cleaned_data["name"])


def _page(
    request: HttpRequest,
    invite: Invite,
    *,
    form: ProfileForm | None = None,
    closed: str = "",
    thanks: str = "",
) -> HttpResponse:
    context = {
        "invite": invite,
        "domain": invite.draft.domain,
        "inviter": invite.draft.owner.email,
        "is_public": inviting.is_public(invite.draft),
        "form": form,
        "links": [form[name] for name in PLATFORMS] if form else [],
        "closed": closed,
        "thanks": thanks,
    }
    is_refused = bool(closed) or bool(form is not None and form.errors)
    response = render(request, "drafts/invite.html", context, status=400 if is_refused else 200)
    # The address is the secret: no cache keeps it, no other site is told it, no index lists it.
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response
