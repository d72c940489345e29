"""search_listings: words, filters, orders and pages, through the API."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.cache import changed
from directory.models import CategoryCount, ListingStats, SearchTerm, Site, SiteCount
from tests.conftest import Api
from tests.factories.listings import AT, make_category, make_listing

PATH = "/api/v1/listings"


@pytest.fixture
def listings(site: Site) -> None:
    """Three live listings and one to come."""
    finance = make_category("finance")
    make_category("invoicing", parent=finance)
    make_category("health")
    make_listing(
        "tidewell",
        votes=3,
        name="Tidewell",
        tagline="Invoices that send themselves",
        country="DE",
        stage="launched",
        pricing_model="freemium",
    )
    make_listing("brindle", votes=9, name="Brindle", tagline="Payroll for bakers", at=AT.replace(hour=11))
    make_listing("calder", votes=1, name="Calder", tagline="Walks with your doctor", categories=("health",))
    make_listing("dorsal", name="Dorsal", tagline="Invoices by sea", status="scheduled")


def slugs(api: Api, query: str = "") -> list[str]:
    return [item["slug"] for item in api().get(f"{PATH}?{query}").json()["items"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["brindle", "tidewell", "calder"]),
        ("q=", ["brindle", "tidewell", "calder"]),
        ("q=%20%20", ["brindle", "tidewell", "calder"]),
        ("q=...", ["brindle", "tidewell", "calder"]),
        ("q=invoices", ["tidewell"]),
        ("q=%20INVOICES%20", ["tidewell"]),
        ("q=tidewel", ["tidewell"]),
        ("q=payrol", ["brindle"]),
        ("q=zebra", []),
        ("category=finance", ["brindle", "tidewell"]),
        ("category=invoicing", ["brindle", "tidewell"]),
        ("category=health", ["calder"]),
        ("category=nothing", []),
        ("country=de", ["tidewell"]),
        ("stage=launched", ["tidewell"]),
        ("pricing_model=freemium", ["tidewell"]),
        ("pricing_model=", ["brindle", "tidewell", "calder"]),
        ("domain=tidewell.example", ["tidewell"]),
        ("domain=TIDEWELL.example", ["tidewell"]),
        ("domain=other.example", []),
        ("domain=..", []),
        ("status=upcoming", ["dorsal"]),
        ("status=upcoming&q=invoices", ["dorsal"]),
        ("country=DE&category=health", []),
        ("sort=newest", ["brindle", "calder", "tidewell"]),
        ("sort=votes", ["brindle", "tidewell", "calder"]),
    ],
)
def test_words_and_filters_find_what_they_say(api: Api, listings: Any, query: str, found: Any) -> None:
    assert slugs(api, query) == found


@pytest.mark.parametrize(
    ("sort", "column"), [("trending", "hot"), ("most_viewed", "views"), ("most_followed", "followers")]
)
def test_counters_give_an_order(api: Api, listings: Any, sort: Any, column: Any) -> None:
    ListingStats.objects.filter(listing__slug="calder").update(**{column: 5})

    assert slugs(api, f"sort={sort}")[0] == "calder"


def test_a_result_says_why_it_is_there_and_what_was_read_instead(api: Api, listings: Any) -> None:
    (plain,) = api().get(f"{PATH}?q=invoices").json()["items"]
    (mended,) = api().get(f"{PATH}?q=tidewll").json()["items"]

    assert plain["match"] == {"fields": ["tagline"], "corrected_query": None}
    assert mended["match"] == {"fields": ["name"], "corrected_query": "tidewell"}


def test_browsing_matches_nothing_in_particular(api: Api, listings: Any) -> None:
    assert all("match" not in item for item in api().get(PATH).json()["items"])


@pytest.mark.parametrize("status", ["draft", "awaiting_badge", "rejected", "suspended", "archived"])
def test_what_is_not_public_is_never_found(api: Api, site: Site, status: int) -> None:
    make_listing("hidden", status=status, launched_at=AT)

    for query in ("", "q=hidden", "domain=hidden.example", "status=upcoming"):
        assert slugs(api, query) == []


@pytest.mark.parametrize("query", ["category=finance", "category=finance&country=DE", "country=DE&page=1000"])
def test_a_very_large_directory_is_no_obstacle(api: Api, listings: Any, query: str) -> None:
    CategoryCount.objects.update(listings=1_000_000, total_listings=1_000_000)
    SearchTerm.objects.filter(term__startswith="#").update(documents=1_000_000)
    SiteCount.objects.update(live=1_000_000)

    assert api().get(f"{PATH}?{query}").status_code == 200


def test_pages_link_to_each_other_with_the_query_kept(api: Api, listings: Any) -> None:
    answer = api().get(f"{PATH}?category=finance&per_page=1&page=2")
    body = answer.json()

    assert (body["page"], body["per_page"], body["total"], body["total_pages"]) == (2, 1, 2, 2)
    assert body["next"] is None
    assert body["previous"].endswith("/api/v1/listings?category=finance&per_page=1&page=1")
    assert answer["Link"] == f'<{body["previous"]}>; rel="prev"'


@pytest.mark.parametrize(("query", "before"), [("page=1000&per_page=1", 3), ("q=nothingatall&page=7", None)])
def test_past_the_end_the_page_before_is_the_last_one(
    api: Api, listings: Any, query: str, before: int | None
) -> None:
    body = api().get(f"{PATH}?{query}").json()

    assert (body["items"], body["total_pages"]) == ([], before or 0)
    assert (body["previous"] or "page=None").endswith(f"page={before}")


def test_an_empty_filter_is_no_filter(api: Api, listings: Any) -> None:
    assert slugs(api, "category=&stage=%20&country=&domain=&pricing_model=&q=") == slugs(api)


def test_an_answer_of_one_page_has_no_link_header(api: Api, listings: Any) -> None:
    assert not api().get(PATH).has_header("Link")


@pytest.mark.parametrize(
    "text",
    ["' | !x:*", "a & b <-> c", "\\", "%", "_", "\u202e", "\u0130", "x" * 200, "🦊", "((((", "-", "''''"],
)
def test_typed_signs_are_words_or_nothing(api: Api, listings: Any, text: str) -> None:
    answer = api().client.get(PATH, {"q": text})

    assert answer.status_code == 200


def test_a_summary_has_the_contracts_properties_and_no_other(api: Api, listings: Any) -> None:
    (item,) = api().get(f"{PATH}?domain=tidewell.example").json()["items"]

    assert {**item, "page_url": "", "api_url": ""} == {
        "slug": "tidewell",
        "name": "Tidewell",
        "tagline": "Invoices that send themselves",
        "short_description": None,
        "url": "https://tidewell.example/",
        "logo_url": None,
        "categories": [{"slug": "invoicing", "name": "Invoicing", "primary": True}],
        "pricing_model": "freemium",
        "country": "DE",
        "stage": "launched",
        "votes": 3,
        "followers": 0,
        "views": 0,
        "domain_rating": None,
        "status": "live",
        "launch_week": "2026-11-16",
        "launched_at": "2026-11-18T09:00:00Z",
        "plan": "free",
        "featured": False,
        "claimed": False,
        "awards": [],
        "page_url": "",
        "api_url": "",
        "updated_at": "2026-11-18T09:00:00Z",
    }
    assert item["page_url"].endswith("/listings/tidewell")
    assert item["api_url"].endswith("/api/v1/listings/tidewell")


def test_the_pages_of_a_list_share_its_total_and_order_until_something_changes(
    api: Api, listings: None, django_capture_on_commit_callbacks: Any
) -> None:
    def page(number: int, *, sort: str = "votes") -> tuple[int, list[str], str]:
        query = f"category=finance&country=de&per_page=1&sort={sort}&page={number}"
        with CaptureQueriesContext(connection) as asked:
            body = api().get(f"{PATH}?{query}").json()
        return body["total"], [one["slug"] for one in body["items"]], asked[-1]["sql"] if asked else ""

    make_listing("levy", votes=1, categories=("finance",), country="DE")
    assert page(2)[:2] == (2, ["levy"])  # whichever page comes first
    total, items, sql = page(1)
    assert (total, items, "search_ids" in sql) == (2, ["tidewell"], False)
    assert page(3)[:2] == (2, [])
    total, items, sql = page(1, sort="newest")
    assert (total, items, "count(*)" in sql, "search_ids" in sql) == (2, ["levy"], False, True)

    with django_capture_on_commit_callbacks(execute=True):
        make_listing("tally", votes=0, categories=("finance",), country="DE")
        changed("listings")
    total, items, sql = page(3)
    assert (total, items, "count(*)" in sql, "search_ids" in sql) == (3, ["tally"], True, True)


def test_domains_that_begin_alike_are_two_however_long(api: Api, site: Site) -> None:
    hosts = [f"{'a-very-long-name-' * 3}as-they-go-{end}.com" for end in ("i", "o")]
    for slug, host in zip(("one", "two"), hosts, strict=True):
        make_listing(slug, url=f"https://{host}/", domain=host)

    assert [slugs(api, f"domain={host}") for host in hosts] == [["one"], ["two"]]
