from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.serializers import Choice, Country, Slug, Text
from directory import limits
from directory.launches.badges import MODES, SHAPES, SIZES
from directory.launches.calendar import RULES

SORTS = ("relevance", "newest", "votes", "trending", "most_viewed", "most_followed")


class Flag(serializers.BooleanField):
    """true or false, and nothing that merely looks like it."""

    def to_internal_value(self, data: Any) -> bool:
        if data not in {"true", "false"}:
            self.fail("invalid")
        return bool(data == "true")


class SearchListingsIn(serializers.Serializer[Any]):
    q = Text(
        max_length=limits.QUERY,
        required=False,
        allow_blank=True,
        help_text="Words in name, tagline, description or keywords; forgives typos. Empty means browse.",
    )
    category = Slug(required=False, help_text="A category's slug; its subcategories are included.")
    stage = Slug(required=False, help_text="For example idea, mvp, launched, growing.")
    country = Country(required=False, help_text="Two letters, ISO 3166-1 alpha-2.")
    pricing_model = Text(
        max_length=limits.PRICING_MODEL_FILTER,
        required=False,
        allow_blank=True,
        help_text="For example freemium.",
    )
    domain = Text(
        max_length=limits.DOMAIN,
        required=False,
        allow_blank=True,
        help_text="Finds the listing of a website, among those of the status.",
    )
    status = Choice(
        choices=("live", "upcoming"), default="live", help_text="Published or scheduled listings."
    )
    sort = Choice(
        choices=SORTS, default="relevance", help_text="The order; relevance without words means votes."
    )


class CompareListingsIn(serializers.Serializer[Any]):
    a = Slug(help_text="The slug of one live listing.")
    b = Slug(help_text="The slug of another.")


class ListCategoriesIn(serializers.Serializer[Any]):
    include_empty = Flag(default=True, help_text="Also categories without live listings.")


@extend_schema_field({"type": "string", "pattern": r"^(this|next|last|\d{4}-\d{2}-\d{2})$"})
class Week(Text):
    """A launch week."""


class WeekIn(serializers.Serializer[Any]):
    week = Week(
        max_length=limits.WEEK,
        help_text="this, next, last, or a date YYYY-MM-DD, snapped to its Monday. The site's week is Monday to Sunday,"
        " UTC.",
    )


class ListLaunchesIn(serializers.Serializer[Any]):
    section = Choice(
        choices=tuple(RULES),
        default="this-week",
        help_text="Which launches: " + "; ".join(f"{name}: {rule}" for name, rule in RULES.items()) + ".",
    )


class ListFoundersIn(serializers.Serializer[Any]):
    q = Text(
        max_length=limits.FOUNDER_QUERY,
        required=False,
        allow_blank=True,
        help_text="A part of the founder's name.",
    )
    country = Country(required=False, help_text="Two letters, ISO 3166-1 alpha-2.")


class ListBlogPostsIn(serializers.Serializer[Any]):
    q = Text(
        max_length=limits.BLOG_QUERY,
        required=False,
        allow_blank=True,
        help_text="Words to look for in posts.",
    )


class BadgesIn(serializers.Serializer[Any]):
    shape = Choice(choices=SHAPES, default="standard", help_text="The outline.")
    mode = Choice(choices=MODES, default="auto", help_text="The colours; auto follows the reader's scheme.")
    size = Choice(choices=tuple(SIZES), default="m", help_text="Small, medium or large.")
