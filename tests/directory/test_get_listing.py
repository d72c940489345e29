"""get_listing: the full public profile."""

from typing import Any

import pytest
from psycopg._queries import MAX_CACHED_STATEMENT_LENGTH

from directory.listings.profile import ANY, PUBLIC
from directory.models import Founder, ListingFounder, ListingUpdate, Milestone, Site
from tests.conftest import Api, People
from tests.factories.listings import AT, make_category, make_listing

PATH = "/api/v1/listings/tidewell"
PAID = {"story", "milestones", "media"}
QUOTE = {
    "quote": "Free for three people",
    "url": "https://tidewell.example/",
    "link": "https://tidewell.example/#:~:text=Free",
    "source": "text",
    "page_title": "Pricing",
    "start": 120,
    "end": 141,
    "page_sha256": "0" * 64,
    "fetched_at": "2026-11-17T08:00:00Z",
}
CONTRACT = {
    "slug",
    "name",
    "tagline",
    "short_description",
    "url",
    "logo_url",
    "categories",
    "pricing_model",
    "country",
    "stage",
    "votes",
    "followers",
    "views",
    "domain_rating",
    "status",
    "launch_week",
    "launched_at",
    "plan",
    "featured",
    "claimed",
    "awards",
    "page_url",
    "api_url",
    "updated_at",
    "description",
    "features",
    "usps",
    "keywords",
    "tags",
    "pricing",
    "founders",
    "faqs",
    "socials",
    "links",
    "city",
    "founded_year",
    "latest_updates",
    "community_rating",
    "domain_rating_detail",
    "rank",
    "alternatives_count",
    "not_found_on_website",
    "evidence",
    "unlocked_sections",
    "verified",
    "last_crawled_at",
}


def test_a_listing_that_says_little_says_null_and_never_zero_or_an_empty_text(api: Api, site: Site) -> None:
    make_listing(tagline="Tidy", categories=("invoicing",))
    body = api().get(PATH).json()

    assert set(body) == CONTRACT
    unknown = {name for name, value in body.items() if value is None}
    assert unknown == {
        "short_description",
        "logo_url",
        "pricing_model",
        "country",
        "stage",
        "domain_rating",
        "city",
        "description",
        "founded_year",
        "domain_rating_detail",
        "last_crawled_at",
    }
    assert body["community_rating"] == {"average": None, "count": 0}
    assert body["pricing"] == {"model": None, "summary": None}
    assert body["links"] == {
        "website": "https://tidewell.example/",
        "demo_video": None,
        "contact_email": None,
    }
    assert body["verified"] == {"claimed": False, "method": None, "checked_at": None}


def test_a_text_that_nobody_gave_is_null_and_no_word_on_the_page(api: Api, site: Site) -> None:
    make_listing(tagline="", short_description="Keeps things in order.")
    body = api().get(PATH).json()
    (found,) = api().get("/api/v1/listings").json()["items"]
    page = api().client.get("/listings/tidewell").content.decode()

    assert (body["tagline"], body["description"], found["tagline"]) == (None, None, None)
    assert "Keeps things in order." in page
    assert "None" not in page


def test_facts_come_with_their_sources_and_gaps(api: Api, site: Site) -> None:
    make_listing(
        pricing_model="freemium",
        pricing_summary="Free for three people",
        evidence={"pricing_summary": [QUOTE]},
        not_found=[{"field": "city", "reason": "not_on_site"}],
        last_crawled_at=AT,
    )
    body = api().get(PATH).json()

    assert body["evidence"] == {"pricing_summary": [QUOTE]}
    assert body["not_found_on_website"] == [{"field": "city", "reason": "not_on_site"}]
    assert body["last_crawled_at"] == "2026-11-18T09:00:00Z"


def test_a_quote_that_stands_in_no_text_has_all_its_names(api: Api, site: Site) -> None:
    whole = {**QUOTE, "source": "meta", "page_title": None, "start": None, "end": None}
    make_listing(evidence={"tagline": [{name: value for name, value in whole.items() if value is not None}]})

    assert api().get(PATH).json()["evidence"] == {"tagline": [whole]}


@pytest.mark.parametrize(
    ("fields", "there"),
    [
        ({}, set()),
        ({"unlocked_sections": ["milestones"]}, {"milestones"}),
        ({"unlocked_sections": ["media", "story"]}, {"media", "story"}),
        ({"plan": "paid"}, PAID),
    ],
)
def test_locked_paid_sections_are_absent(api: Api, site: Site, fields: Any, there: Any) -> None:
    listing = make_listing(
        story={"title": "How", "story": "So."},
        media=[{"type": "image", "file": "pictures/1/a.jpg"}],
        **fields,
    )
    Milestone.objects.create(listing=listing, date=AT.date(), title="First customer")
    body = api().get(PATH).json()

    assert PAID & set(body) == there
    assert set(body["unlocked_sections"]) == there
    if "milestones" in there:
        (step,) = body["milestones"]
        assert {**step, "id": 0} == {
            "id": 0,
            "date": "2026-11-18",
            "title": "First customer",
            "description": None,
            "url": None,
            "visible": True,
        }
    if "story" in there:
        assert body["story"] == {"title": "How", "story": "So."}


