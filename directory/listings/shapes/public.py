"""Answers about listings that everybody may ask for."""

from rest_framework import serializers

from core.api.serializers import OpenWord, Shape
from directory.listings import proofs

LISTING_SLUG = "The listing's slug, which names it in other operations."


class ListingCategoryOut(Shape):
    """A category of a listing."""

    slug = serializers.CharField(help_text="The category's slug.")
    name = serializers.CharField(help_text="The category's name.")
    primary = serializers.BooleanField(help_text="Every listing has one primary category.")


class ListingAwardOut(Shape):
    """An award in short."""

    code = OpenWord(
        values=("launch_of_the_week_1", "launch_of_the_week_2", "launch_of_the_week_3"),
        help_text="What was won.",
    )
    week = serializers.DateField(help_text="The Monday of the week in which it was won.")


class ListingSummaryOut(Shape):
    """A listing in a list."""

    slug = serializers.CharField(help_text=LISTING_SLUG)
    name = serializers.CharField(help_text="The product's name.")
    tagline = serializers.CharField(allow_null=True, help_text="What it is, in a line.")
    short_description = serializers.CharField(allow_null=True, help_text="What it is, in a few sentences.")
    url = serializers.URLField(help_text="The product's own website.")
    logo_url = serializers.URLField(
        allow_null=True, help_text="The logo's image: our own copy, once it was fetched."
    )
    categories = ListingCategoryOut(many=True, help_text="The primary category first.")
    pricing_model = serializers.CharField(allow_null=True, help_text="For example free, freemium, paid.")
    country = serializers.CharField(allow_null=True, help_text="ISO 3166-1 alpha-2.")
    stage = serializers.CharField(allow_null=True, help_text="For example idea, mvp, launched, growing.")
    votes = serializers.IntegerField(min_value=0, help_text="Votes of people on the site, ever.")
    followers = serializers.IntegerField(min_value=0, help_text="People who follow it.")
    views = serializers.IntegerField(min_value=0, help_text="Views of its page.")
    domain_rating = serializers.IntegerField(allow_null=True, help_text="0 to 100; null if unknown.")
    status = OpenWord(values=("live", "upcoming"), help_text="Where it stands.")
    launch_week = serializers.DateField(allow_null=True, help_text="The Monday of its launch week.")
    launched_at = serializers.DateTimeField(allow_null=True, help_text="When it went live.")
    plan = OpenWord(values=("free", "paid"), help_text="How it was launched.")
    featured = serializers.BooleanField(help_text="This place is paid for.")
    claimed = serializers.BooleanField(help_text="Somebody showed that the listing is theirs.")
    awards = ListingAwardOut(many=True, help_text="What it has won, newest first.")
    page_url = serializers.URLField(help_text="Its page on this site.")
    api_url = serializers.URLField(help_text="Its full profile in this API.")
    updated_at = serializers.DateTimeField(help_text="When it last changed.")


class RankedListingOut(ListingSummaryOut):
    """A listing in its place on a board."""

    rank = serializers.IntegerField(min_value=1, help_text="Its place.")


class SearchMatchOut(Shape):
    """Why a search found a listing."""

    fields = serializers.ListField(  # type: ignore[assignment]
        child=serializers.CharField(),
        help_text="Where the words stand: name, tagline, description, keywords.",
    )
    corrected_query = serializers.CharField(
        allow_null=True, help_text="What was looked for instead, if the words were misspelt."
    )


class SearchListingOut(ListingSummaryOut):
    """A listing that a search found."""

    match = SearchMatchOut(required=False, help_text="Why it was found; there when q was given.")


class AlternativeOut(ListingSummaryOut):
    """A listing to look at instead of another."""

    approved = serializers.BooleanField(help_text="The owner of the listing named this alternative.")


class AlternativesOut(Shape):
    """What to look at instead."""

    items = AlternativeOut(many=True, help_text="Approved ones first, then the most voted of its category.")


