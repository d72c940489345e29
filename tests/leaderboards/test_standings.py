"""The boards that are kept follow their listings at once, and ranking them anew touches only what differs."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from directory.models import Listing, Site
from directory.moderation.status import moderate
from directory.search import public_data
from leaderboards.boards import BOARDS, billboard, refresh_boards
from leaderboards.models import BoardRefresh, RevenueReport, Standing
from tests.conftest import Api
from tests.factories.listings import make_listing
from tests.waiting import begin_blocked

AT = datetime(2026, 11, 18, 9, 0, tzinfo=UTC)
LATER = AT + timedelta(hours=1)


def test_boards_rank_money_of_the_sites_currency_alone(site: Site, settings: Any) -> None:
    settings.CURRENCY = "USD"
    euros, dollars = make_listing("euros"), make_listing("dollars")
    for listing, cents, currency in ((euros, 900, "EUR"), (dollars, 500, "USD")):
        billboard.record_contribution(
            listing_id=listing.pk, reference=currency, amount_cents=cents, currency=currency, at=AT
        )
    report = RevenueReport(listing=dollars, amount_cents=1, as_of=AT.date(), entered_at=AT)

    kept = Standing.objects.filter(board="billboard").values_list("listing", "value", "unit")
    assert list(kept) == [(dollars.pk, 500, "USD")]
    assert report.currency == "USD"


def contribute(listing: Listing, cents: int, *, at: datetime = AT) -> None:
    billboard.record_contribution(
        listing_id=listing.pk, reference=f"{listing.pk}-{cents}", amount_cents=cents, currency="EUR", at=at
    )


@pytest.fixture
def five(site: Site) -> list[Listing]:
    listings = [make_listing(f"listing-{number}") for number in range(5)]
    for number, listing in enumerate(listings):
        contribute(listing, 900 - 100 * number)
    return listings


def places(api: Api, query: str = "") -> tuple[list[tuple[int, str]], int]:
    body: dict[str, Any] = api().get(f"/api/v1/leaderboards/billboard{query}").json()
    return [(item["rank"], item["listing"]["slug"][-1]) for item in body["items"]], body["total"]


def test_a_suspended_listing_leaves_a_board_at_once_and_comes_back_at_once(
    api: Api, five: list[Listing]
) -> None:
    moderate(listing_id=five[1].pk, to="suspended", staff_id=1, at=AT, reason="Checked.")

    assert places(api) == ([(1, "0"), (2, "2"), (3, "3"), (4, "4")], 4)
    assert places(api, "?per_page=2&page=2") == ([(3, "3"), (4, "4")], 4)

    moderate(listing_id=five[1].pk, to="live", staff_id=1, at=AT, reason="Checked.")

    assert places(api, "?per_page=2&page=1") == ([(1, "0"), (2, "1")], 5)
    assert places(api, "?per_page=2&page=3") == ([(5, "4")], 5)


def test_a_deleted_listing_leaves_no_gap(api: Api, five: list[Listing]) -> None:
    five[0].delete()

    assert places(api) == ([(1, "1"), (2, "2"), (3, "3"), (4, "4")], 4)


def test_ranking_anew_forgets_a_suspended_listing_and_takes_it_up_again(
    api: Api, site: Site, five: list[Listing]
) -> None:
    moderate(listing_id=five[0].pk, to="suspended", staff_id=1, at=AT, reason="Checked.")
    refresh_boards(at=AT)
    assert Standing.objects.filter(listing=five[0]).count() == 0

    moderate(listing_id=five[0].pk, to="live", staff_id=1, at=AT, reason="Checked.")
    refresh_boards(at=AT)

    assert places(api)[0] == [(1, "0"), (2, "1"), (3, "2"), (4, "3"), (5, "4")]


def test_ranking_anew_finds_a_listing_live_that_nobody_told_about(
    api: Api, site: Site, five: list[Listing]
) -> None:
    Standing.objects.filter(listing=five[2]).update(is_live=False)

    BOARDS["billboard"].refresh(site=site, at=LATER)

    assert places(api)[0] == [(1, "0"), (2, "1"), (3, "2"), (4, "3"), (5, "4")]


def test_ranking_anew_writes_only_the_places_that_changed(api: Api, site: Site, five: list[Listing]) -> None:
    Standing.objects.update(refreshed_at=AT)
    contribute(five[4], 250, at=LATER)

    moved = Standing.objects.filter(refreshed_at=LATER).order_by("rank")
    assert list(moved.values_list("listing", "rank", "previous_rank", "value")) == [
        (five[4].pk, 3, 5, 750),
        (five[2].pk, 4, 3, 700),
        (five[3].pk, 5, 4, 600),
    ]
    assert Standing.objects.filter(refreshed_at=AT).count() == 2
    assert api().get("/api/v1/leaderboards/billboard").json()["as_of"] == "2026-11-18T10:00:00Z"


@contextmanager
def elsewhere(change: Callable[[], object]) -> Iterator[None]:
    """Something changed in a transaction of somebody else, which ends when the block does."""
    done, end = threading.Event(), threading.Event()

    def run() -> None:
        try:
            with transaction.atomic():
                change()
                done.set()
                end.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert done.wait(30)
    try:
        yield
    finally:
        end.set()
        thread.join()


@contextmanager
def impatient() -> Iterator[None]:
    """Whoever would have to wait for a lock fails."""
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
        yield
        cursor.execute("RESET lock_timeout")


@pytest.mark.django_db(transaction=True)
def test_a_listing_that_is_being_suspended_does_not_slip_onto_a_board(api: Api) -> None:
    listing = make_listing("tidewell", domain_rating=40)
    site = listing.site

    def rank() -> None:
        BOARDS["domain-rating"].refresh(site=site, at=AT)

    def suspend() -> None:
        moderate(listing_id=listing.pk, to="suspended", staff_id=1, at=AT, reason="Checked.")

    with elsewhere(suspend), impatient(), pytest.raises(OperationalError):
        rank()
    rank()

    assert Standing.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_what_comes_onto_a_board_while_it_is_being_suspended_is_not_shown(api: Api) -> None:
    """Ranking waits for the suspension; a row written from what was read before it would show the listing."""
    listing = make_listing("tidewell", domain_rating=40)

    def rank() -> None:
        BOARDS["domain-rating"].refresh(site=listing.site, at=AT)

    with transaction.atomic():
        moderate(listing_id=listing.pk, to="suspended", staff_id=1, at=AT, reason="Checked.")
        ranking = begin_blocked(rank)
    ranking.join(30)

    assert not Standing.objects.filter(is_live=True).exists()
    assert api().get("/api/v1/leaderboards/domain-rating").json()["items"] == []


@pytest.mark.django_db(transaction=True)
def test_a_board_is_ranked_by_one_at_a_time() -> None:
    one, two = make_listing("one"), make_listing("two")
    contribute(one, 100)

    with elsewhere(lambda: contribute(two, 900)), impatient(), pytest.raises(OperationalError):
        contribute(one, 200)
    contribute(one, 200)

    ranked = Standing.objects.order_by("rank").values_list("listing__slug", "rank", "value")
    assert list(ranked) == [("two", 1, 900), ("one", 2, 300)]
    assert BoardRefresh.objects.get().board == "billboard"


def test_every_change_of_a_listing_tells_the_rows_that_are_shown_while_it_is_live(
    site: Site, five: list[Listing]
) -> None:
    Listing.objects.filter(pk__in=[five[0].pk, five[3].pk]).update(status="archived")

    public_data.refresh(listing_ids=[listing.pk for listing in five])

    gone = Standing.objects.filter(is_live=False).order_by("rank").values_list("listing", flat=True)
    assert list(gone) == [five[0].pk, five[3].pk]
