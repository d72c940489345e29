"""What is for sale, and in which weeks."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from directory.models import Launch, Site, SiteSettings
from directory.weeks import WEEK, week_of
from orders.models import LaunchWeek
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.orders import set_price
from tests.orders.paying import buy, lines, pay

CODES = [
    "launch",
    "skip_queue",
    "featured",
    "done_for_you",
    "launch_bundle",
    "extra_categories",
    "relaunch",
    "ai_review",
    "billboard_min",
    "trophy_cabinet",
]


def test_shows_the_coming_weeks_with_the_paid_places_left(api: Api, site: Site) -> None:
    now = timezone.now()
    SiteSettings.objects.create(site=site, paid_slots_per_week=3, changed_at=now)
    following = week_of(now) + WEEK
    for number, kind in enumerate(["paid", "relaunch", "free"]):
        listing = make_listing(f"listing-{number}", at=now - timedelta(weeks=9))
        Launch.objects.create(site=site, listing=listing, week=following, kind=kind, booked_at=now)
    LaunchWeek.objects.create(site=site, week=following + 2 * WEEK, capacity=0)

    body = api().get("/api/v1/products").json()

    assert (body["currency"], body["prices_include_vat"], len(body["weeks"])) == ("EUR", False, 12)
    assert [week["slots_left"] for week in body["weeks"][:3]] == [1, 3, 0]
    assert [week["products"] for week in body["weeks"][1:3]] == [
        ["launch", "skip_queue", "launch_bundle", "relaunch"],
        [],
    ]
    assert body["weeks"][0]["week"] == following.isoformat()


def test_shows_every_product_with_what_it_needs(api: Api, site: Site) -> None:
    items = {item["code"]: item for item in api().get("/api/v1/products").json()["items"]}

    assert list(items) == CODES
    assert all(item["available"] and item["unavailable_reason"] is None for item in items.values())
    assert {code for code, item in items.items() if not item["needs_listing"]} == {"done_for_you"}
    assert {code for code, item in items.items() if item["week"] == "required"} == {"skip_queue", "relaunch"}
    assert {code for code, item in items.items() if item["week"] == "optional"} == {"launch", "launch_bundle"}
    assert items["billboard_min"]["amount"] == {"min_cents": 500, "max_cents": 78_740_156}
    assert items["extra_categories"]["categories"] == {"min": 1, "max": 3}
    assert items["extra_categories"]["price_kind"] == "per_unit"
    assert [option["key"] for option in items["done_for_you"]["options"]] == ["website", "note"]
    assert items["skip_queue"]["for_plans"] == ["free"]


def test_what_is_not_on_sale_says_so(api: Api, site: Site) -> None:
    set_price("featured", 4900, is_on_sale=False)
    SiteSettings.objects.create(site=site, paid_slots_per_week=0, changed_at=timezone.now())

    items = {item["code"]: item for item in api().get("/api/v1/products").json()["items"]}

    assert {code for code, item in items.items() if not item["available"]} == {
        "featured",
        "skip_queue",
        "relaunch",
    }
    assert items["featured"]["unavailable_reason"]


def test_what_nobody_here_can_write_is_not_for_sale(
    api: Api, site: Site, settings: Any, people: People
) -> None:
    settings.OPENAI_API_KEY = ""
    listing = make_listing("brindle", owner=people.owner)
    reason = "No language model is set up here, and one writes the review."

    items = {item["code"]: item for item in api().get("/api/v1/products").json()["items"]}
    answer = api("all").post(
        "/api/v1/orders/quote", {"items": [{"product": "ai_review", "listing_id": listing.pk}]}
    )

    review, bundle = items["ai_review"], items["launch_bundle"]
    assert (review["available"], review["unavailable_reason"], bundle["available"]) == (False, reason, True)
    assert bundle["description"] == (
        "Launch and 7 days featured, for one price. The AI review is not part of it now: "
        "no language model is set up here."
    )
    assert [(error["pointer"], error["message"]) for error in answer.json()["errors"]] == [
        ("/items/0/product", reason)
    ]


def test_a_bundle_is_what_it_was_sold_as(api: Api, site: Site, settings: Any, people: People) -> None:
    listing, key = make_listing("brindle", owner=people.owner, status="draft"), settings.OPENAI_API_KEY
    settings.OPENAI_API_KEY = ""
    order = buy(api, {"product": "launch_bundle", "listing_id": listing.pk})
    settings.OPENAI_API_KEY = key

    pay(order)

    assert (lines(order), order.lines.get().parts_done) == (
        [("launch_bundle", "done")],
        ["launch", "featured"],
    )
