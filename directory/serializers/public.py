"""Answers about listings that everybody may ask for."""

from rest_framework import serializers

from core.serializers import Shape

OPEN = "more may come"


class ListingCategoryOut(Shape):
    """A category of a listing."""

    slug = serializers.CharField()
    name = serializers.CharField()
    primary = serializers.BooleanField()


class ListingAwardOut(Shape):
    """An award in short."""

    code = serializers.CharField()
    week = serializers.DateField()


class ListingSummaryOut(Shape):
    """A listing in a list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    tagline = serializers.CharField(allow_null=True)
    short_description = serializers.CharField(allow_null=True)
    url = serializers.CharField(help_text="The product's own website.")
    logo_url = serializers.CharField(allow_null=True)
    categories = ListingCategoryOut(many=True)
    pricing_model = serializers.CharField(allow_null=True)
    country = serializers.CharField(allow_null=True, help_text="ISO 3166-1 alpha-2.")
    stage = serializers.CharField(allow_null=True)
    votes = serializers.IntegerField(min_value=0)
    followers = serializers.IntegerField(min_value=0)
    views = serializers.IntegerField(min_value=0)
    domain_rating = serializers.IntegerField(allow_null=True)
    status = serializers.CharField(help_text=f"live or upcoming; {OPEN}.")
    launch_week = serializers.DateField(allow_null=True)
    launched_at = serializers.DateTimeField(allow_null=True)
    plan = serializers.CharField(help_text=f"free or paid; {OPEN}.")
    featured = serializers.BooleanField(help_text="This place is paid for.")
    claimed = serializers.BooleanField()
    awards = ListingAwardOut(many=True)
    page_url = serializers.CharField()
    api_url = serializers.CharField()
    updated_at = serializers.DateTimeField()


class RankedListingOut(ListingSummaryOut):
    """A listing in its place on a board."""

    rank = serializers.IntegerField(min_value=1)


class SearchMatchOut(Shape):
    """Why a search found a listing."""

    fields = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]
    corrected_query = serializers.CharField(allow_null=True)


class SearchListingOut(ListingSummaryOut):
    """A listing that a search found."""

    match = SearchMatchOut(required=False)


class AlternativeOut(ListingSummaryOut):
    """A listing to look at instead of another."""

    approved = serializers.BooleanField(help_text="The owner of the listing named this alternative.")


class AlternativesOut(Shape):
    """What to look at instead."""

    items = AlternativeOut(many=True)


class ListingPricingOut(Shape):
    """What it costs, as its website says."""

    model = serializers.CharField(allow_null=True)
    summary = serializers.CharField(allow_null=True)


class ListingFounderOut(Shape):
    """A founder of a listing."""

    slug = serializers.CharField(allow_null=True)
    name = serializers.CharField()
    title = serializers.CharField(allow_null=True)
    bio = serializers.CharField(allow_null=True)
    socials = serializers.DictField(child=serializers.CharField())


class FaqOut(Shape):
    """A question and its answer."""

    question = serializers.CharField()
    answer = serializers.CharField()


class ListingLinksOut(Shape):
    """Where to go."""

    website = serializers.CharField()
    demo_video = serializers.CharField(allow_null=True)
    contact_email = serializers.CharField(allow_null=True)


class ListingUpdateOut(Shape):
    """An update of a listing."""

    id = serializers.IntegerField(min_value=1)
    title = serializers.CharField()
    body = serializers.CharField()
    posted_at = serializers.DateTimeField()


class CommunityRatingOut(Shape):
    """What genuine reviews say; null until there is one."""

    average = serializers.FloatField(allow_null=True)
    count = serializers.IntegerField(min_value=0)


class RatingPointOut(Shape):
    """One measurement of a Domain Rating."""

    date = serializers.DateField()
    value = serializers.IntegerField(min_value=0, max_value=100)


class DomainRatingOut(Shape):
    """The Domain Rating with its source and course."""

    value = serializers.IntegerField(allow_null=True)
    source = serializers.CharField()  # type: ignore[assignment]
    checked_at = serializers.DateTimeField()
    change_30d = serializers.IntegerField(allow_null=True)
    trend = RatingPointOut(many=True)


class ListingRankOut(Shape):
    """Places among live listings."""

    week = serializers.IntegerField(min_value=1, allow_null=True, help_text="In its launch week.")
    all_time = serializers.IntegerField(
        min_value=1, allow_null=True, help_text="By all votes; null past the first 1,000."
    )


class NotFoundFactOut(Shape):
    """A fact the website does not state."""

    field = serializers.CharField()
    reason = serializers.CharField(
        help_text=f"not_on_site, robots_blocked, fetch_failed, conflicting or removed_by_owner; {OPEN}."
    )


class ListingEvidenceOut(Shape):
    """A sentence of the website that a fact comes from."""

    quote = serializers.CharField()
    url = serializers.CharField()
    link = serializers.CharField(help_text="The page, opened at the quote.")
    page_title = serializers.CharField(allow_null=True)
    source = serializers.CharField(  # type: ignore[assignment]
        help_text=f"text, meta, json_ld, alt or robots; {OPEN}."
    )
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)
    page_sha256 = serializers.CharField()
    fetched_at = serializers.DateTimeField(allow_null=True)


class StoryOut(Shape):
    """The founders' story, section by section."""

    title = serializers.CharField(required=False, allow_null=True)
    story = serializers.CharField(required=False, allow_null=True)
    why_started = serializers.CharField(required=False, allow_null=True)
    problem = serializers.CharField(required=False, allow_null=True)
    journey = serializers.CharField(required=False, allow_null=True)
    challenges = serializers.CharField(required=False, allow_null=True)
    achievements = serializers.CharField(required=False, allow_null=True)
    lessons = serializers.CharField(required=False, allow_null=True)
    whats_next = serializers.CharField(required=False, allow_null=True)


