"""A featured place has dates: told before it is paid, kept by what happens to launch and money, ended to the minute."""

import re
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone

from directory import weeks
from directory.launches import badge_watch, queueing
from directory.launches.badge_check import Check
from directory.launches.featuring import featured
from directory.models import FeaturedCount, FeaturedPlace, Listing
from directory.moderation import status
from orders import refunding
from orders.models import Order
from tests.conftest import Api, Caller, People
from tests.factories.listings import go_live, make_listing
from tests.orders.conftest import cart, codes
from tests.orders.paying import begin, buy, lines, money, pay, work
from tests.orders.test_stripe_payments import COMPLETED, tell
from tests.servers.stripe_server import StripeServer

QUOTE = "/api/v1/orders/quote"
WEEK, MINUTE = timedelta(days=7), timedelta(minutes=1)
MONDAY = weeks.week_of(timezone.now()) + 2 * weeks.WEEK  # to come also when a week begins meanwhile


def one(listing: Listing, start: Any = None) -> dict[str, Any]:
    """An item, begun when it says."""
    return {
        "product": "featured",
        "listing_id": listing.pk,
        **({"options": {"start": start}} if start else {}),
    }


def spans(listing: Listing) -> list[tuple[datetime, datetime]]:
    """From and until of its places."""
    return list(listing.featured_places.order_by("begins_at").values_list("begins_at", "ends_at"))


def dates(api: Api, order: Order) -> dict[str, str]:
    """What the order says of its line."""
    body = api("all").get(f"/api/v1/orders/{order.number}").json()
    return dict(body["lines"][0]["options"])


def is_featured(listing: Listing) -> bool:
    """Whether it stands in the marked places this moment."""
    return [card["slug"] for card in featured(site_id=listing.site_id, at=timezone.now())] == [listing.slug]


def give_back(order: Order, people: People) -> None:
    payment = order.payments.get(status="paid")
    refunding.refund(payment_id=str(payment.pk), reason="Asked", staff_id=people.staff.pk, at=timezone.now())
    work()


def test_the_dates_are_told_before_paying(buyer: Caller, live: Listing, people: People) -> None:
    soon = make_listing("soon", owner=people.owner, status="scheduled", launch_week=MONDAY)
    items = [one(live), one(live), one(live, str(MONDAY + weeks.WEEK)), one(soon)]

    now, later, chosen, launch = (line["options"] for line in buyer.post(QUOTE, cart(*items)).json()["lines"])

    assert now["start"] == "now"
    begins = datetime.fromisoformat(now["from"])
    assert timedelta() <= timezone.now() - begins < MINUTE
    assert datetime.fromisoformat(now["until"]) == begins + WEEK
    assert later["from"] == now["until"]
    assert chosen == {
        "start": f"{MONDAY + weeks.WEEK}",
        "from": f"{MONDAY + weeks.WEEK}T00:00:00Z",
        "until": f"{MONDAY + 2 * weeks.WEEK}T00:00:00Z",
    }
    assert launch == {
        "start": "now",
        "from": f"{MONDAY}T00:00:00Z",
        "until": f"{MONDAY + weeks.WEEK}T00:00:00Z",
    }
    assert not FeaturedPlace.objects.exists()


def test_the_product_list_names_every_start(api: Api) -> None:
    body = api().get("/api/v1/products").json()

    (option,) = next(item for item in body["items"] if item["code"] == "featured")["options"]
    assert option == {
        "key": "start",
        "type": "text",
        "required": False,
        "choices": ["now", *(week["week"] for week in body["weeks"])],
    }


@pytest.mark.parametrize(
    "start", ["soon", "2026-13-01", str(MONDAY + timedelta(days=1)), "2020-01-06", 7, ["now"]]
)
def test_other_starts_are_refused(buyer: Caller, live: Listing, start: Any) -> None:
    answer = buyer.post(QUOTE, cart({**one(live), "options": {"start": start}}))

    assert (answer.status_code, codes(answer)) == (400, [("/items/0/options/start", "option_invalid")])