class PriceInformationOut(Shape):
    """What it costs, as its website says."""

    model = serializers.CharField(allow_null=True, help_text="For example free, freemium, paid.")
    summary = serializers.CharField(allow_null=True, help_text="The prices in words.")


class ListingFounderOut(Shape):
    """A founder of a listing."""

    slug = serializers.CharField(allow_null=True, help_text="For get_founder; null without a profile.")
    name = serializers.CharField(help_text="The person's name.")
    title = serializers.CharField(allow_null=True, help_text="Their role.")
    bio = serializers.CharField(allow_null=True, help_text="About them.")
    socials = serializers.DictField(child=serializers.URLField(), help_text="Links by platform.")


class FaqOut(Shape):
    """A question and its answer."""

    question = serializers.CharField(help_text="The question.")
    answer = serializers.CharField(help_text="The answer.")


class ListingLinksOut(Shape):
    """Where to go."""

    website = serializers.URLField(help_text="The product's own website.")
    demo_video = serializers.URLField(allow_null=True, help_text="A video that shows it.")
    contact_email = serializers.EmailField(allow_null=True, help_text="The company's public address.")


class ListingUpdateOut(Shape):
    """A piece of news of a listing."""

    id = serializers.IntegerField(min_value=1, help_text="The update's id.")
    title = serializers.CharField(help_text="The headline.")
    body = serializers.CharField(help_text="Plain text.")
    posted_at = serializers.DateTimeField(help_text="When it was posted.")


class CommunityRatingOut(Shape):
    """What genuine reviews say; the average is null below three of them."""

    average = serializers.FloatField(allow_null=True, help_text="From 1 to 5.")
    count = serializers.IntegerField(min_value=0, help_text="How many reviews count.")


class RatingPointOut(Shape):
    """One measurement of a Domain Rating."""

    date = serializers.DateField(help_text="The day.")
    value = serializers.IntegerField(min_value=0, max_value=100, help_text="The rating on that day.")


class DomainRatingOut(Shape):
    """The Domain Rating with its source and course."""

    value = serializers.IntegerField(allow_null=True, help_text="0 to 100.")
    source = serializers.CharField(help_text="Who measured it.")  # type: ignore[assignment]
    checked_at = serializers.DateTimeField(help_text="When it was measured.")
    change_30d = serializers.IntegerField(allow_null=True, help_text="The difference to thirty days ago.")
    trend = RatingPointOut(many=True, help_text="Earlier measurements, oldest first.")


class ListingRankOut(Shape):
    """Places among live listings."""

    week = serializers.IntegerField(min_value=1, allow_null=True, help_text="In its launch week.")
    all_time = serializers.IntegerField(
        min_value=1, allow_null=True, help_text="By all votes; null past the first 1,000."
    )


class NotFoundFactOut(Shape):
    """A fact the website does not state."""

    field = serializers.CharField(help_text="Which fact, by its property's name.")
    reason = OpenWord(
        values=(
            "not_on_site",
            "robots_blocked",
            "fetch_failed",
            "conflicting",
            "unconfirmed",
            "removed_by_owner",
        ),
        help_text="Why it is blank.",
    )


class WebsiteQuoteOut(Shape):
    """A sentence of the website that a fact comes from."""

    quote = serializers.CharField(help_text="The words as they stand on the page.")
    url = serializers.URLField(help_text="The page.")
    link = serializers.URLField(help_text="The page, opened at the quote.")
    page_title = serializers.CharField(allow_null=True, help_text="The page's title.")
    source = OpenWord(  # type: ignore[assignment]
        values=("text", "meta", "json_ld", "alt", "robots"), help_text="Where on the page the words stand."
    )
    start = serializers.IntegerField(allow_null=True, help_text="Where the quote begins in the page's text.")
    end = serializers.IntegerField(allow_null=True, help_text="Where it ends.")
    page_sha256 = serializers.CharField(help_text="The hash of the page's text as it was read.")
    fetched_at = serializers.DateTimeField(allow_null=True, help_text="When the page was read.")