class MilestoneOut(Shape):
    """A milestone."""

    id = serializers.IntegerField(min_value=1)
    date = serializers.DateField()
    title = serializers.CharField()
    description = serializers.CharField(allow_null=True)
    url = serializers.CharField(allow_null=True)
    visible = serializers.BooleanField(help_text="Everybody may see it.")


class VerificationOut(Shape):
    """Whether somebody proved that the listing is theirs. Verified is not the same as paid."""

    claimed = serializers.BooleanField()
    method = serializers.CharField(allow_null=True, help_text=f"dns, meta, file or email; {OPEN}.")
    checked_at = serializers.DateTimeField(allow_null=True)


class ListingOut(ListingSummaryOut):
    """A listing in full. Paid sections that are locked are absent."""

    description = serializers.CharField(allow_null=True, help_text="Markdown.")
    features = serializers.ListField(child=serializers.CharField())
    usps = serializers.ListField(child=serializers.CharField())
    keywords = serializers.ListField(child=serializers.CharField())
    tags = serializers.ListField(child=serializers.CharField())
    pricing = ListingPricingOut()
    founders = ListingFounderOut(many=True)
    faqs = FaqOut(many=True)
    socials = serializers.DictField(child=serializers.CharField())
    links = ListingLinksOut()
    city = serializers.CharField(allow_null=True)
    founded_year = serializers.IntegerField(allow_null=True)
    latest_updates = ListingUpdateOut(many=True)
    community_rating = CommunityRatingOut()
    domain_rating_detail = DomainRatingOut(allow_null=True)
    rank = ListingRankOut()
    alternatives_count = serializers.IntegerField(min_value=0)
    not_found_on_website = NotFoundFactOut(many=True)
    evidence = serializers.DictField(child=ListingEvidenceOut(many=True), help_text="Quotes by field.")
    unlocked_sections = serializers.ListField(child=serializers.CharField())
    story = StoryOut(required=False, allow_null=True)
    milestones = MilestoneOut(many=True, required=False)
    media = serializers.ListField(child=serializers.DictField(), required=False)
    verified = VerificationOut()
    last_crawled_at = serializers.DateTimeField(allow_null=True)