def test_no_start_before_the_launch_and_none_twice(buyer: Caller, live: Listing, people: People) -> None:
    soon = make_listing("soon", owner=people.owner, status="scheduled", launch_week=MONDAY)
    early = str(MONDAY - weeks.WEEK)

    for items, place in (([one(soon, early)], 0), ([one(live, early), one(live, early)], 1)):
        answer = buyer.post(QUOTE, cart(*items))
        assert codes(answer) == [(f"/items/{place}/options/start", "option_invalid")]
        assert "choose a later Monday, or now" in answer.json()["errors"][0]["message"]


def test_a_place_begins_with_its_launch_whenever_that_is(api: Api, people: People) -> None:
    """Bought for a listing of a week to come, which then launched at once: seven days, not twenty-one."""
    listing = make_listing(owner=people.owner, status="scheduled", launch_week=MONDAY)
    order = pay(buy(api, one(listing)))
    assert spans(listing) == [(weeks.start(MONDAY), weeks.end(MONDAY))]
    assert (lines(order), is_featured(listing)) == ([("featured", "done")], False)

    later = MONDAY + weeks.WEEK
    at = timezone.now()
    queueing.change_week(owner_id=people.owner.pk, listing_id=listing.pk, week=later, at=at)
    assert spans(listing) == [(weeks.start(later), weeks.end(later))]

    go_live(listing_id=listing.pk, at=at)
    assert spans(listing) == [(at, at + WEEK)]
    assert is_featured(listing)
    assert dates(api, order)["from"] == f"{at:%Y-%m-%dT%H:%M:%SZ}"
    assert dates(api, order)["until"] == f"{at + WEEK:%Y-%m-%dT%H:%M:%SZ}"


@pytest.mark.parametrize("start", [None, str(MONDAY + weeks.WEEK)])
def test_weeks_that_pass_without_the_launch_take_nothing_of_it(
    api: Api, people: People, start: str | None
) -> None:
    listing = make_listing(owner=people.owner, status="scheduled", launch_week=MONDAY)
    pay(buy(api, one(listing, start)))
    missed = Check(result="not_found", detail="No badge.")
    Listing.objects.update(status="awaiting_badge")
    for passed in (1, 2):
        at = weeks.end(MONDAY + 2 * (passed - 1) * weeks.WEEK)
        badge_watch.apply_check(listing_id=listing.pk, check=missed, at=at)
    listing.refresh_from_db()
    assert (listing.missed_weeks, listing.launch_week) == (2, MONDAY + 4 * weeks.WEEK)

    begins = weeks.start(listing.launch_week)
    assert spans(listing) == [(begins, begins + WEEK)]
    late = begins + timedelta(hours=9)
    go_live(listing_id=listing.pk, at=late)
    assert spans(listing) == [(late, late + WEEK)]


def test_a_place_whose_launch_never_came_ends_with_its_money(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="scheduled", launch_week=MONDAY)
    order = pay(buy(api, one(listing)))
    Listing.objects.update(status="draft", launch_week=None)
    ended = timezone.now() - MINUTE
    FeaturedPlace.objects.update(begins_at=ended - WEEK, ends_at=ended)

    give_back(order, people)
    assert spans(listing) == []


def test_a_monday_after_the_launch_stays(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="scheduled", launch_week=MONDAY)
    later = MONDAY + weeks.WEEK
    pay(buy(api, one(listing, str(later))))

    go_live(listing_id=listing.pk, at=weeks.start(MONDAY))

    assert spans(listing) == [(weeks.start(later), weeks.end(later))]


def test_a_refund_ends_it_the_same_minute(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner)
    runs, comes = pay(buy(api, one(listing))), pay(buy(api, one(listing, str(MONDAY))))
    FeaturedPlace.objects.filter(begins_at__lte=timezone.now()).update(
        begins_at=timezone.now() - timedelta(days=2)
    )
    assert is_featured(listing)

    give_back(runs, people)
    (begun, ended), coming = spans(listing)
    assert timedelta() <= timezone.now() - ended < MINUTE
    assert (begun < ended, coming) == (True, (weeks.start(MONDAY), weeks.end(MONDAY)))
    assert (is_featured(listing), dates(api, runs)["until"]) == (False, f"{ended:%Y-%m-%dT%H:%M:%SZ}")

    give_back(comes, people)
    assert spans(listing) == [(begun, ended)]
    assert dates(api, comes) == {"start": f"{MONDAY}"}
    assert Listing.objects.get().featured_until is None


