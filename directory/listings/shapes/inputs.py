"""Shapes that owners send for a draft and for a listing alike."""

import re
from datetime import date
from typing import Any

from rest_framework import serializers

from core.api.serializers import (
    Country,
    Email,
    Integer,
    Link,
    ListOf,
    Name,
    SecureLink,
    StrictSerializer,
    Text,
)
from directory import limits
from directory.countries import country_names
from directory.facts import FACTS, Fact
from directory.wording import PLATFORMS, STORY_PROMPTS


class CountryCode(Country):
    """An ISO 3166-1 alpha-2 code in any case, of a country that there is."""

    default_error_messages = {"country": "This must be a country's two-letter ISO code."}

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": limits.COUNTRY, **options})

    def to_internal_value(self, data: Any) -> str:
        value = super().to_internal_value(data)
        if (
            len(value) == limits.COUNTRY
            and value.isascii()
            and value.isalpha()
            and value not in country_names()
        ):
            self.fail("country")
        return value


class Stage(Text):
    default_error_messages = {"stage": "Choose one of these stages: {stages}."}

    def to_internal_value(self, data: Any) -> str:
        value = super().to_internal_value(data)
        if value not in limits.STAGES:
            self.fail("stage", stages=", ".join(limits.STAGES))
        return value


class Day(serializers.DateField):
    """A date of the form YYYY-MM-DD, to the letter."""

    default_error_messages = {"invalid": "This must be a date of the form YYYY-MM-DD."}

    def to_internal_value(self, value: Any) -> date:
        if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            self.fail("invalid")
        return super().to_internal_value(value)


def words(items: int, help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=Text(max_length=limits.LIST_ITEM),
        max_length=items,
        required=False,
        allow_null=True,
        help_text=help_text,
    )


def text(length: int, kind: type[Text] = Text, *, help_text: str = "") -> Text:
    """A text that may be left out or be null."""
    return kind(max_length=length, required=False, allow_null=True, help_text=help_text)


class FaqIn(StrictSerializer):
    """A question and its answer."""

    question = Text(max_length=limits.FAQ_QUESTION, help_text="The question.")
    answer = Text(max_length=limits.FAQ_ANSWER, help_text="The answer.")


class FounderIn(StrictSerializer):
    """A founder; the first is the primary one."""

    name = Name(max_length=limits.FOUNDER_NAME, help_text="The person's name.")
    title = text(limits.FOUNDER_TITLE, help_text="Their role.")
    bio = text(limits.FOUNDER_BIO, help_text="About them.")


class MilestoneIn(StrictSerializer):
    """A dated step."""

    date = Day(input_formats=["%Y-%m-%d"], help_text="YYYY-MM-DD.")
    title = Text(max_length=limits.MILESTONE_TITLE, help_text="What happened.")
    description = text(limits.MILESTONE_DESCRIPTION, help_text="More about it.")
    url = text(limits.MILESTONE_URL, SecureLink, help_text="https link on a public host.")


class SocialsIn(StrictSerializer):
    """Platform to link; an empty one is removed."""

    def get_fields(self) -> dict[str, serializers.Field]:
        words = {name: PLATFORMS.get(name, name.capitalize()) for name in limits.PLATFORMS}
        words |= {"website": "A website", "custom": "Any other link"}
        return {name: text(limits.SOCIAL_LINK, Link, help_text=f"{of}.") for name, of in words.items()}


def story_fields(*, title: int) -> dict[str, serializers.Field]:
    """The sections of a founder story; the bound of its title differs between a draft and a listing."""
    sections = {
        name: text(limits.STORY_SECTION, help_text=f"{STORY_PROMPTS[name]}.")
        for name in limits.STORY_SECTIONS
    }
    return {"title": text(title, help_text="The headline."), **sections}


FORMS: dict[str, tuple[type[Text], int]] = {
    "country": (CountryCode, limits.COUNTRY),
    "contact_email": (Email, limits.CONTACT_EMAIL),
}