class StoryOut(Shape):
    """The founders' story, section by section; sections that were not written are absent."""

    title = serializers.CharField(required=False, help_text="The headline.")
    story = serializers.CharField(required=False, help_text="The story in one piece.")
    why_started = serializers.CharField(required=False, help_text="Why they began.")
    problem = serializers.CharField(required=False, help_text="The problem they solve.")
    journey = serializers.CharField(required=False, help_text="How it went.")
    challenges = serializers.CharField(required=False, help_text="What was hard.")
    achievements = serializers.CharField(required=False, help_text="What they are proud of.")
    lessons = serializers.CharField(required=False, help_text="What they learned.")
    whats_next = serializers.CharField(required=False, help_text="What comes next.")


class MilestoneOut(Shape):
    """A dated step of a company."""

    id = serializers.IntegerField(min_value=1, help_text="The milestone's id.")
    date = serializers.DateField(help_text="The day.")
    title = serializers.CharField(help_text="What happened.")
    description = serializers.CharField(allow_null=True, help_text="More about it.")
    url = serializers.URLField(allow_null=True, help_text="Where to read on.")
    visible = serializers.BooleanField(help_text="Everybody may see it.")


class VerificationOut(Shape):
    """Whether somebody proved that the listing is theirs. Verified is not the same as paid."""

    claimed = serializers.BooleanField(help_text="Somebody showed that it is theirs.")
    method = OpenWord(allow_null=True, values=proofs.codes, help_text="How it was shown.")
    checked_at = serializers.DateTimeField(allow_null=True, help_text="When that was last seen to hold.")


class ListingOut(ListingSummaryOut):
    """A listing in full. Paid sections that are locked are absent."""

    description = serializers.CharField(allow_null=True, help_text="Markdown.")
    features = serializers.ListField(child=serializers.CharField(), help_text="What it can do.")
    usps = serializers.ListField(child=serializers.CharField(), help_text="What sets it apart.")
    keywords = serializers.ListField(child=serializers.CharField(), help_text="Words it is found by.")
    tags = serializers.ListField(child=serializers.CharField(), help_text="Loose labels.")
    pricing = PriceInformationOut()
    founders = ListingFounderOut(many=True, help_text="Who founded it, the primary founder first.")
    faqs = FaqOut(many=True, help_text="Questions and answers.")
    socials = serializers.DictField(
        child=serializers.URLField(), help_text="The company's links by platform."
    )
    links = ListingLinksOut()
    city = serializers.CharField(allow_null=True, help_text="Where the company sits.")
    founded_year = serializers.IntegerField(allow_null=True, help_text="When it was founded.")
    latest_updates = ListingUpdateOut(many=True, help_text="News, newest first.")
    community_rating = CommunityRatingOut()
    domain_rating_detail = DomainRatingOut(allow_null=True)
    rank = ListingRankOut()
    alternatives_count = serializers.IntegerField(
        min_value=0, help_text="How many listings get_alternatives names."
    )
    not_found_on_website = NotFoundFactOut(
        many=True, help_text="What the company's own site does not state, left blank on purpose."
    )
    evidence = serializers.DictField(
        child=WebsiteQuoteOut(many=True), help_text="Quotes from the website, by the field they carry."
    )
    unlocked_sections = serializers.ListField(
        child=serializers.CharField(), help_text="Paid sections that were unlocked for this listing."
    )
    story = StoryOut(
        required=False, allow_null=True, help_text="The founders' story; null while nothing is written."
    )
    milestones = MilestoneOut(many=True, required=False, help_text="Newest first.")
    media = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="Images and videos, in order."
    )
    verified = VerificationOut()
    last_crawled_at = serializers.DateTimeField(
        allow_null=True, help_text="When its website was last read; null if never."
    )
