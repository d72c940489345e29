"""What happened to the demo listings, what the boards rank of them, and the texts of the site itself."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

from django.conf import settings

from config.demo.content import posts, read
from config.demo.listings import Placed
from directory import weeks
from directory.engagement.tally import refresh_trends
from directory.launches.race import write_week
from directory.models import (
    Alternative,
    BlogPost,
    Founder,
    InterviewAnswer,
    InterviewQuestion,
    Listing,
    ListingUpdate,
    Milestone,
    Site,
)
from leaderboards.ballots import BEGINNING
from leaderboards.boards import refresh_boards
from leaderboards.boards.billboard import record_contribution
from leaderboards.closing import close_due_weeks, verify_week
from leaderboards.limits import SETTLES_IN
from leaderboards.models import BallotFile, Programme, ProgrammeEntry, RevenueReport, WeekClose
from leaderboards.ratings import Rating, store_ratings
from leaderboards.trophies.programmes import close_due_programmes

MONTH = timedelta(days=30)
POSTS_LISTINGS = 4
DRAWN_WEEKS = 8


def add_history(placed: Sequence[Placed], *, at: datetime) -> None:
    ListingUpdate.objects.bulk_create(
        ListingUpdate(
            listing=entry.listing,
            title=update["title"],
            body=update["body"],
            posted_at=max(at - timedelta(days=update["days_ago"]), entry.listing.launched_at or at),
        )
        for entry in placed
        for update in entry.row["updates"]
    )
    Milestone.objects.bulk_create(
        Milestone(
            listing=entry.listing,
            date=(at - timedelta(days=step["days_ago"])).date(),
            title=step["title"],
            description=step["description"],
        )
        for entry in placed
        for step in entry.row["milestones"]
    )
    ids = {(entry.listing.site_id, entry.listing.slug): entry.listing.pk for entry in placed}
    Alternative.objects.bulk_create(
        Alternative(listing=entry.listing, alternative_id=other, approved=True, at=entry.listing.updated_at)
        for entry in placed
        for slug in entry.row["alternatives"]
        if (other := ids.get((entry.listing.site_id, slug)))
    )


def add_boards(placed: Sequence[Placed], *, at: datetime) -> None:
    """Fill the boards, close the weeks that are over, give the awards."""
    store_ratings(ratings=_ratings(placed, today=at.date()), at=at)
    RevenueReport.objects.bulk_create(
        RevenueReport(
            listing=entry.listing,
            amount_cents=month["amount_cents"],
            currency=settings.CURRENCY,
            is_verified=month["is_verified"],
            method=month["method"],
            as_of=(at - month["months_ago"] * MONTH).date(),
            entered_at=at,
        )
        for entry in placed
        for month in entry.row["revenue"]
    )
    for entry in placed:
        if entry.row["contributed_cents"]:
            record_contribution(
                listing_id=entry.listing.pk,
                reference=f"demo-{entry.listing.site_id}-{entry.listing.slug}",
                amount_cents=entry.row["contributed_cents"],
                currency=settings.CURRENCY,
                is_test=True,
                at=entry.listing.updated_at,
            )
    close_due_weeks(at=at)
    closes = list(WeekClose.objects.filter(closed_at=at))
    for close in closes:  # closing a week at its own end would mail each owner its result
        close.closed_at = min(at, weeks.end(close.week) + SETTLES_IN)
    WeekClose.objects.bulk_update(closes, ["closed_at"])
    _close_without_ballots()
    for site in Site.objects.order_by("pk"):
        for number in range(DRAWN_WEEKS):
            write_week(site=site, week=weeks.week_of(at) - number * weeks.WEEK, until=at)
    popular = sorted(placed, key=lambda entry: -entry.count("votes"))
    add_programmes([entry.listing for entry in popular], at=at)
    refresh_trends(at=at)
    refresh_boards(at=at)


def _close_without_ballots() -> None:
    """Votes of the weeks long ago are numbers without voters, from which no ballots can be written."""
    BallotFile.objects.bulk_create(
        BallotFile(close=close, seed=b"", previous=BEGINNING)
        for close in WeekClose.objects.filter(ballots=None).select_related("site")
        if not verify_week(site=close.site, week=close.week)
    )


def add_programmes(listings: Sequence[Listing], *, at: datetime) -> None:
    """One in each state, with entries where entering has begun: the first of these listings. What is there stays."""
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    for row in read("programmes.json"):
        live = [item for item in listings if item.site.is_default and item.is_live]
        if not live or Programme.objects.filter(site=live[0].site, slug=row["slug"]).exists():
            continue
        windows = zip(("entry_from", "entry_until", "votes_from", "votes_until"), row["days"], strict=True)
        programme = Programme.objects.create(
            site=live[0].site,
            slug=row["slug"],
            title=row["title"],
            description=row["description"],
            **{name: midnight + timedelta(days=days) for name, days in windows},
        )
        entered_at = programme.entry_from + timedelta(hours=1)
        if entered_at < at:
            chosen = [item for item in live if item.launched_at and item.launched_at < entered_at]
            chosen = chosen[row["from"] :: 7][:12]
            ProgrammeEntry.objects.bulk_create(
                ProgrammeEntry(programme=programme, listing=item, entered_at=entered_at) for item in chosen
            )
    close_due_programmes(at=at)


def _ratings(placed: Sequence[Placed], *, today: date) -> Iterator[Rating]:
    rated = {entry.listing.domain: entry.row["rating"] for entry in placed if entry.row["rating"]}
    for domain, rating in rated.items():
        for months_ago, value in rating["series"]:
            date_of = today - months_ago * MONTH
            yield Rating(domain=domain, value=value, source=rating["source"], date=date_of)


def add_texts(*, site: Site, at: datetime) -> None:
    """The blog and the questions for founders; those that are there stay as they are."""
    existing = set(BlogPost.objects.filter(site=site).values_list("slug", flat=True))
    for post in posts():
        if post["slug"] not in existing:
            published = at - timedelta(days=post.pop("days_ago"))
            row = BlogPost.objects.create(site=site, **post, published_at=published, updated_at=published)
            row.listings.set(_mentioned(row.markdown, site=site))
    present = set(InterviewQuestion.objects.values_list("question", flat=True))
    InterviewQuestion.objects.bulk_create(
        InterviewQuestion(**question, order=order)
        for order, question in enumerate(read("questions.json"))
        if question["question"] not in present
    )
    _add_interviews(at=at)


def _add_interviews(*, at: datetime) -> None:
    """What some makers answered, by the place of its question."""
    written, texts = read("interviews.json"), [row["question"] for row in read("questions.json")]
    questions = dict(InterviewQuestion.objects.filter(question__in=texts).values_list("question", "pk"))
    makers = Founder.objects.filter(slug__in=written).exclude(user=None).values_list("slug", "user_id")
    InterviewAnswer.objects.bulk_create(
        (
            InterviewAnswer(
                user_id=user_id, question_id=questions[texts[int(number)]], answer=answer, updated_at=at
            )
            for slug, user_id in makers
            for number, answer in written[slug].items()
        ),
        ignore_conflicts=True,
    )


def _mentioned(text: str, *, site: Site) -> list[Listing]:
    live = Listing.objects.live().filter(site=site).only("pk", "name").order_by("pk")
    return [listing for listing in live if listing.name in text][:POSTS_LISTINGS]
