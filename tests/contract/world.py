"""A small directory in which every example of the OpenAPI file finds what it names."""

from datetime import UTC, datetime, timedelta

from django.db import connection

from accounts.models import User
from accounts.services import create_user
from directory import weeks
from directory.models import (
    Alternative,
    BlogPost,
    Founder,
    InterviewQuestion,
    Launch,
    Listing,
    ListingFounder,
    ListingUpdate,
    Milestone,
    Site,
    Vote,
)
from directory.search import public_data
from drafts.api import EXAMPLE
from drafts.limits import FIELDS
from drafts.models import Draft, DraftField
from leaderboards.boards import refresh_boards
from leaderboards.boards.billboard import record_contribution
from leaderboards.closing import close_week
from leaderboards.models import Award, Programme
from leaderboards.trophies import credentials
from orders.models import PromoCode
from tests.factories.listings import make_category, make_listing

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
THIS = weeks.week_of(NOW)
QUOTE = {
    "quote": "Free for three people",
    "url": "https://tidewell.example/pricing",
    "link": "https://tidewell.example/pricing#:~:text=Free%20for%20three%20people",
    "page_title": "Pricing",
    "source": "text",
    "start": 120,
    "end": 141,
    "page_sha256": "0" * 64,
    "fetched_at": "2026-11-17T08:00:00Z",
}
ATTRIBUTES = [
    {"key": "pricing_model", "label": "Pricing model", "kind": "text", "fields": ["pricing_model"]},
    {"key": "founded_year", "label": "Founded", "kind": "year", "fields": ["founded_year"]},
    {
        "key": "free_plan",
        "label": "Free plan",
        "kind": "stated",
        "fields": ["pricing_summary", "features"],
        "equals": [],
        "phrases": ["free plan", "free for"],
    },
]


def build_world(site: Site) -> None:
    """Two rivals in a category, one that launches next week, people, words, and a closed week with awards."""
    finance = make_category("finance", attributes=ATTRIBUTES)
    make_category("invoicing", parent=finance, faqs=[{"question": "Which one?", "answer": "That depends."}])
    make_category("empty")
    tidewell, brindle = _tidewell(site), _brindle(site)
    make_listing("calder", site=site, status="scheduled", at=NOW, launch_week=THIS + weeks.WEEK)
    Alternative.objects.create(listing=tidewell, alternative=brindle, approved=True, at=NOW)
    _close_last_week(site, tidewell)
    record_contribution(
        listing_id=brindle.pk, reference="PL-EXAMPLE1-1", amount_cents=5000, currency="EUR", at=NOW
    )
    refresh_boards(at=NOW)
    _words(site, tidewell)
    Programme.objects.create(
        site=site,
        slug="best-of-autumn",
        title="Best of autumn",
        description="Products launched this autumn.",
        entry_from=NOW - weeks.WEEK,
        entry_until=NOW + weeks.WEEK,
        votes_from=NOW + weeks.WEEK,
        votes_until=NOW + 2 * weeks.WEEK,
    )
    public_data.refresh(listing_ids=[tidewell.pk, brindle.pk])


def build_draft(site: Site, *, owner: User) -> None:
    """The draft and the listing that examples name; the draft is ready and blank."""
    with connection.cursor() as cursor:  # or a listing of the many tests before would be given this number
        cursor.execute(
            "SELECT setval(s, greatest(981, nextval(s)))"
            " FROM (SELECT pg_get_serial_sequence('directory_listing', 'id')::regclass AS s) AS of_ids"
        )
    make_listing("quillmark", id=981, site=site, owner=owner, status="draft", at=NOW)
    PromoCode.objects.create(code="LAUNCH20", percent=20, created_at=NOW)
    draft = Draft.objects.create(
        id=EXAMPLE["id"],
        site=site,
        owner=owner,
        url="https://quillmark.example/",
        site_key="quillmark.example",
        domain="quillmark.example",
        status=Draft.Status.READY,
        created_at=NOW,
        updated_at=NOW,
    )
    rows = [DraftField(draft=draft, name=name, updated_at=NOW) for name in FIELDS]
    DraftField.objects.bulk_create(rows)


def _close_last_week(site: Site, winner: Listing) -> None:
    """One vote was cast in it."""
    voter = create_user(email="voter@people.example")
    week = THIS - weeks.WEEK
    Vote.objects.create(listing=winner, user=voter, week=week, created_at=weeks.start(week))
    close_week(site=site, week=week, at=NOW)
    Award.objects.update(id=12, credential="")
    credentials.issue_missing()


def _tidewell(site: Site) -> Listing:
    listing = make_listing(
        "tidewell",
        site=site,
        at=NOW - timedelta(hours=2),
        votes=7,
        plan="paid",
        country="DE",
        stage="launched",
        pricing_model="freemium",
        pricing_summary="Free for three people, then 9 EUR a month.",
        description="Invoices that **send themselves**.",
        features=["Sends invoices", "Chases late payers"],
        keywords=["invoice", "invoicing"],
        faqs=[{"question": "Is it free?", "answer": "For three people."}],
        socials={"linkedin": "https://www.linkedin.com/company/tidewell"},
        founded_year=2024,
        evidence={"pricing_summary": [QUOTE]},
        not_found=[{"field": "city", "reason": "not_on_site"}],
        story={"title": "Late payers", "story": "It began with a shoe box."},
        claimed_by_method="dns",
        claim_checked_at=NOW,
        last_crawled_at=NOW,
        domain_rating=41,
        domain_rating_detail={
            "value": 41,
            "source": "import",
            "checked_at": "2026-11-17",
            "change_30d": None,
            "trend": [{"date": "2026-11-17", "value": 41}],
        },
    )
    Launch.objects.create(
        site=site,
        listing=listing,
        week=THIS - weeks.WEEK,
        kind=Launch.Kind.FREE,
        votes=3,
        booked_at=NOW - weeks.WEEK,
        launched_at=NOW - weeks.WEEK,
    )
    ada = Founder.objects.create(slug="ada-lindqvist", name="Ada Lindqvist", country="DE", created_at=NOW)
    ListingFounder.objects.create(listing=listing, founder=ada, title="Founder")
    ListingUpdate.objects.create(
        listing=listing, title="Reminders", body="They write themselves.", posted_at=NOW
    )
    Milestone.objects.create(listing=listing, date=NOW.date(), title="First customer")
    return listing


def _brindle(site: Site) -> Listing:
    return make_listing(
        "brindle",
        site=site,
        at=NOW - timedelta(hours=1),
        votes=4,
        pricing_model="paid",
        features=["Free plan for charities"],
        description="Invoices for charities.",
        keywords=["invoicing"],
    )


def _words(site: Site, listing: Listing) -> None:
    post = BlogPost.objects.create(
        site=site,
        slug="your-first-launch-week",
        title="Your first launch week",
        excerpt="What to do from Monday to Sunday.",
        author="The editors",
        markdown="# Monday\n\nTell your friends.",
        faqs=[{"question": "When?", "answer": "On Monday."}],
        published_at=NOW - timedelta(days=3),
        updated_at=NOW,
    )
    post.listings.add(listing)
    InterviewQuestion.objects.create(id=1, question="Why did you begin?", help="Be honest.", order=1)
