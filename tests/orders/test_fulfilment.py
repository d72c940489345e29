"""What was paid for takes effect on the site, once; what cannot comes back to its buyer; refunds take it back."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from core import jobs
from core.api import caching
from core.api.errors import NotFoundError
from core.models import Job
from directory import weeks
from directory.listings.from_draft import DraftedListing, save_from_draft
from directory.models import Launch, Listing, SiteSettings
from leaderboards.boards.billboard import record_contribution
from leaderboards.models import Contribution
from orders import fulfil, refunding
from orders.errors import WeekUnavailableError
from orders.models import Order, OrderLine, SlotHold, StaffTask
from tests.conftest import Api, People
from tests.factories.listings import make_category, make_listing
from tests.orders.paying import begin, buy, choose, dead, lines, money, pay, work
from tests.waiting import begin_blocked

NOW = timezone.now()
NEXT = weeks.week_of(NOW) + 2 * weeks.WEEK  # which is to come also when a Monday begins meanwhile
AFTER = NEXT + weeks.WEEK


def give_back(order: Order, people: People) -> None:
    """Staff refund all of it."""
    payment = order.payments.get(status="paid")
    refunding.refund(payment_id=str(payment.pk), reason="Asked", staff_id=people.staff.pk, at=timezone.now())
    work()


def again(listing: Listing) -> Listing:
    listing.refresh_from_db()
    return listing


def launches(listing: Listing) -> list[tuple[date, str, bool]]:
    rows = Launch.objects.filter(listing=listing).order_by("week")
    return [(row.week, row.kind, row.launched_at is not None) for row in rows]


def test_a_launch_is_live_at_once_on_the_paid_plan(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft", story={"story": "How it began"})
    order = pay(buy(api, {"product": "launch", "listing_id": listing.pk}))

    public = api().get(f"/api/v1/listings/{listing.slug}").json()
    assert (money(order), lines(order)) == (("paid", ["paid"]), [("launch", "done")])
    assert (public["status"], public["plan"], public["story"]["story"]) == ("live", "paid", "How it began")
    assert launches(listing) == [(weeks.week_of(timezone.now()), "paid", True)]
    told = api("all").get(f"/api/v1/orders/{order.number}").json()
    assert (told["status"], told["lines"][0]["fulfilled"], told["payment"]["test_money"]) == (
        "paid",
        True,
        True,
    )

    give_back(order, people)
    assert (money(order)[0], lines(order)) == ("refunded", [("launch", "reversed")])
    assert (again(listing).status, listing.plan) == ("live", "free")


def test_a_bought_week_is_kept_until_it_begins(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    order = pay(buy(api, {"product": "launch", "listing_id": listing.pk, "week": str(NEXT)}))
    assert (again(listing).status, listing.launch_week, listing.plan) == ("scheduled", NEXT, "paid")
    assert (launches(listing), SlotHold.objects.get().state) == ([(NEXT, "paid", False)], "placed")

    give_back(order, people)
    assert (again(listing).status, listing.plan, launches(listing)) == ("draft", "free", [])

    pay(buy(api, {"product": "launch", "listing_id": listing.pk, "week": str(NEXT)}))
    call_command("publish_due", at=weeks.start(NEXT) + timedelta(minutes=1))
    assert (again(listing).status, launches(listing)) == ("live", [(NEXT, "paid", True)])


def test_a_week_is_not_booked_for_a_listing_that_lacks_facts_by_now(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    order = buy(api, {"product": "launch", "listing_id": listing.pk, "week": str(NEXT)})
    listing.filed.all().delete()
    pay(order)

    line = order.lines.get()
    assert (line.fulfilment_status, line.blocked_reason) == ("blocked", "invalid_state")
    assert "can’t launch yet. Left: category." in line.blocked_detail
    assert (again(listing).status, listing.plan, launches(listing)) == ("draft", "free", [])
    assert SlotHold.objects.get().state == "taken"


def test_skipping_the_queue_changes_the_week_and_a_refund_queues_again(api: Api, people: People) -> None:
    listing = make_listing(
        owner=people.owner, status="awaiting_badge", at=weeks.start(AFTER + 8 * weeks.WEEK)
    )
    order = pay(buy(api, {"product": "skip_queue", "listing_id": listing.pk, "week": str(NEXT)}))
    assert (again(listing).status, listing.launch_week, listing.plan) == ("scheduled", NEXT, "free")
    assert launches(listing) == [(NEXT, "paid", False)]
    own = api("all").get(f"/api/v1/me/listings/{listing.pk}").json()
    why = own["next_actions"][0]["why"]
    assert why.startswith(
        f"To launch in the week of {NEXT:%-d %B %Y}, the badge has to be there when it begins. A person puts this code "
    )

    give_back(order, people)
    assert (again(listing).status, launches(listing)) == (
        "awaiting_badge",
        [(listing.launch_week, "free", False)],
    )


def test_a_relaunch_is_a_new_launch_of_a_live_listing(api: Api, people: People) -> None:
    long_ago = NOW - timedelta(days=200)
    listing = make_listing(owner=people.owner, at=long_ago, votes=5)
    order = pay(buy(api, {"product": "relaunch", "listing_id": listing.pk, "week": str(NEXT)}))
    first = (weeks.week_of(long_ago), "free", True)
    assert (lines(order), launches(listing)) == ([("relaunch", "done")], [first, (NEXT, "relaunch", False)])

    call_command("publish_due", at=weeks.start(NEXT) + timedelta(minutes=1))
    assert (again(listing).status, launches(listing)) == ("live", [first, (NEXT, "relaunch", True)])
    assert [row.votes for row in Launch.objects.filter(listing=listing).order_by("week")] == [5, 0]
    week = api().get(f"/api/v1/launches/weeks/{NEXT}").json()
    assert [item["listing"]["slug"] for item in week["items"]] == [listing.slug]


def test_extra_categories_show_and_a_draft_does_not_take_them_away(api: Api, people: People) -> None:
    make_category("payroll")
    make_category("banking")
    listing = make_listing(owner=people.owner)
    order = pay(
        buy(
            api,
            {"product": "extra_categories", "listing_id": listing.pk, "categories": ["payroll", "banking"]},
        )
    )
    assert categories(api, listing) == ["invoicing", "payroll", "banking"]
    assert api().get("/api/v1/categories/payroll").json()["listings"]["total"] == 1

    drafted = DraftedListing(
        url=listing.url,
        domain=listing.domain,
        host=listing.host,
        values={},
        founded_year=None,
        categories=["invoicing"],
    )
    save_from_draft(
        owner=people.owner,
        site=listing.site,
        listing_id=listing.pk,
        drafted=drafted,
        at=timezone.now(),
        only=frozenset({"categories"}),
    )
    assert categories(api, listing) == ["invoicing", "payroll", "banking"]

    give_back(order, people)
    assert categories(api, listing) == ["invoicing"]


def categories(api: Api, listing: Listing) -> list[str]:
    caching.ANSWERS.clear()
    return [row["slug"] for row in api().get(f"/api/v1/listings/{listing.slug}").json()["categories"]]


def board(api: Api) -> list[tuple[str, int]]:
    caching.ANSWERS.clear()
    items = api().get("/api/v1/leaderboards/billboard").json()["items"]
    return [(item["listing"]["slug"], item["metric"]["value"]) for item in items]


def test_the_billboard_counts_net_money_and_never_test_money_beside_real_money(
    api: Api, people: People, settings: Any
) -> None:
    listing, rival = make_listing(owner=people.owner), make_listing("rival")
    order = pay(buy(api, {"product": "billboard_min", "listing_id": listing.pk, "amount_cents": 5000}))
    assert (order.total_cents, board(api)) == (5950, [(listing.slug, 5000)])

    line = order.lines.get()
    refunding.refund(
        payment_id=str(order.payments.get().pk),
        line_id=line.pk,
        amount_cents=1190,
        reason="Asked",
        staff_id=people.staff.pk,
        at=timezone.now(),
    )
    work()
    assert board(api) == [(listing.slug, 4000)]

    record_contribution(
        listing_id=rival.pk, reference="real", amount_cents=1, currency="EUR", at=timezone.now()
    )
    assert board(api) == [(rival.slug, 1)]

    give_back(order, people)
    assert sum(Contribution.objects.filter(listing=listing).values_list("amount_cents", flat=True)) == 0


def test_money_counts_at_once_whichever_line_is_done_first(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    billboard = {"product": "billboard_min", "listing_id": listing.pk, "amount_cents": 5000}
    pay(buy(api, billboard, {"product": "launch", "listing_id": listing.pk}))

    assert board(api) == [(listing.slug, 5000)]


def test_work_for_staff_is_done_when_they_close_it(api: Api, people: People) -> None:
    order = pay(buy(api, {"product": "done_for_you", "options": {"website": "https://tidewell.example/"}}))
    task = StaffTask.objects.get()
    assert (lines(order), "tidewell.example" in task.detail) == ([("done_for_you", "in_progress")], True)

    for _ in range(2):
        fulfil.close_task(task_id=task.pk, result="Done.", staff_id=people.staff.pk, at=timezone.now())
    assert lines(order) == [("done_for_you", "done")]


def test_a_bundle_is_all_of_its_parts_and_comes_back_whole(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    order = pay(buy(api, {"product": "launch_bundle", "listing_id": listing.pk}))
    assert lines(order) == [("launch_bundle", "done")]
    assert order.lines.get().parts_done == ["launch", "featured", "ai_review"]
    assert (again(listing).status, listing.plan, listing.featured_until is not None) == ("live", "paid", True)

    give_back(order, people)
    assert (again(listing).plan, listing.featured_until, lines(order)) == (
        "free",
        None,
        [("launch_bundle", "reversed")],
    )


def test_nothing_to_pay_is_paid_without_a_provider(api: Api, people: People) -> None:
    call_command("create_promo_code", "WELCOME2026", percent="100")
    listing = make_listing(owner=people.owner, status="draft")
    order = buy(api, {"product": "launch", "listing_id": listing.pk}, promo_code="WELCOME2026")
    payment = begin(order)
    work()

    assert (payment.status, payment.provider, order.total_cents) == ("paid", "none", 0)
    assert (money(order), lines(order), again(listing).status) == (
        ("paid", ["paid"]),
        [("launch", "done")],
        "live",
    )


def test_a_week_that_filled_up_is_never_another_one_in_silence(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    order = buy(api, {"product": "launch", "listing_id": listing.pk, "week": str(NEXT)})
    payment = begin(order)
    choose(payment, "later")
    assert SlotHold.objects.get().held_until - timezone.now() > timedelta(hours=71)
    SlotHold.objects.update(held_until=timezone.now() - timedelta(minutes=1))
    SiteSettings.objects.update(paid_slots_per_week=0)
    choose(payment, "pay")
    line = order.lines.get()
    assert (money(order), lines(order), line.blocked_reason) == (
        ("paid", ["paid"]),
        [("launch", "blocked")],
        "week_full",
    )
    assert (again(listing).status, launches(listing)) == ("draft", [])

    fulfil.ask_refund(line_id=line.pk, owner_id=people.owner.pk, at=timezone.now())
    assert StaffTask.objects.get().kind == "blocked"
    SiteSettings.objects.update(paid_slots_per_week=1)
    for week in (AFTER + timedelta(days=1), weeks.week_of(NOW), AFTER + 52 * weeks.WEEK):
        with pytest.raises(WeekUnavailableError):
            fulfil.choose_week(line_id=line.pk, owner_id=people.owner.pk, week=week, at=timezone.now())
    with pytest.raises(NotFoundError):
        fulfil.choose_week(line_id=line.pk, owner_id=people.stranger.pk, week=AFTER, at=timezone.now())
    fulfil.choose_week(line_id=line.pk, owner_id=people.owner.pk, week=AFTER, at=timezone.now())
    work()
    assert (lines(order), launches(listing)) == ([("launch", "done")], [(AFTER, "paid", False)])


def test_what_cannot_launch_waits_for_its_buyer(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner, status="draft")
    order = buy(api, {"product": "launch", "listing_id": listing.pk})
    payment = begin(order)
    twin = make_listing("twin", url=listing.url, host=listing.host, domain=listing.domain)
    choose(payment, "pay")
    line = order.lines.get()
    assert (lines(order), line.blocked_reason) == ([("launch", "blocked")], "duplicate_listing")
    OrderLine.objects.update(listing=None)  # deleted meanwhile
    fulfil.try_again(line_id=line.pk, owner_id=people.owner.pk, at=timezone.now())
    work()
    assert (lines(order), order.lines.get().blocked_reason) == ([("launch", "blocked")], "listing_gone")
    OrderLine.objects.update(listing=listing)

    Listing.objects.filter(pk=twin.pk).update(status="archived")
    fulfil.try_again(line_id=line.pk, owner_id=people.owner.pk, at=timezone.now())
    work()
    assert (lines(order), again(listing).status) == ([("launch", "done")], "live")


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_dies_while_it_works_leaves_it_to_be_done_once(api: Api, people: People) -> None:
    listing = make_listing(owner=people.owner)
    order = buy(api, {"product": "featured", "listing_id": listing.pk})
    payment = begin(order)
    Client().post(payment.redirect_url, {"choice": "pay"})
    jobs.run(job_id=Job.objects.get(kind="orders.act_on_event").pk)
    job = Job.objects.get(kind="orders.fulfil_line")
    with transaction.atomic():
        Listing.objects.select_for_update().get(pk=listing.pk)
        worker = begin_blocked(lambda: jobs.run(job_id=job.pk))  # it has the line, and waits for the listing
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            assert cursor.fetchall() == [(True,)]
    worker.join()
    assert lines(order) == [("featured", "waiting")]

    past = timezone.now() - timedelta(minutes=10)
    Job.objects.filter(pk=job.pk).update(lease_until=past, run_after=past)
    work()
    fulfil.fulfil_line(line_id=OrderLine.objects.get().pk, at=timezone.now())
    assert (lines(order), dead()) == ([("featured", "done")], [])
    assert again(listing).featured_until < timezone.now() + timedelta(days=8)  # type: ignore[operator]
