"""What an invited founder fills in."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from core.fetch import split_url
from drafts import limits

PLATFORMS = {"linkedin": "LinkedIn", "x": "X", "github": "GitHub", "website": "Website"}


def has_host(link: str) -> None:
    """Refuse what is not an http or https address with a host."""
    parts = split_url(link)
    is_link = parts.scheme in {"http", "https"} and "." in (parts.hostname or "")
    if not is_link or any(character.isspace() or character in "<>\"'`\\" for character in link):
        raise ValidationError("Give a whole address that begins with https://.", code="link")


def link(platform: str) -> forms.CharField:
    """An optional address on a platform."""
    return forms.CharField(
        label=PLATFORMS[platform], max_length=limits.SOCIAL_LINK, required=False, validators=[has_host]
    )


class ProfileForm(forms.Form):
    """A founder's own profile, and the consent to show it."""

    name = forms.CharField(
        label="Your name", max_length=limits.FOUNDER_NAME, error_messages={"required": "Give your name."}
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
        """What is kept."""
        given = self.cleaned_data
        return {
            **{key: given[key] or None for key in ("name", "title", "bio")},
            "socials": {key: given[key] for key in PLATFORMS if given[key]},
        }
