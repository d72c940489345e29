"""What tests of pages share: a moment in a launch week, and a site with something on every page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine

from directory.models import BlogPost, Founder, Listing, ListingFounder, ListingUpdate, Site
from directory.weeks import WEEK, week_of
from leaderboards.models import Award, Standing
from tests.conftest import People
from tests.factories.listings import AT, make_category, make_listing

QUOTE = {
    "quote": "Cash & carry, <b>weekly</b>",
    "url": "https://tidewell.example/pricing",
    "link": "https://tidewell.example/pricing#:~:text=Cash",
    "source": "text",
    "fetched_at": "2026-11-18T09:00:00Z",
}


@pytest.fixture
def launch_time() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def happening(django_capture_on_commit_callbacks: Any) -> Any:
    """Runs what a request leaves for after its commit, as outside tests."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


@pytest.fixture
def listing(people: People, site: Site, storage: Path) -> Listing:
    return make_listing(owner=people.owner, plan="paid")


@pytest.fixture
def full(site: Site, people: People) -> Any:
    """A listing with everything a page can show, and neighbours."""
    category = make_category("invoicing", description="Bills.", faqs=[{"question": "Why?", "answer": "So."}])
    listing = make_listing(
        "tidewell",
        owner=people.owner,
        votes=12,
        description="**Bold** and [a link](https://example.com)\n\n- one",
        short_description="It keeps things in order.",
        pricing_summary="From €9",
        features=["Forecasts"],
        usps=["Calm"],
        city="Aarhus",
        country="DK",
        faqs=[{"question": "Free?", "answer": "Yes."}],
        socials={"linkedin": "https://linkedin.com/company/tidewell"},
        evidence={"tagline": [QUOTE], "pricing_summary": [QUOTE], "features": [QUOTE]},
        not_found=[{"field": "founded_year", "reason": "not_on_site"}],
        awards=[{"code": "launch_of_the_week_2", "week": "2026-08-03"}],
    )
    other = make_listing("ledgerlark", votes=7)
    make_listing("sundial", status="scheduled", at=AT + WEEK)
    make_listing("wrenly", at=AT - WEEK, votes=3)
    founder = Founder.objects.create(slug="freja-holm", name="Freja Holm", created_at=AT)
    ListingFounder.objects.create(listing=listing, founder=founder, title="CEO")
    ListingUpdate.objects.create(listing=listing, title="News", body="<i>plain</i>", posted_at=AT)
    post = BlogPost.objects.create(
        site=site,
        slug="hello",
        title="Hello",
        excerpt="In short",
        markdown="# Top\n\nText <script>alert(1)</script> [x](javascript:alert(1)) ![i](https://a.example/i.png)",
        published_at=AT,
        updated_at=AT,
    )
    post.listings.add(other)
    Award.objects.create(site=site, listing=listing, week=week_of(AT - WEEK), rank=1, votes=3, given_at=AT)
    for board in ("billboard", "domain-rating", "revenue"):
        Standing.objects.create(
            site=site,
            board=board,
            listing=listing,
            rank=1,
            value=185000,
            unit="EUR" if board != "domain-rating" else "",
            is_verified=True if board == "revenue" else None,
            as_of=AT.date(),
            refreshed_at=AT,
        )
    assert category.slug == "invoicing"
    return listing
