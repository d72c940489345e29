"""Answers about founders, posts, badges, comparisons and interview questions."""

from rest_framework import serializers

from core.serializers import Shape
from directory.serializers.public import FaqOut, ListingSummaryOut


class FounderOut(Shape):
    """A founder in a list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    title = serializers.CharField(allow_null=True)
    country = serializers.CharField(allow_null=True, help_text="ISO 3166-1 alpha-2.")
    photo_url = serializers.CharField(allow_null=True)
    companies_count = serializers.IntegerField(min_value=0, help_text="Live listings.")
    page_url = serializers.CharField()


class FounderCompanyOut(ListingSummaryOut):
    """A listing with the founder's part in it."""

    role = serializers.CharField(allow_null=True)


class FounderStoryOut(Shape):
    """A published story of a listing."""

    title = serializers.CharField()
    listing = serializers.CharField(help_text="The listing's slug.")
    published_at = serializers.DateTimeField()


class FounderInFullOut(FounderOut):
    """A founder with companies and stories."""

    bio = serializers.CharField(allow_null=True)
    socials = serializers.DictField(child=serializers.CharField())
    companies = FounderCompanyOut(many=True)
    stories = FounderStoryOut(many=True)


class BlogPostOut(Shape):
    """A post in a list."""

    slug = serializers.CharField()
    title = serializers.CharField()
    excerpt = serializers.CharField()
    author = serializers.CharField(allow_null=True)
    published_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    reading_minutes = serializers.IntegerField(min_value=1)
    cover_url = serializers.CharField(allow_null=True)
    page_url = serializers.CharField()


class BlogPostInFullOut(BlogPostOut):
    """A post."""

    markdown = serializers.CharField()
    faqs = FaqOut(many=True)
    listings = serializers.ListField(
        child=serializers.CharField(), help_text="Slugs of the listings it is about."
    )


class BadgeOut(Shape):
    """A badge with the code that shows it."""

    code = serializers.CharField(help_text="listed, launch_of_the_week_1, _2, _3 or verified; more may come.")
    title = serializers.CharField()
    earned = serializers.BooleanField(help_text="While it is not, the image is a plain one.")
    svg_url = serializers.CharField()
    width = serializers.IntegerField(min_value=1)
    height = serializers.IntegerField(min_value=1)
    html = serializers.CharField()
    markdown = serializers.CharField()
    link_url = serializers.CharField()


class BadgesOut(Shape):
    """The badges of a listing in one look."""

    listing = serializers.CharField(help_text="The listing's slug.")
    shape = serializers.CharField()
    mode = serializers.CharField()
    size = serializers.CharField()
    items = BadgeOut(many=True)


class ComparedValueOut(Shape):
    """What one listing states, and who says so."""

    value = serializers.JSONField()
    source = serializers.CharField(help_text="website or owner; more may come.")  # type: ignore[assignment]


class ComparedAttributeOut(Shape):
    """One attribute of both listings. Null: the listing does not state it."""

    attribute = serializers.CharField()
    a = ComparedValueOut(allow_null=True)
    b = ComparedValueOut(allow_null=True)
    same = serializers.BooleanField()


class ComparedCategoryOut(Shape):
    """The attributes of one category."""

    category = serializers.CharField(help_text="The category's name.")
    rows = ComparedAttributeOut(many=True)


class ComparisonOut(Shape):
    """Two listings side by side."""

    a = ListingSummaryOut()
    b = ListingSummaryOut()
    groups = ComparedCategoryOut(many=True)
    page_url = serializers.CharField()


class InterviewQuestionOut(Shape):
    """A question that the site asks founders."""

    id = serializers.IntegerField(min_value=1)
    question = serializers.CharField()
    help = serializers.CharField(allow_null=True)
    max_length = serializers.IntegerField(min_value=1)
    order = serializers.IntegerField(min_value=0)


class InterviewQuestionsOut(Shape):
    """Every question that is asked at present."""

    items = InterviewQuestionOut(many=True)
