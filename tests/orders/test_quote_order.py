"""A quote: what is refused, all of it at once and where; what it says; and that nothing is saved."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from directory import weeks
from directory.models import Launch, Listing, Site, SiteSettings
from directory.sites.catalogue import load_categories
from orders.models import Order, OrderEvent, PromoUse, SlotHold
from tests.conftest import Api, Caller, People
from tests.factories.listings import make_category, make_listing
from tests.factories.orders import set_price
from tests.orders.conftest import NEEDS, cart, codes

QUOTE = "/api/v1/orders/quote"
DONE_FOR_YOU = {"product": "done_for_you", **NEEDS["done_for_you"]}


def coming(number: int = 1) -> str:
    """The Monday so many weeks from now."""
    return (weeks.week_of(timezone.now()) + number * weeks.WEEK).isoformat()


def one(product: str, listing: Listing | None = None, **more: Any) -> dict[str, Any]:
    """An item."""
    return {"product": product, **({"listing_id": listing.pk} if listing else {}), **more}


def test_prices_a_cart_and_saves_nothing(buyer: Caller, draft: Listing) -> None:
    set_price("featured", 4999)
    items = [one("launch", draft, week=coming()), one("featured", draft)]

    answer = buyer.post(QUOTE, cart(*items, billing_country="it"))

    body = answer.json()
    assert answer.status_code == 200
    assert [body[f"{name}_cents"] for name in ("subtotal", "discount", "net", "vat", "total")] == [
        14899,
        0,
        14899,
        3278,
        18177,
    ]
    assert body["vat"] == {
        "country": "IT",
        "rate": "22.00",
        "treatment": "destination",
        "vat_number": None,
        "vat_number_status": "none",
        "reason": "VAT of Italy.",
    }
    first = body["lines"][0]
    assert (first["listing_id"], first["week"], first["vat_rate"]) == (draft.pk, coming(), "22.00")
    assert (body["currency"], body["promo"]) == ("EUR", None)
    assert not any(model.objects.exists() for model in (Order, OrderEvent, SlotHold, PromoUse))


def test_everything_that_is_wrong_is_named_at_once(buyer: Caller, draft: Listing, live: Listing) -> None:
    items = [
        one("launch", draft, week="2026-02-30", amount_cents=500),
        one("featured"),
        one("skip_queue", live),
        one("billboard_min", live, amount_cents=1),
        one("extra_categories", live, categories=["nowhere"]),
        {"product": "ai_review", "listing_id": 999_999},
        {"product": "done_for_you", "options": {"website": "ftp://x", "size": 3}},
    ]

    answer = buyer.post(QUOTE, cart(*items, vat_number="DE123", promo_code="NEVER"))

    assert answer.json()["code"] == "invalid_request"
    assert codes(answer) == [
        ("/items/0/week", "week_unavailable"),
        ("/items/0/amount_cents", "option_invalid"),
        ("/items/1/listing_id", "listing_required"),
        ("/items/2/listing_id", "invalid_state"),
        ("/items/2/week", "required"),
        ("/items/3/amount_cents", "amount_below_minimum"),
        ("/items/4/categories/0", "category_unknown"),
        ("/items/5/listing_id", "listing_unknown"),
        ("/items/6/options/website", "listing_required"),
        ("/items/6/options/size", "option_invalid"),
        ("/promo_code", "promo_unknown"),
        ("/vat_number", "vat_number_invalid"),
    ]


@pytest.mark.parametrize("week", ["this", "2026-02-30", "20261207", "tuesday", "past", "present", "beyond"])
def test_a_week_is_a_monday_on_sale(buyer: Caller, draft: Listing, week: str) -> None:
    now = weeks.week_of(timezone.now())
    given = {
        "tuesday": (now + timedelta(days=8)).isoformat(),
        "past": (now - weeks.WEEK).isoformat(),
        "present": now.isoformat(),
        "beyond": coming(SiteSettings().weeks_shown + 1),
    }.get(week, week)

    answer = buyer.post(QUOTE, cart(one("launch", draft, week=given)))

    assert codes(answer) == [("/items/0/week", "week_unavailable")]
    assert answer.json()["code"] == "week_unavailable"


def test_a_full_week_names_others(buyer: Caller, draft: Listing, site: Site, people: People) -> None:
    SiteSettings.objects.create(site=site, paid_slots_per_week=1, changed_at=timezone.now())
    other = make_listing("calder", owner=people.owner, status="draft", launch_week=None)
    week = date.fromisoformat(coming())
    both = cart(one("launch", draft, week=coming()), one("launch", other, week=coming()))

    assert codes(buyer.post(QUOTE, both)) == [("/items/1/week", "week_unavailable")]

    Launch.objects.create(site=site, listing=other, week=week, kind="paid", booked_at=timezone.now())
    answer = buyer.post(QUOTE, cart(one("launch", draft, week=coming())))

    assert answer.json()["code"] == "week_unavailable"
    assert f"{date.fromisoformat(coming(2)):%-d %B %Y}" in answer.json()["detail"]


def test_states_that_a_product_is_not_for(
    buyer: Caller, draft: Listing, live: Listing, people: People
) -> None:
    paid = make_listing("calder", owner=people.owner, plan="paid")
    queued = make_listing(
        "dovetail", owner=people.owner, status="scheduled", launch_week=date.fromisoformat(coming(2))
    )
    refused = [
        (one("launch", paid), "invalid_state"),
        (one("launch_bundle", paid), "invalid_state"),
        (one("skip_queue", paid, week=coming()), "invalid_state"),
        (one("skip_queue", draft, week=coming()), "invalid_state"),
        (one("skip_queue", queued, week=coming(2)), "week_unavailable"),
        (one("featured", draft), "invalid_state"),
        (one("relaunch", draft, week=coming()), "invalid_state"),
        (one("launch", live, week=coming()), "week_unavailable"),
    ]
    for item, code in refused:
        answer = buyer.post(QUOTE, cart(item))
        assert answer.json()["code"] == code, item
    assert buyer.post(QUOTE, cart(one("launch", paid))).json()["current"] == "paid"
    answer = buyer.post(QUOTE, cart(one("featured", draft))).json()
    assert "live or scheduled, or that the same order launches" in answer["detail"]
    assert [act["path"] for act in answer["next_actions"]] == [f"/api/v1/me/listings/{draft.pk}"]

    for item in (
        one("skip_queue", queued, week=coming()),
        one("relaunch", live, week=coming()),
        one("launch", live),
        one("launch_bundle", draft),
        one("ai_review", draft),
    ):
        assert buyer.post(QUOTE, cart(item)).status_code == 200, item


def test_an_address_that_is_live_is_claimed_instead(buyer: Caller, draft: Listing, people: People) -> None:
    make_listing("tidewell-2", owner=people.stranger, url=draft.url, host=draft.host)

    body = buyer.post(QUOTE, cart(one("launch", draft))).json()

    assert (body["code"], body["slug"]) == ("duplicate_listing", "tidewell-2")
    assert body["next_actions"][0]["operation"] == "claim_listing"
    assert body["errors"][0]["pointer"] == "/items/0/listing_id"


def test_a_listing_without_what_it_needs_cannot_launch(buyer: Caller, people: People, site: Site) -> None:
    bare = make_listing(
        "bare", owner=people.owner, status="draft", launch_week=None, tagline="", categories=()
    )

    body = buyer.post(QUOTE, cart(one("launch", bare))).json()

    assert body["code"] == "invalid_state"
    assert body["missing"]


def test_anothers_listing_and_none_look_the_same(
    api: Api, buyer: Caller, live: Listing, people: People
) -> None:
    stranger = api("all", user=people.stranger)
    theirs = stranger.post(QUOTE, cart(one("featured", live))).json()
    none = stranger.post(QUOTE, cart({"product": "featured", "listing_id": 2**53 - 1})).json()

    assert theirs["code"] == none["code"] == "listing_unknown"
    assert theirs["errors"] == none["errors"]


def test_items_that_exclude_each_other(buyer: Caller, draft: Listing, live: Listing) -> None:
    for items in (
        [one("launch", draft), one("launch", draft)],
        [one("launch_bundle", draft), one("launch", draft)],
        [one("launch_bundle", draft), one("featured", draft)],
        [one("ai_review", live), one("ai_review", live)],
        [one("trophy_cabinet", live), one("trophy_cabinet", live, options={"finish": "oak"})],
    ):
        assert ("/items/1/product", "conflicting_items") in codes(buyer.post(QUOTE, cart(*items)))
    together = [one("launch", draft), one("ai_review", draft), one("launch", live), one("featured", live)]
    assert buyer.post(QUOTE, cart(*together)).status_code == 200


def test_extra_categories_are_priced_each(buyer: Caller, live: Listing) -> None:
    load_categories()
    for slug in ("one", "two", "three", "four"):
        make_category(slug)

    def ask(*slugs: str) -> Any:
        return buyer.post(QUOTE, cart(one("extra_categories", live, categories=list(slugs))))

    body = ask("one", "two").json()
    assert (body["lines"][0]["quantity"], body["net_cents"]) == (2, 3800)
    assert body["lines"][0]["options"] == {"categories": ["one", "two"]}
    assert codes(ask("one", "two", "three", "four")) == [("/items/0/categories", "category_limit")]
    assert codes(ask("one", "one")) == [("/items/0/categories/1", "option_invalid")]
    assert codes(ask("invoicing")) == [("/items/0/categories/0", "option_invalid")]
    assert codes(ask()) == [("/items/0/categories", "required")]


def test_the_billboard_takes_its_minimum_and_more(buyer: Caller, live: Listing) -> None:
    def ask(*amounts: int) -> Any:
        return buyer.post(QUOTE, cart(*(one("billboard_min", live, amount_cents=cents) for cents in amounts)))

    least = ask(499)
    assert (least.json()["code"], least.json()["errors"][0]["limit"]) == ("amount_below_minimum", 500)
    assert ask(500).json()["total_cents"] == 595
    assert ask(*[100_000_000] * 20).json()["code"] == "total_above_maximum"
    assert ask(84_033_612).json()["total_cents"] == 99_999_998


def test_a_total_of_cents_is_refused(buyer: Caller, site: Site) -> None:
    set_price("done_for_you", 8)

    assert buyer.post(QUOTE, cart("done_for_you")).json()["code"] == "total_below_minimum"

    set_price("done_for_you", 0)
    assert buyer.post(QUOTE, cart("done_for_you")).json()["total_cents"] == 0


def test_prices_count_from_their_moment(buyer: Caller, site: Site) -> None:
    set_price("done_for_you", 100, at=timezone.now() + timedelta(hours=1))
    assert buyer.post(QUOTE, cart("done_for_you")).json()["net_cents"] == 29900

    set_price("done_for_you", 31000)
    assert buyer.post(QUOTE, cart("done_for_you")).json()["net_cents"] == 31000

    set_price("done_for_you", 1, is_on_sale=False)
    assert codes(buyer.post(QUOTE, cart("done_for_you"))) == [("/items/0/product", "invalid_choice")]


def test_options_of_done_for_you(buyer: Caller, live: Listing) -> None:
    options = {"website": "https://tidewell.com/", "note": "By Friday"}

    body = buyer.post(QUOTE, cart(one("done_for_you", live, options=options))).json()

    assert body["lines"][0]["options"] == options
    assert codes(buyer.post(QUOTE, cart(one("featured", live, options={"colour": "red"})))) == [
        ("/items/0/options/colour", "option_invalid")
    ]


def test_texts_of_options_are_texts_as_everywhere(buyer: Caller, live: Listing) -> None:
    options = {"website": " https://tidewell.com/ ", "note": "By\r\nCafe\u0301 "}

    body = buyer.post(QUOTE, cart(one("done_for_you", live, options=options))).json()

    assert body["lines"][0]["options"] == {"website": "https://tidewell.com/", "note": "By\nCafé"}
    empty = {"website": "", "note": " "}
    assert (
        buyer.post(QUOTE, cart(one("done_for_you", live, options=empty))).json()["lines"][0]["options"] == {}
    )
    hostile = {"note": "a\x00b", "website": "a\u202eb"}
    assert codes(buyer.post(QUOTE, cart(one("done_for_you", live, options=hostile)))) == [
        ("/items/0/options/note", "control_character"),
        ("/items/0/options/website", "hidden_character"),
    ]


def test_a_quote_needs_the_scope_and_takes_no_key(api: Api, site: Site) -> None:
    assert api().post(QUOTE, cart("done_for_you")).status_code == 401
    assert api("account:read").post(QUOTE, cart("done_for_you")).status_code == 403
    assert api("orders:write").post(QUOTE, cart("done_for_you"), Idempotency_Key="").status_code == 200


def test_done_for_you_needs_a_listing_or_a_website(buyer: Caller, live: Listing) -> None:
    bare = {"product": "done_for_you"}
    private = {"website": "http://192.168.0.1/"}

    assert codes(buyer.post(QUOTE, cart(bare))) == [("/items/0/listing_id", "listing_required")]
    assert buyer.post(QUOTE, cart(bare)).json()["code"] == "listing_required"
    assert codes(buyer.post(QUOTE, cart({**bare, "options": {"note": "x"}}))) == [
        ("/items/0/listing_id", "listing_required")
    ]
    for website in (private, {"website": None}):
        refused = buyer.post(QUOTE, cart({**bare, "options": website}))
        assert codes(refused) == [("/items/0/options/website", "listing_required")]
        assert refused.json()["code"] == "listing_required"
    beside = buyer.post(QUOTE, cart(one("done_for_you", live, options=private)))
    assert codes(beside) == [("/items/0/options/website", "option_invalid")]
    assert buyer.post(QUOTE, cart(one("done_for_you", live))).status_code == 200


def test_a_refused_form_is_told_in_words(buyer: Caller, live: Listing) -> None:
    answer = buyer.post(QUOTE, cart(one("featured", live), billing_country="Germany"))

    assert [error["message"] for error in answer.json()["errors"]] == [
        "This must be a country's two-letter code (ISO 3166-1), such as DE."
    ]
