from rest_framework import serializers

from core.api.serializers import Bool, Date, DictOf, Float, Int, ListOf, Moment, OpenWord, Shape, Str, Url
from directory.listings import proofs

LISTING_SLUG = "The listing's slug, which names it in other operations."


class ListingCategoryOut(Shape):
    """A category of a listing."""

    slug = Str("The category's slug.")
    name = Str("The category's name.")
    primary = Bool("Every listing has one primary category.")


class ListingAwardOut(Shape):
    """An award in short."""

    code = OpenWord(
        "What was won.", values=("launch_of_the_week_1", "launch_of_the_week_2", "launch_of_the_week_3")
    )
    week = Date("The Monday of the week in which it was won.")


class ListingSummaryOut(Shape):
    """A listing in a list."""

    slug = Str(LISTING_SLUG)
    name = Str("The product's name.")
    tagline = Str("What it is, in a line.", null=True)
    short_description = Str("What it is, in a few sentences.", null=True)
    url = Url("The product's own website.")
    logo_url = Url("The logo's image: our own copy, once it was fetched.", null=True)
    categories = ListingCategoryOut.list_of("The primary category first.")
    pricing_model = Str("For example free, freemium, paid.", null=True)
    country = Str("ISO 3166-1 alpha-2.", null=True)
    stage = Str("For example idea, mvp, launched, growing.", null=True)
    votes = Int("Votes of people on the site, ever.", min_value=0)
    followers = Int("People who follow it.", min_value=0)
    views = Int("Views of its page.", min_value=0)
    domain_rating = Int("0 to 100; null if unknown.", null=True)
    status = OpenWord("Where it stands.", values=("live", "upcoming"))
    launch_week = Date("The Monday of its launch week.", null=True)
    launched_at = Moment("When it went live.", null=True)
    plan = OpenWord("How it was launched.", values=("free", "paid"))
    featured = Bool("This place is paid for.")
    claimed = Bool("Somebody showed that the listing is theirs.")
    awards = ListingAwardOut.list_of("What it has won, newest first.")
    page_url = Url("Its page on this site.")
    api_url = Url("Its full profile in this API.")
    updated_at = Moment("When it last changed.")


class RankedListingOut(ListingSummaryOut):
    """A listing in its place on a board."""

    rank = Int("Its place.", min_value=1)


class SearchMatchOut(Shape):
    """Why a search found a listing."""

    fields = ListOf(Str(), "Where the words stand: name, tagline, description, keywords.")  # type: ignore[assignment]
    corrected_query = Str("What was looked for instead, if the words were misspelt.", null=True)


class SearchListingOut(ListingSummaryOut):
    """A listing that a search found."""

    match = SearchMatchOut(required=False, help_text="Why it was found; there when q was given.")


class AlternativeOut(ListingSummaryOut):
    """A listing to look at instead of another."""

    approved = Bool("The owner of the listing named this alternative.")


class AlternativesOut(Shape):
    """What to look at instead."""

    items = AlternativeOut.list_of("Approved ones first, then the most voted of its category.")


class PriceInformationOut(Shape):
    """What it costs, as its website says."""

    model = Str("For example free, freemium, paid.", null=True)
    summary = Str("The prices in words.", null=True)


class ListingFounderOut(Shape):
    """A founder of a listing."""

    slug = Str("For get_founder; null without a profile.", null=True)
    name = Str("The person's name.")
    title = Str("Their role.", null=True)
    bio = Str("About them.", null=True)
    socials = DictOf(Url(), "Links by platform.")


class FaqOut(Shape):
    """A question and its answer."""

    question = Str("The question.")
    answer = Str("The answer.")


class ListingLinksOut(Shape):
    """Where to go."""

    website = Url("The product's own website.")
    demo_video = Url("A video that shows it.", null=True)
    contact_email = serializers.EmailField(help_text="The company's public address.", allow_null=True)


class ListingUpdateOut(Shape):
    """A piece of news of a listing."""

    id = Int("The update's id.", min_value=1)
    title = Str("The headline.")
    body = Str("Plain text.")
    posted_at = Moment("When it was posted.")


class CommunityRatingOut(Shape):
    """What genuine reviews say; the average is null below three of them."""

    average = Float("From 1 to 5.", null=True)
    count = Int("How many reviews count.", min_value=0)


class RatingPointOut(Shape):
    """One measurement of a Domain Rating."""

    date = Date("The day.")
    value = Int("The rating on that day.", min_value=0, max_value=100)