def test_what_was_shown_before_a_suspension_is_not_shown_once_more_after_it(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner)
    over, runs = pay(buy(api, one(listing))), pay(buy(api, one(listing)))
    now = timezone.now()
    for order, days in ((over, 9), (runs, 2)):
        begun = now - timedelta(days=days)
        rows = FeaturedPlace.objects.filter(order_line=order.lines.get().pk)
        rows.update(begins_at=begun, ends_at=begun + WEEK)
    before = spans(listing)
    by_staff: dict[str, Any] = {"listing_id": listing.pk, "staff_id": people.staff.pk, "reason": "Reported"}
    status.moderate(to="suspended", at=now, **by_staff)
    assert not is_featured(listing)

    status.put_back(at=now + MINUTE, **by_staff)
    assert (spans(listing), is_featured(listing)) == (before, True)


def test_a_dispute_that_is_won_gives_the_rest_back(
    api: Api, people: People, stripe_server: StripeServer
) -> None:
    listing = make_listing(owner=people.owner)
    order = buy(api, one(listing))
    session = stripe_server.pay(begin(order, "card").provider_reference or "")
    tell(stripe_server, COMPLETED, session)
    begun = timezone.now() - timedelta(days=3)
    FeaturedPlace.objects.update(begins_at=begun, ends_at=begun + WEEK)
    dispute = {"id": "dp_1", "payment_intent": session["payment_intent"], "status": "needs_response"}

    tell(stripe_server, "charge.dispute.created", dispute)
    assert not is_featured(listing)
    tell(stripe_server, "charge.dispute.closed", dict(dispute, status="won"))

    assert (money(order), lines(order), is_featured(listing)) == (
        ("paid", ["paid"]),
        [("featured", "done")],
        True,
    )
    first, second = spans(listing)
    assert first[0] == begun
    assert (first[1] - first[0]) + (second[1] - second[0]) == WEEK
    assert timedelta(days=4) - MINUTE < second[1] - second[0] <= timedelta(days=4)


@pytest.mark.parametrize("week", [None, str(MONDAY)])
def test_what_needs_a_launch_waits_for_that_of_its_order(api: Api, people: People, week: str | None) -> None:
    """Whichever line stands first, and whichever a worker takes first."""
    listing = make_listing(owner=people.owner, status="draft")
    launch = {"product": "launch", "listing_id": listing.pk, **({"week": week} if week else {})}

    order = pay(buy(api, one(listing), launch))

    assert lines(order) == [("featured", "done"), ("launch", "done")]
    assert is_featured(listing) is (week is None)