def test_verified_is_not_the_same_as_paid(api: Api, site: Site, people: People) -> None:
    make_listing(owner=people.owner, claimed_by_method="dns", claim_checked_at=AT)
    body = api().get(PATH).json()

    assert body["verified"] == {"claimed": True, "method": "dns", "checked_at": "2026-11-18T09:00:00Z"}
    assert (body["claimed"], body["plan"], body["unlocked_sections"]) == (True, "free", [])


def test_having_an_owner_is_no_proof(api: Api, site: Site, people: People) -> None:
    make_listing(owner=people.owner)
    body = api().get(PATH).json()

    assert body["verified"] == {"claimed": False, "method": None, "checked_at": None}
    (found,) = api().get("/api/v1/listings").json()["items"]
    assert (body["claimed"], found["claimed"]) == (False, False)


def test_a_rating_shows_its_source_and_course(api: Api, site: Site) -> None:
    detail = {
        "value": 41,
        "source": "import",
        "checked_at": "2026-11-17",
        "change_30d": -2,
        "trend": [{"date": "2026-10-18", "value": 43}, {"date": "2026-11-17", "value": 41}],
    }
    make_listing(domain_rating=41, domain_rating_detail=detail)
    body = api().get(PATH).json()

    assert body["domain_rating"] == 41
    assert body["domain_rating_detail"] == {**detail, "checked_at": "2026-11-17T00:00:00Z"}


def test_founders_stand_in_order_and_updates_newest_first(api: Api, site: Site) -> None:
    listing = make_listing()
    for position, name in ((1, "Bo"), (0, "Ada")):
        founder = Founder.objects.create(slug=name.lower(), name=name, bio=f"{name}'s bio", created_at=AT)
        ListingFounder.objects.create(listing=listing, founder=founder, title="Maker", position=position)
    for number in range(7):
        ListingUpdate.objects.create(listing=listing, title=f"News {number}", body="Text", posted_at=AT)
    body = api().get(PATH).json()

    assert [founder["name"] for founder in body["founders"]] == ["Ada", "Bo"]
    assert body["founders"][0] == {
        "slug": "ada",
        "name": "Ada",
        "title": "Maker",
        "bio": "Ada's bio",
        "socials": {},
    }
    assert [update["title"] for update in body["latest_updates"]] == [f"News {n}" for n in (6, 5, 4, 3, 2)]


def test_a_founder_without_a_page_has_no_slug(api: Api, site: Site) -> None:
    listing = make_listing(status="scheduled")
    founder = Founder.objects.create(slug="ada", name="Ada", created_at=AT)
    ListingFounder.objects.create(listing=listing, founder=founder)

    (shown,) = api().get(PATH).json()["founders"]
    assert (shown["name"], shown["slug"]) == ("Ada", None)
    assert api().get("/api/v1/founders/ada").status_code == 404


def test_ranks_follow_votes_then_the_earlier_launch(api: Api, site: Site) -> None:
    make_listing("first", votes=9)
    make_listing("equal", votes=5, at=AT.replace(hour=8))
    make_listing("tidewell", votes=5)
    make_listing("behind", votes=4)
    make_listing("elsewhere", votes=50, status="archived", launched_at=AT, launch_week=AT.date())

    assert api().get(PATH).json()["rank"] == {"week": 3, "all_time": 3}


def test_an_upcoming_listing_has_a_profile_without_ranks(api: Api, site: Site) -> None:
    make_listing(status="scheduled")
    body = api().get(PATH).json()

    assert (body["status"], body["launched_at"], body["launch_week"]) == ("upcoming", None, "2026-11-16")
    assert body["rank"] == {"week": None, "all_time": None}


@pytest.mark.parametrize("status", ["draft", "awaiting_badge", "rejected", "suspended", "archived"])
def test_other_statuses_look_like_nothing(api: Api, site: Site, status: int) -> None:
    make_listing(status=status, launched_at=AT)
    hidden, missing = api().get(PATH).json(), api().get("/api/v1/listings/nobody").json()

    assert {**hidden, "instance": "", "request_id": ""} == {**missing, "instance": "", "request_id": ""}
    assert hidden["status"] == 404


def test_categories_name_the_primary_one_first(api: Api, site: Site) -> None:
    make_category("finance")
    make_listing(plan="paid", categories=("invoicing", "finance"))

    assert api().get(PATH).json()["categories"] == [
        {"slug": "invoicing", "name": "Invoicing", "primary": True},
        {"slug": "finance", "name": "Finance", "primary": False},
    ]


@pytest.mark.parametrize("statement", [PUBLIC, ANY])
def test_psycopg_remembers_how_its_statement_is_read(statement: str) -> None:
    assert len(statement) <= MAX_CACHED_STATEMENT_LENGTH
