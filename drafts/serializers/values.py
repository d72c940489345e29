"""Bodies of the drafts area, with every bound of the interface."""

import re
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from core.fetch import split_url
from core.serializers import Email, StrictSerializer, Text
from drafts import limits
from drafts.writing.countries import country_code


class SubmitListingIn(StrictSerializer):
    """The product's public website."""

    url = Text(max_length=limits.URL)


class InviteCofounderIn(StrictSerializer):
    """Whom to invite."""

    email = Email(max_length=limits.INVITE_EMAIL)


class Link(Text):
    """An http or https address with a host; https alone where `https_only` is said by the subclass."""

    schemes = frozenset({"http", "https"})
    default_error_messages = {"link": "This must be a link that begins with {schemes}."}

    def to_internal_value(self, data: Any) -> str:
        """The link."""
        value = super().to_internal_value(data)
        parts = split_url(value)
        if (
            "." not in (parts.hostname or "")
            or parts.scheme.lower() not in self.schemes
            or re.search(r"[\s<>\"'`\\]", value)
        ):
            self.fail("link", schemes=" or ".join(f"{scheme}://" for scheme in sorted(self.schemes)))
        return value


class SecureLink(Link):
    """An https address."""

    schemes = frozenset({"https"})


class CountryCode(Text):
    """An ISO 3166-1 alpha-2 code in any case, or a country's name, which becomes its code."""

    default_error_messages = {"country": "This must be a country's two-letter ISO code."}

    def to_internal_value(self, data: Any) -> str:
        """The code in capitals."""
        value = super().to_internal_value(data)
        if re.fullmatch(r"[A-Za-z]{2}", value):
            return value.upper()
        if not value or len(value) > limits.COUNTRY:
            return value
        code = country_code(value)
        if code is None:
            self.fail("country")
        return code


def words(items: int) -> serializers.ListField:
    """A list of short texts, or null."""
    return serializers.ListField(
        child=Text(max_length=limits.LIST_ITEM), max_length=items, required=False, allow_null=True
    )


def text(length: int, kind: type[Text] = Text) -> Text:
    """A text that may be left out or be null."""
    return kind(max_length=length, required=False, allow_null=True)


class DraftFieldsIn(StrictSerializer):
    """Values the owner gives; null removes one."""

    name = text(limits.NAME)
    tagline = text(limits.TAGLINE)
    short_description = text(limits.SHORT_DESCRIPTION)
    description = text(limits.DESCRIPTION)
    stage = text(limits.STAGE)
    categories = words(limits.CATEGORIES)
    tags = words(limits.TAGS)
    pricing_model = text(limits.PRICING_MODEL)
    pricing_summary = text(limits.PRICING_SUMMARY)
    country = text(limits.COUNTRY, CountryCode)
    city = text(limits.CITY)
    founded_year = text(limits.FOUNDED_YEAR)
    features = words(limits.FEATURES)
    usps = words(limits.USPS)
    keywords = words(limits.KEYWORDS)
    contact_email = text(limits.CONTACT_EMAIL)
    demo_video_url = text(limits.DEMO_VIDEO_URL, Link)
    logo_url = text(limits.LOGO_URL, Link)


class FaqIn(StrictSerializer):
    """A question and its answer."""

    question = Text(max_length=limits.FAQ_QUESTION)
    answer = Text(max_length=limits.FAQ_ANSWER)


class FounderIn(StrictSerializer):
    """A founder; the first is the primary one."""

    name = Text(max_length=limits.FOUNDER_NAME)
    title = text(limits.FOUNDER_TITLE)
    bio = text(limits.FOUNDER_BIO)


class MilestoneIn(StrictSerializer):
    """A dated step."""

    date = serializers.DateField(input_formats=["%Y-%m-%d"])
    title = Text(max_length=limits.MILESTONE_TITLE)
    description = text(limits.MILESTONE_DESCRIPTION)
    url = text(limits.MILESTONE_URL, SecureLink)


class StoryIn(StrictSerializer):
    """Sections of the founder story."""

    title = text(limits.STORY_SECTION)
    story = text(limits.STORY_SECTION)
    why_started = text(limits.STORY_SECTION)
    problem = text(limits.STORY_SECTION)
    journey = text(limits.STORY_SECTION)
    challenges = text(limits.STORY_SECTION)
    achievements = text(limits.STORY_SECTION)
    lessons = text(limits.STORY_SECTION)
    whats_next = text(limits.STORY_SECTION)


class SeoIn(StrictSerializer):
    """What search engines show."""

    title = text(limits.SEO_TITLE)
    meta = text(limits.SEO_META)


class SocialsIn(StrictSerializer):
    """Platform to link; an empty one is removed."""

    linkedin = text(limits.SOCIAL_LINK, Link)
    x = text(limits.SOCIAL_LINK, Link)
    facebook = text(limits.SOCIAL_LINK, Link)
    instagram = text(limits.SOCIAL_LINK, Link)
    tiktok = text(limits.SOCIAL_LINK, Link)
    youtube = text(limits.SOCIAL_LINK, Link)
    threads = text(limits.SOCIAL_LINK, Link)
    pinterest = text(limits.SOCIAL_LINK, Link)
    github = text(limits.SOCIAL_LINK, Link)
    reddit = text(limits.SOCIAL_LINK, Link)
    producthunt = text(limits.SOCIAL_LINK, Link)
    medium = text(limits.SOCIAL_LINK, Link)
    website = text(limits.SOCIAL_LINK, Link)
    custom = text(limits.SOCIAL_LINK, Link)


class FieldName(Text):
    """The name of a draft field."""

    default_error_messages = {"unknown_field": "There is no field of this name. Fields: {names}."}

    def to_internal_value(self, data: Any) -> str:
        """A key of `fields`."""
        value = super().to_internal_value(data)
        if value not in limits.FIELDS:
            message = self.error_messages["unknown_field"].format(names=", ".join(limits.FIELDS))
            raise ValidationError(message, code="unknown_field")
        return value


def names(items: int) -> serializers.ListField:
    """A list of field names."""
    return serializers.ListField(child=FieldName(), max_length=items, required=False)


class UpdateDraftIn(StrictSerializer):
    """What changes; everything is optional."""

    fields = DraftFieldsIn(required=False)  # type: ignore[assignment]
    lock_fields = names(limits.LOCK_FIELDS)
    regenerate = names(limits.REGENERATE)
    restore = names(limits.RESTORE)
    faqs = FaqIn(many=True, required=False, max_length=limits.FAQS)  # type: ignore[call-arg]
    company_socials = SocialsIn(required=False)
    founder_socials = SocialsIn(required=False)
    founders = FounderIn(many=True, required=False, max_length=limits.FOUNDERS)  # type: ignore[call-arg]
    story = StoryIn(required=False)
    milestones = MilestoneIn(many=True, required=False, max_length=limits.MILESTONES)  # type: ignore[call-arg]
    competitor_url = text(limits.COMPETITOR_URL)
    seo = SeoIn(required=False)