def test_a_bundle_is_featured_from_its_launch_on(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    order = pay(buy(api, {"product": "launch_bundle", "listing_id": listing.pk, "week": str(MONDAY)}))

    assert spans(listing) == [(weeks.start(MONDAY), weeks.end(MONDAY))]
    assert dates(api, order) == {
        "from": f"{MONDAY}T00:00:00Z",
        "until": f"{MONDAY + weeks.WEEK}T00:00:00Z",
    }
    give_back(order, people)
    assert (spans(listing), dates(api, order)) == ([], {})


def test_pages_say_from_and_until(api: Api, people: People, client: Client) -> None:
    listing = make_listing(owner=people.owner)
    client.force_login(people.owner)
    shop = client.get(f"/account/listings/{listing.pk}/buy").content.decode()
    assert f'href="/account/listings/{listing.pk}/buy/featured"' in shop
    page = " ".join(client.get(f"/account/listings/{listing.pk}/buy/featured").content.decode().split())
    assert f'value="{MONDAY}"' in page
    until = f"{MONDAY + weeks.WEEK:%-d %B %Y}, 00:00 UTC"
    assert f"{MONDAY:%-d %B}, 00:00 to {until}. Nobody else is featured then" in page
    assert "Total without VAT" in page
    assert client.get("/account/listings/999999/buy/featured").status_code == 404

    sent = client.post(f"/account/listings/{listing.pk}/buy", {"product": "featured", "start": f"{MONDAY}"})
    words = f"featured from {MONDAY:%-d %B %Y}, 00:00 to {MONDAY + weeks.WEEK:%-d %B %Y}, 00:00 UTC"
    assert words in client.get(sent["Location"]).content.decode()
    order = pay(Order.objects.get())
    for page in (sent["Location"], f"/account/orders/{order.number}"):
        assert words in client.get(page).content.decode(), page
    own = client.get(f"/account/listings/{listing.pk}").content.decode()
    assert "Featured: still to come" in own
    assert [day for day in (MONDAY, MONDAY + weeks.WEEK) if f"<b>{day:%-d %b}, 00:00</b>" not in own] == []


def test_the_upgrade_gives_stored_ends_their_dates_and_their_lines(api: Api, people: People) -> None:
    """What `directory.0031` and `orders.0008` carry over: an end alone becomes a place, and each line gets its week."""
    now = timezone.now()
    live = make_listing("live", owner=people.owner, at=now - timedelta(days=30))
    twice = make_listing("twice", owner=people.owner, at=now - timedelta(days=30))
    make_listing("soon", owner=people.owner, status="scheduled", launch_week=MONDAY)
    make_listing("ended", owner=people.owner)
    first, second, third = (pay(buy(api, one(listing))) for listing in (twice, twice, live))
    FeaturedPlace.objects.all().delete()
    ends = {
        "live": now + timedelta(days=3),
        "twice": now + timedelta(days=13),
        "soon": weeks.end(MONDAY),
        "ended": now - MINUTE,
    }
    for slug, end in ends.items():
        Listing.objects.filter(slug=slug).update(featured_until=end)

    with connection.cursor() as cursor:
        cursor.execute(import_module("directory.migrations.0031_featured_places").CARRY_OVER)
    import_module("orders.migrations.0008_featured_lines").give_places_their_lines(apps, None)

    rows = FeaturedPlace.objects.order_by("listing__slug", "begins_at")
    line_of = {order: order.lines.get().pk for order in (first, second, third)}
    assert [
        (row.listing.slug, row.order_line, row.ends_at, row.with_launch)
        for row in rows.select_related("listing")
    ] == [
        ("live", line_of[third], ends["live"], False),
        ("soon", None, ends["soon"], True),
        ("twice", line_of[first], ends["twice"] - WEEK, False),
        ("twice", line_of[second], ends["twice"], False),
    ]
    begins = dict(rows.values_list("listing__slug", "begins_at"))  # the last of each
    assert begins["live"] == ends["live"] - WEEK
    assert begins["soon"] == weeks.start(MONDAY)
    assert begins["twice"] == ends["twice"] - WEEK
    assert timedelta() <= now + MINUTE - rows.get(order_line=line_of[first]).begins_at < 2 * MINUTE


def test_the_order_shows_what_came_of_it(api: Api, people: People, client: Client) -> None:
    listing = make_listing(owner=people.owner)
    order = pay(buy(api, one(listing)))
    place = FeaturedPlace.objects.get()
    client.force_login(people.owner)
    address = f"/account/orders/{order.number}"
    assert "Nobody is counted yet." in client.get(address).content.decode()
    for kind, number in (("home", 812), ("visit", 58), ("click", 19)):
        FeaturedCount.objects.create(place=place, day=timezone.now().date(), kind=kind, number=number)

    page = re.sub(r"<[^>]+>|\s+", " ", client.get(address).content.decode())

    words = " ".join(page.split())
    assert "Featured: day 1 of 7" in words
    assert "Seen on: Home page 812 Seen on: Launch week 0" in words
    assert "Visits to its page 58 Visits to its website 19" in words
