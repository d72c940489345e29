"""A small directory with something of every kind, for what every page has to keep."""

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import User
from core import jobs
from directory import weeks
from directory.models import (
    Alternative,
    BlogPost,
    FormerSlug,
    Founder,
    InterviewAnswer,
    InterviewQuestion,
    Listing,
    ListingFounder,
    ListingUpdate,
    Milestone,
    Site,
)
from directory.search import public_data
from directory.sites.catalogue import ensure_default_site
from directory.weeks import WEEK
from leaderboards.models import Award, Programme, ProgrammeEntry, Standing
from leaderboards.trophies import awarding, credentials
from tests.factories.listings import make_category, make_listing
from tests.pages.makers import fill_account

QUOTE = {
    "quote": "Forecasts for half a year.",
    "url": "https://tidewell.example/product",
    "link": "https://tidewell.example/product#:~:text=Forecasts",
    "source": "text",
    "fetched_at": "2026-11-18T09:00:00Z",
}
POST = "Some **bold** text.\n\n## More\n\n- a\n- b\n\n> quoted\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"
STORY = {"title": "Late payers", "story": "It began with a shoe box.\n\nThen a spreadsheet."}


def fill(*, owner: User) -> dict[str, str]:
    """Fill an empty directory, and give the names that the table of pages speaks of. Brindle's website must answer."""
    site, now = ensure_default_site(), timezone.now()
    this = weeks.week_of(now)
    make_category("shift-planning", name="Shift planning", terms=["shift planning", "rotas"])
    make_category(
        "invoicing", description="Bills.", faqs=[{"question": "Which one?", "answer": "It depends."}]
    )
    listing = _tidewell(owner=owner, at=now)
    for number in range(9):
        make_listing(f"product-{number}", at=now - timedelta(minutes=number), votes=9 - number, country="DK")
    make_listing("free", at=now - WEEK, pricing_model="free")
    make_listing("coming", status="scheduled", at=now + WEEK)
    make_listing("gone", status="archived", at=now - 3 * WEEK, launched_at=now - 3 * WEEK)
    past = make_listing("past", at=now - WEEK, votes=3)
    ended = make_listing("ended", owner=owner, at=now - 3 * WEEK, votes=4)
    Award.objects.create(
        site=site, listing=ended, week=this - 3 * WEEK, rank=2, votes=4, given_at=now - 2 * WEEK
    )
    awarding.show_awards(listing_ids=[ended.pk])
    FormerSlug.objects.create(site=site, slug="tidal", listing=listing)
    Alternative.objects.create(
        listing=listing, alternative=Listing.objects.get(slug="product-4"), approved=True, at=now
    )
    award = Award.objects.create(site=site, listing=past, week=this - WEEK, rank=1, votes=3, given_at=now)
    before = make_listing("before", at=now - 2 * WEEK, votes=2)
    Award.objects.create(
        site=site, listing=before, week=this - 2 * WEEK, rank=2, votes=2, given_at=now - WEEK
    )
    credentials.issue_missing()
    enter_a_programme(listing, past, at=now)
    for rank, row in enumerate((listing, past), start=1):
        stand(site, row, rank=rank, at=now)
    write(site, "hello", at=now)
    names = fill_account(owner=owner, site=site, live=listing, at=now)
    jobs.run_due()
    return names | {
        "award": str(award.pk),
        "year": str(this.year),
        "ended": str(ended.pk),
        "this_week": this.isoformat(),
        "last_week": (this - WEEK).isoformat(),
        "next_week": (this + WEEK).isoformat(),
    }


def enter_a_programme(*listings: Listing, at: datetime) -> Programme:
    """One whose voting runs."""
    programme = Programme.objects.create(
        site=listings[0].site,
        slug="best-of-autumn",
        title="Best of autumn",
        description="Products launched this autumn.",
        entry_from=at - 3 * WEEK,
        entry_until=at - 2 * WEEK,
        votes_from=at - WEEK,
        votes_until=at + WEEK,
    )
    for listing in listings:
        ProgrammeEntry.objects.create(programme=programme, listing=listing, entered_at=at - 3 * WEEK)
    return programme


def stand(site: Site, listing: Listing, *, rank: int, at: datetime) -> None:
    """A place on each board that is ranked ahead of time."""
    for board in ("billboard", "domain-rating", "revenue"):
        is_money = board != "domain-rating"
        Standing.objects.create(
            site=site,
            board=board,
            listing=listing,
            rank=rank,
            previous_rank=max(1, 3 - rank),
            value=185000 // rank if is_money else 43,
            unit="EUR" if is_money else "",
            is_verified=rank == 1 if board == "revenue" else None,
            as_of=at.date(),
            refreshed_at=at,
        )


