"""Bodies of the drafts area, with every bound of the interface."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from core.api.serializers import Email, Link, Name, StrictSerializer, Text
from directory.countries import country_names
from directory.facts import FACTS, Fact
from directory.listings.shapes.inputs import (
    FaqIn,
    FounderIn,
    MilestoneIn,
    SocialsIn,
    story_fields,
    text,
    words,
)
from drafts import limits
from drafts.writing.countries import country_code


class SubmitListingIn(StrictSerializer):
    """The product's public website."""

    url = Text(
        max_length=limits.URL,
        help_text="The product's own public website, beginning with http:// or https://. Nothing else is needed: it is "
        "read within about a minute, as far as its robots.txt allows.",
    )


class InviteCofounderIn(StrictSerializer):
    """Whom to invite."""

    email = Email(max_length=limits.INVITE_EMAIL, help_text="Where the invitation goes.")


class CountryCode(Text):
    """An ISO 3166-1 alpha-2 code in any case, or a country's name, which becomes its code."""

    default_error_messages = {"country": "This must be a country's two-letter ISO code."}

    def to_internal_value(self, data: Any) -> str:
        value = super().to_internal_value(data)
        if not value or len(value) > limits.TEXT_FIELDS["country"]:
            return value
        code = value.upper() if value.upper() in country_names() else country_code(value)
        if code not in country_names():
            self.fail("country")
        return code


FORMS: dict[str, type[Text]] = {"name": Name, "country": CountryCode}


class DraftFieldsIn(StrictSerializer):
    """Values you give, each marked as your own; null or an empty text removes one."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {name: _input_of(fact) for name, fact in FACTS.items()}


def _input_of(fact: Fact) -> serializers.Field:
    if fact.kind == "list":
        return words(fact.bound, f"{fact.help} Replaces all.".strip())
    kind = Link if fact.kind == "link" else FORMS.get(fact.name, Text)
    shorter = f"At most {fact.listed} characters on a listing." if fact.listed else ""
    return text(fact.bound, kind, help_text=f"{fact.help} {shorter}".strip())


class StoryIn(StrictSerializer):
    """Sections of the founder story."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return story_fields(title=limits.STORY_SECTION)


class SeoIn(StrictSerializer):
    """What search engines show."""

    title = text(limits.SEO_TITLE, help_text="The title in results.")
    meta = text(limits.SEO_META, help_text="The text below it.")


class FieldName(Text):
    default_error_messages = {"unknown_field": "There is no field of this name. Fields: {names}."}

    def __init__(self, *, names: tuple[str, ...] = limits.FIELDS, **options: Any) -> None:
        self.names = names
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        value = super().to_internal_value(data)
        if value not in self.names:
            message = self.error_messages["unknown_field"].format(names=", ".join(self.names))
            raise ValidationError(message, code="unknown_field")
        return value


@extend_schema_field({"type": "string", "enum": list(limits.FIELDS)})
class AnyFieldName(FieldName):
    """A key of `fields`."""


@extend_schema_field({"type": "string", "enum": list(limits.RESTORABLE)})
class RestorableName(FieldName):
    """A key of `fields`, or a collection that the AI may have written."""


class UpdateDraftIn(StrictSerializer):
    """What changes; everything is optional, and what is not sent stays."""

    elsewhere = {
        **dict.fromkeys(FACTS, "Send it inside fields."),
        "socials": "Send company_socials or founder_socials.",
    }
    fields = DraftFieldsIn(  # type: ignore[assignment]
        required=False,
        help_text="Values you give, each marked as your own; null or an empty text removes one.",
    )
    lock_fields = serializers.ListField(
        child=AnyFieldName(),
        max_length=limits.LOCK_FIELDS,
        required=False,
        help_text="Keys of fields that keep their values when the AI suggests again. restore unlocks.",
    )
    regenerate = serializers.ListField(
        child=AnyFieldName(),
        max_length=limits.REGENERATE,
        required=False,
        help_text="Keys of fields to suggest anew from the website's evidence. It takes a few seconds: poll get_draft "
        "while poll_after_seconds is given. A value you typed is replaced when the website says something.",
    )
    restore = serializers.ListField(
        child=RestorableName(names=limits.RESTORABLE),
        max_length=limits.RESTORE,
        required=False,
        help_text="Keys of fields that get the AI's original value back and lose their lock; faqs, founders, "
        "company_socials or founder_socials bring the original entries back in place of all there are.",
    )
    faqs = FaqIn(  # type: ignore[call-arg]
        many=True,
        required=False,
        max_length=limits.FAQS,
        help_text="Replaces all questions: send the ones to keep, too. One sent back unchanged keeps its evidence.",
    )
    company_socials = SocialsIn(
        required=False, help_text="Links by platform. Only the platforms you send change; null removes one."
    )
    founder_socials = SocialsIn(
        required=False,
        help_text="Links of the first founder, by platform. Only the platforms you send change; null removes one.",
    )
    founders = FounderIn(  # type: ignore[call-arg]
        many=True,
        required=False,
        max_length=limits.FOUNDERS,
        help_text="Replaces the list: send the ones to keep, too. The first is the primary founder.",
    )
    story = StoryIn(
        required=False,
        help_text="Sections of the founder story. Only the sections you send change; null removes one.",
    )
    milestones = MilestoneIn(  # type: ignore[call-arg]
        many=True,
        required=False,
        max_length=limits.MILESTONES,
        help_text="Replaces all milestones: send the ones to keep, too.",
    )
    competitor_url = text(
        limits.COMPETITOR_URL,
        help_text="A competitor's website. It is read in the background and compared with the draft; null or an empty "
        "text clears the comparison.",
    )
    seo = SeoIn(
        required=False,
        help_text="What search engines show. Only the parts you send change; null removes one.",
    )
