"""Shapes that owners send for a draft and for a listing alike."""

import re
from datetime import date
from typing import Any

from rest_framework import serializers

from core.api.serializers import Country, Link, Name, SecureLink, StrictSerializer, Text
from directory import limits
from directory.countries import country_names
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
