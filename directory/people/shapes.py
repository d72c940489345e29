"""Answers about founders, posts, badges, comparisons and interview questions."""

from rest_framework import serializers

from core.api.serializers import AnyValue, OpenWord, Shape
from directory.launches.badges import CODES
from directory.listings.shapes.public import FaqOut, ListingSummaryOut


class FounderOut(Shape):
    """A founder in a list."""

    slug = serializers.CharField(help_text="The founder's slug, for get_founder.")
    name = serializers.CharField(help_text="The person's name.")
    title = serializers.CharField(allow_null=True, help_text="Their role.")
    country = serializers.CharField(allow_null=True, help_text="ISO 3166-1 alpha-2.")
    photo_url = serializers.URLField(allow_null=True, help_text="A picture of them.")
    companies_count = serializers.IntegerField(min_value=0, help_text="Live listings.")
    page_url = serializers.URLField(help_text="Their page on this site.")


class FounderCompanyOut(ListingSummaryOut):
    """A listing with the founder's part in it."""

    role = serializers.CharField(allow_null=True, help_text="The founder's role there.")


class FounderStoryOut(Shape):
    """A published story of a listing."""

    title = serializers.CharField(help_text="The story's headline.")
    listing = serializers.CharField(help_text="The listing's slug.")
    published_at = serializers.DateTimeField(help_text="When it was published.")


class FounderInFullOut(FounderOut):
    """A founder with companies and stories."""

    bio = serializers.CharField(allow_null=True, help_text="About them.")
    socials = serializers.DictField(child=serializers.URLField(), help_text="Links by platform.")
    companies = FounderCompanyOut(many=True, help_text="Live listings they founded.")
    stories = FounderStoryOut(many=True, help_text="Published stories; get_listing has the words.")


class BlogPostOut(Shape):
    """A post in a list."""

    slug = serializers.CharField(help_text="The post's slug, for get_blog_post.")
    title = serializers.CharField(help_text="The headline.")
    excerpt = serializers.CharField(help_text="What it is about.")
    author = serializers.CharField(allow_null=True, help_text="Who wrote it.")
    published_at = serializers.DateTimeField(help_text="When it was published.")
    updated_at = serializers.DateTimeField(help_text="When it last changed.")
    reading_minutes = serializers.IntegerField(min_value=1, help_text="How long reading takes.")
    cover_url = serializers.URLField(allow_null=True, help_text="The picture above it.")
    page_url = serializers.URLField(help_text="Its page on this site.")


class BlogPostInFullOut(BlogPostOut):
    """A post."""

    markdown = serializers.CharField(help_text="The text.")
    faqs = FaqOut(many=True, help_text="Questions and answers below it.")
    listings = serializers.ListField(
        child=serializers.CharField(), help_text="Slugs of the listings it is about."
    )


class BadgeOut(Shape):
    """A badge with the code that shows it."""

    code = OpenWord(values=CODES, help_text="What it says.")
    title = serializers.CharField(help_text="The same in words.")
    earned = serializers.BooleanField(help_text="While it is not, the image is a plain one.")
    svg_url = serializers.URLField(help_text="The image.")
    width = serializers.IntegerField(min_value=1, help_text="In CSS pixels.")
    height = serializers.IntegerField(min_value=1, help_text="In CSS pixels.")
    html = serializers.CharField(help_text="Code for a web page.")
    markdown = serializers.CharField(help_text="Code for a README.")
    link_url = serializers.URLField(help_text="Where the badge leads.")


class BadgesOut(Shape):
    """The badges of a listing in one look."""

    listing = serializers.CharField(help_text="The listing's slug.")
    shape = serializers.CharField(help_text="The outline that was asked for.")
    mode = serializers.CharField(help_text="The colours that were asked for.")
    size = serializers.CharField(help_text="The size that was asked for.")
    items = BadgeOut(many=True, help_text="Every badge there is, earned or not.")


class ComparedValueOut(Shape):
    """What one listing states, and who says so."""

    value = AnyValue(help_text="What it states: a text, a number, true or false, or a list of texts.")
    source = OpenWord(values=("website", "owner"), help_text="Who says so.")  # type: ignore[assignment]


class ComparedAttributeOut(Shape):
    """One attribute of both listings. Null: the listing does not state it."""

    attribute = serializers.CharField(help_text="What is compared.")
    a = ComparedValueOut(allow_null=True, help_text="What listing a states; null if nothing.")
    b = ComparedValueOut(allow_null=True, help_text="What listing b states; null if nothing.")
    same = serializers.BooleanField(
        allow_null=True, help_text="Both state the same; null unless both state it."
    )


class ComparedCategoryOut(Shape):
    """The attributes of one category."""

    category = serializers.CharField(help_text="The category's name.")
    rows = ComparedAttributeOut(many=True, help_text="Its attributes, in the category's order.")


class ComparisonOut(Shape):
    """Two listings side by side."""

    a = ListingSummaryOut(help_text="The listing named a.")
    b = ListingSummaryOut(help_text="The listing named b.")
    groups = ComparedCategoryOut(many=True, help_text="What is compared, category by category.")
    page_url = serializers.URLField(help_text="The same comparison on this site.")


class InterviewQuestionOut(Shape):
    """A question that the site asks founders."""

    id = serializers.IntegerField(min_value=1, help_text="The question's id, for answer_interview.")
    question = serializers.CharField(help_text="The question.")
    help = serializers.CharField(allow_null=True, help_text="What a good answer holds.")
    max_length = serializers.IntegerField(min_value=1, help_text="How many characters an answer may have.")
    order = serializers.IntegerField(min_value=0, help_text="Its place.")


class InterviewQuestionsOut(Shape):
    """Every question that is asked at present."""

    items = InterviewQuestionOut(many=True, help_text="The questions in their order.")