def write(site: Site, slug: str, *, at: datetime) -> BlogPost:
    """A post of the blog."""
    return BlogPost.objects.create(
        site=site,
        slug=slug,
        title=slug.capitalize(),
        excerpt="Short.",
        author="The editors",
        markdown=POST,
        published_at=at - timedelta(days=3),
        updated_at=at,
    )


def _tidewell(*, owner: User, at: datetime) -> Listing:
    listing = make_listing(
        "tidewell",
        owner=owner,
        at=at,
        votes=12,
        plan="paid",
        description="**Bold** and [a link](https://example.com)\n\n- one",
        short_description="It keeps things in order.",
        pricing_model="freemium",
        pricing_summary="From €9",
        features=["Forecasts", "Warnings"],
        usps=["Calm"],
        keywords=["forecast"],
        city="Aarhus",
        country="DK",
        contact_email="hello@tidewell.example",
        claimed_by_method="dns",
        claim_checked_at=at,
        last_crawled_at=at,
        faqs=[{"question": "Free?", "answer": "Yes."}, {"question": "Safe?", "answer": "Yes."}],
        socials={"linkedin": "https://linkedin.com/company/tidewell"},
        evidence={"tagline": [QUOTE], "description": [QUOTE], "features": [QUOTE], "country": [QUOTE]},
        not_found=[{"field": "founded_year", "reason": "not_on_site"}],
        awards=[{"code": "launch_of_the_week_2", "week": "2026-08-03"}],
        story=STORY,
        domain_rating=43,
        domain_rating_detail={
            "value": 43,
            "source": "import",
            "checked_at": "2026-11-17",
            "change_30d": 2,
            "trend": [{"date": "2026-10-17", "value": 41}, {"date": "2026-11-17", "value": 43}],
        },
    )
    _people_and_words(listing, owner=owner, at=at)
    public_data.refresh(listing_ids=[listing.pk])
    return listing


def _people_and_words(listing: Listing, *, owner: User, at: datetime) -> None:
    founder = Founder.objects.create(
        slug="freja-holm",
        name="Freja Holm",
        title="Founder",
        bio="Makes things.",
        country="DK",
        socials={"x": "https://x.com/freja"},
        created_at=at,
    )
    ListingFounder.objects.create(listing=listing, founder=founder, title="CEO")
    ListingUpdate.objects.create(listing=listing, title="News", body="Plain.", posted_at=at)
    Milestone.objects.create(
        listing=listing,
        date=at.date(),
        title="First customer",
        description="They stayed.",
        url="https://tidewell.example/first",
    )
    question = InterviewQuestion.objects.create(question="Why did you begin?", help="Be honest.", order=1)
    InterviewAnswer.objects.create(user=owner, question=question, answer="Shoe boxes.", updated_at=at)


def add_more(*, owner: User, rows: int = 40) -> None:
    """As much again of everything that a page lists, many times."""
    site, now, this = ensure_default_site(), timezone.now(), weeks.week_of(timezone.now())
    tidewell = Listing.objects.get(slug="tidewell")
    for number in range(rows):
        back = timedelta(hours=1, minutes=number)
        row = make_listing(f"more-{number}", owner=owner, at=now, votes=1, country="DK", pricing_model="free")
        make_category(f"more-{number}", name=f"More {number}")
        founder = Founder.objects.create(slug=f"more-{number}", name=f"Ada {number}", created_at=now)
        for listing in (row, tidewell):
            ListingFounder.objects.create(listing=listing, founder=founder, title="CEO", position=number + 1)
        for listing in (row, tidewell):
            ListingUpdate.objects.create(listing=listing, title="News", body="Plain.", posted_at=now - back)
        Milestone.objects.create(listing=tidewell, date=now.date(), title="Another")
        Alternative.objects.create(listing=tidewell, alternative=row, approved=True, at=now)
        question = InterviewQuestion.objects.create(question=f"Why {number}?", order=number)
        InterviewAnswer.objects.create(user=owner, question=question, answer="So.", updated_at=now)
        Award.objects.create(
            site=site, listing=row, week=this - (number + 2) * WEEK, rank=1, votes=3, given_at=now
        )
        stand(site, row, rank=number + 3, at=now)
        write(site, f"more-{number}", at=now - back)
        make_listing(f"coming-{number}", status="scheduled", at=now + WEEK)
        make_listing(f"past-{number}", at=now - WEEK)
    public_data.refresh(listing_ids=list(Listing.objects.values_list("pk", flat=True)))