class ListingFieldsIn(StrictSerializer):
    """Values that change; null or an empty text removes one."""

    elsewhere = {
        fact.name: "Change it through the draft, by update_draft."
        for fact in FACTS.values()
        if not fact.is_edited_on_listing
    }
    headline = text(limits.HEADLINE, help_text="A headline above the description.")
    summary = text(limits.SUMMARY, help_text="What the page says under the headline. Markdown.")
    seo_title = text(limits.SEO_TITLE, help_text="The title in search results.")
    seo_description = text(limits.SEO_DESCRIPTION, help_text="The text below it.")

    def get_fields(self) -> dict[str, serializers.Field]:
        """One field for each fact that an owner may state on the listing, and those above."""
        facts = {name: _input_of(fact) for name, fact in FACTS.items() if fact.is_edited_on_listing}
        return {**facts, **super().get_fields()}


def _input_of(fact: Fact) -> serializers.Field:
    if fact.kind == "list":
        return words(fact.bound, f"{fact.help} Replaces all.".strip())
    if fact.kind == "year":
        return Integer(
            min_value=limits.FOUNDED_YEAR_MIN,
            max_value=limits.FOUNDED_YEAR_MAX,
            required=False,
            allow_null=True,
            help_text=fact.hint,
        )
    kind, bound = FORMS.get(fact.name, (Link if fact.kind == "link" else Text, fact.listed or fact.bound))
    return text(bound, kind, help_text=fact.hint)


class UpdateMyListingIn(StrictSerializer):
    """What changes; everything is optional, and what is not sent stays."""

    elsewhere = {
        **dict.fromkeys(ListingFieldsIn().fields, "Send it inside fields."),
        **ListingFieldsIn.elsewhere,
        "founders": "Change them through the draft, by update_draft.",
        "story": "Use set_founder_story.",
        "milestones": "Use add_milestone and delete_milestone.",
    }
    fields = ListingFieldsIn(
        required=False, help_text="Values that change; null or an empty text removes one."
    )  # type: ignore[assignment]
    apply_to = ListOf(
        Text(max_length=limits.SITE_KEY),
        "[all] or keys of sites (see sites): headline, summary, seo_title and seo_description, as far as "
        "this call sends them, are also written to the same company's listings of yours there. Left out: this "
        "listing only.",
        max_length=limits.APPLY_TO,
        required=False,
    )
    socials = SocialsIn(required=False, help_text="The company's links by platform. Replaces all.")
    faqs = FaqIn(  # type: ignore[call-arg]
        many=True,
        required=False,
        max_length=limits.FAQS,
        help_text="Replaces all questions: send the ones to keep, too.",
    )


class EveryFieldIn(ListingFieldsIn):
    """What the owner's page changes: all that a listing states."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """The order is that of the table of facts."""
        own = super().get_fields()
        forms = {"name": text(limits.NAME, Name), "stage": text(limits.DRAFT_TEXT, Stage)}
        facts = {
            n: own.get(n) or forms.get(n) or words(f.bound, "") for n, f in FACTS.items() if n != "logo_url"
        }
        return {**facts, **own}


class SetFounderStoryIn(StrictSerializer):
    """The story, which takes the place of the one before; a section that is not sent is removed."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return story_fields(title=limits.STORY_TITLE)


class EditListingIn(UpdateMyListingIn):
    """What the owner's page changes of a listing."""

    fields = EveryFieldIn(required=False)  # type: ignore[assignment]
    founders = FounderIn(many=True, required=False, max_length=limits.FOUNDERS)  # type: ignore[call-arg]
    story = SetFounderStoryIn(required=False)
    milestones = MilestoneIn(many=True, required=False, max_length=limits.MILESTONES)  # type: ignore[call-arg]


class PostListingUpdateIn(StrictSerializer):
    """News of the product."""

    title = Text(max_length=limits.UPDATE_TITLE, help_text="The headline.")
    body = Text(max_length=limits.UPDATE_BODY, help_text="Plain text.")


class AnswerIn(StrictSerializer):
    """An answer to one question."""

    question_id = Integer(min_value=1, help_text="The question's id, as list_interview_questions gives it.")
    answer = Text(
        max_length=limits.INTERVIEW_ANSWER,
        allow_blank=True,
        help_text="The answer; an empty text removes it.",
    )


class AnswerInterviewIn(StrictSerializer):
    """Answers; those of questions that are not sent stay."""

    answers = AnswerIn(  # type: ignore[call-arg]
        many=True, max_length=limits.INTERVIEW_ANSWERS, help_text="One for each question, in any order."
    )