class DomainRatingOut(Shape):
    """The Domain Rating with its source and course."""

    value = Int("0 to 100.", null=True)
    source = Str("Who measured it.")  # type: ignore[assignment]
    checked_at = Moment("When it was measured.")
    change_30d = Int("The difference to thirty days ago.", null=True)
    trend = RatingPointOut.list_of("Earlier measurements, oldest first.")


class ListingRankOut(Shape):
    """Places among live listings."""

    week = Int("In its launch week.", null=True, min_value=1)
    all_time = Int("By all votes; null past the first 1,000.", null=True, min_value=1)


class NotFoundFactOut(Shape):
    """A fact the website does not state."""

    field = Str("Which fact, by its property's name.")
    reason = OpenWord(
        "Why it is blank.",
        values=(
            "not_on_site",
            "robots_blocked",
            "fetch_failed",
            "conflicting",
            "unconfirmed",
            "removed_by_owner",
        ),
    )


class WebsiteQuoteOut(Shape):
    """A sentence of the website that a fact comes from."""

    quote = Str("The words as they stand on the page.")
    url = Url("The page.")
    link = Url("The page, opened at the quote.")
    page_title = Str("The page's title.", null=True)
    source = OpenWord(  # type: ignore[assignment]
        "Where on the page the words stand.", values=("text", "meta", "json_ld", "alt", "robots")
    )
    start = Int("Where the quote begins in the page's text.", null=True)
    end = Int("Where it ends.", null=True)
    page_sha256 = Str("The hash of the page's text as it was read.")
    fetched_at = Moment("When the page was read.", null=True)


class StoryOut(Shape):
    """The founders' story, section by section; sections that were not written are absent."""

    title = Str("The headline.", required=False)
    story = Str("The story in one piece.", required=False)
    why_started = Str("Why they began.", required=False)
    problem = Str("The problem they solve.", required=False)
    journey = Str("How it went.", required=False)
    challenges = Str("What was hard.", required=False)
    achievements = Str("What they are proud of.", required=False)
    lessons = Str("What they learned.", required=False)
    whats_next = Str("What comes next.", required=False)


class MilestoneOut(Shape):
    """A dated step of a company."""

    id = Int("The milestone's id.", min_value=1)
    date = Date("The day.")
    title = Str("What happened.")
    description = Str("More about it.", null=True)
    url = Url("Where to read on.", null=True)
    visible = Bool("Everybody may see it.")


class VerificationOut(Shape):
    """Whether somebody proved that the listing is theirs. Verified is not the same as paid."""

    claimed = Bool("Somebody showed that it is theirs.")
    method = OpenWord("How it was shown.", values=proofs.codes, allow_null=True)
    checked_at = Moment("When that was last seen to hold.", null=True)


class ListingOut(ListingSummaryOut):
    """A listing in full. Paid sections that are locked are absent."""

    description = Str("Markdown.", null=True)
    features = ListOf(Str(), "What it can do.")
    usps = ListOf(Str(), "What sets it apart.")
    keywords = ListOf(Str(), "Words it is found by.")
    tags = ListOf(Str(), "Loose labels.")
    pricing = PriceInformationOut()
    founders = ListingFounderOut.list_of("Who founded it, the primary founder first.")
    faqs = FaqOut.list_of("Questions and answers.")
    socials = DictOf(Url(), "The company's links by platform.")
    links = ListingLinksOut()
    city = Str("Where the company sits.", null=True)
    founded_year = Int("When it was founded.", null=True)
    latest_updates = ListingUpdateOut.list_of("News, newest first.")
    community_rating = CommunityRatingOut()
    domain_rating_detail = DomainRatingOut(allow_null=True)
    rank = ListingRankOut()
    alternatives_count = Int("How many listings get_alternatives names.", min_value=0)
    not_found_on_website = NotFoundFactOut.list_of(
        "What the company's own site does not state, left blank on purpose."
    )
    evidence = DictOf(WebsiteQuoteOut(many=True), "Quotes from the website, by the field they carry.")
    unlocked_sections = ListOf(Str(), "Paid sections that were unlocked for this listing.")
    story = StoryOut(
        required=False, allow_null=True, help_text="The founders' story; null while nothing is written."
    )
    milestones = MilestoneOut.list_of("Newest first.", required=False)
    media = ListOf(serializers.DictField(), "Images and videos, in order.", required=False)
    verified = VerificationOut()
    last_crawled_at = Moment("When its website was last read; null if never.", null=True)
