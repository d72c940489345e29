from typing import Any

from core.api.serializers import AnyValue, Bool, Date, Int, ListOf, Moment, OpenWord, Shape, Str, Url, Uuid
from directory.listings.shapes.public import ListingOut, ListingSummaryOut, ListingUpdateOut


class RequiredBadgeOut(Shape):
    """The site's badge: what to put on the homepage, and whether it was seen there."""

    required = Bool("The launch waits for it. Paid launches need none.")  # type: ignore[assignment]
    found = Bool("It was there at the last look.")
    html = Str("What to put on the homepage.")
    link_url = Url("Where the badge leads.")
    last_checked_at = Moment("When we last looked.", null=True)
    last_result = Str("What we saw.", null=True)
    homepage = Url("Where we look.")
    next_check_at = Moment("When we look again.", null=True)


class LaunchQueueOut(Shape):
    """A place in a launch week."""

    position = Int("The place among those of the week, as booked.", min_value=1)
    week = Date("The Monday of the week.")
    badge = RequiredBadgeOut()


class ListingVersionOut(Shape):
    """One edit in the history."""

    id = Int("The version's id.")
    changed = ListOf(Str(), "Which fields changed.")
    by = Str("Who changed them.")
    at = Moment("When.")
    review = OpenWord("What the site team decided.", values=("pending", "accepted", "reverted"))


class ListingSiteOut(Shape):
    """A site of the installation."""

    key = Str("The site's key, for apply_to.")
    name = Str("The site's name.")
    linked = Bool("The same company has a listing of yours there.")


class NextActionOut(Shape):
    """What to do next: the operation is also the MCP tool."""

    operation = Str("The operationId, which is the tool's name too.")
    method = Str("The HTTP method.")
    path = Str("The path, its parts filled in.")
    why = Str("What it is good for.")


class FieldChangeOut(Shape):
    """One field before and after."""

    field = Str("Which field.")
    before = AnyValue(help_text="What it was.")
    after = AnyValue(help_text="What it is now.")


class OwnerViewOut(Shape):
    """What only the owner sees."""

    listing_id = Int("The listing's id in your own operations.", min_value=1)
    status = OpenWord(
        "Where it stands.",
        values=("draft", "awaiting_badge", "scheduled", "live", "rejected", "suspended", "archived"),
    )
    status_reason = Str("Why, if somebody said so.", null=True)
    queue = LaunchQueueOut(
        allow_null=True, help_text="Its place in a launch week; null when it waits for none."
    )
    unlocked_sections = ListOf(Str(), "Paid sections that were unlocked for this listing.")
    orders = ListOf(Str(), "Numbers of its orders.")
    draft_id = Uuid("The draft it was made from.", null=True)
    versions = ListingVersionOut.list_of("The last edits, newest first.")
    sites = ListingSiteOut.list_of("The sites of the installation.")
    next_actions = NextActionOut.list_of("What you can do now, the most useful first.")


class HourVotesOut(Shape):
    """The votes of an hour."""

    at = Moment("When the hour began.")
    votes = Int("Votes that were cast in it and count.", min_value=1)


class DayVisitsOut(Shape):
    """The visits of a day, UTC: each person once a day."""

    date = Date("The day.")
    visits = Int("People who opened the page.", min_value=0)
    clicks = Int("People who went on to the website.", min_value=0)


class VisitSourceOut(Shape):
    """A website that sent visits."""

    host = Str("Its host; Direct where none was named, Others for those with fewer than ten visits.")
    visits = Int("The visits of the week.", min_value=1)


class LaunchFiguresOut(Shape):
    """What came of a launch, as far as it is."""

    week = Date("The Monday of its week.")
    rank = Int("The place by votes; null before the first vote.", null=True, min_value=1)
    of = Int("How many launches the week has.", min_value=0)  # type: ignore[assignment]
    votes = Int("Votes of that week.", min_value=0)
    gap_up = Int("Votes to the place above; null for the first.", null=True, min_value=0)
    gap_down = Int("Votes ahead of the place below; null for the last.", null=True, min_value=0)
    votes_by_hour = HourVotesOut.list_of("Hours with votes, earliest first.")
    visits_by_day = DayVisitsOut.list_of(
        "Days of its week with visits; of the running week before it begins."
    )
    sources = VisitSourceOut.list_of("Where the visits of that week came from, most first.")


class OwnListingOut(OwnerViewOut, ListingOut):
    """The public profile and the owner's view, paid sections included whether they are unlocked or not."""

    headline = Str("The headline above the description.", null=True)
    summary = Str("What the page says under the headline.", null=True)
    seo_title = Str("The title in search results.", null=True)
    seo_description = Str("The text below it.", null=True)
    launch = LaunchFiguresOut(
        allow_null=True, help_text="The launch that runs, comes or ended last; null when there is none."
    )

    @classmethod
    def render(cls, value: Any) -> Any:
        return value


class EditedListingOut(Shape):
    """A listing after an edit, and what the edit changed."""

    listing = OwnListingOut()
    changes = FieldChangeOut.list_of("What changed, before and after; empty if nothing did.")
    version_id = Int("The version that keeps both sides; null if nothing changed.", null=True)
    applied_to = ListOf(Str(), "Keys of the other sites whose listings were written, too.")


class PostedUpdateOut(ListingUpdateOut):
    """A piece of news, as it was posted."""

    followers_notified = Int("How many people followed the listing and are told of it.", min_value=0)
    page_url = Url("Where it stands on this site.")


class DeletedMilestoneOut(Shape):
    """A milestone that is gone."""

    deleted = Bool("true")
    id = Int("The milestone's id.", min_value=1)


class InterviewAnswerOut(Shape):
    """Your answer to a question."""

    question_id = Int("The question's id.", min_value=1)
    answer = Str("Your words.")
    updated_at = Moment("When you last changed it.")


class InterviewAnswersOut(Shape):
    """All your answers."""

    items = InterviewAnswerOut.list_of("In the order of the questions.")


class OwnListingItemOut(OwnerViewOut, ListingSummaryOut):
    """A summary and the owner's view."""

    @classmethod
    def render(cls, value: Any) -> Any:
        return value
