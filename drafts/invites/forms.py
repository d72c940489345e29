"""What an invited founder fills in."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from core.api.serializers import HIDDEN
from core.fetch import InvalidUrlError, UrlNotPublicError, check_link
from drafts import limits

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
