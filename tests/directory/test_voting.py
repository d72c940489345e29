"""Votes: one a person, exact under load, never through the API."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from config.docs.pages import schema
from config.mcp.tools import catalogue
from core.postgresql.base import fetch_row
from directory import limits
from directory.engagement import tally as engagement
from directory.engagement import voiding, voting
from directory.engagement.voting import marks
from directory.errors import ListingNotFoundError, OwnListingError
from directory.models import Follow, Launch, ListingStats, Site, Vote
from tests.conftest import People
from tests.factories.listings import AT, make_listing


def counts(listing_id: int) -> tuple[int, int, int]:
    return (
        ListingStats.objects.get(pk=listing_id).votes,
        Launch.objects.get(listing=listing_id).votes,
        Vote.objects.filter(listing=listing_id, voided_at=None).count(),
    )


def test_a_person_votes_once_and_may_take_it_back(people: People, site: Site) -> None:
    listing = make_listing("tidewell")

    assert voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=AT) is True
    assert voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=AT) is False
    assert counts(listing.pk) == (1, 1, 1)
    assert voting.take_back_vote(user=people.stranger, listing_id=listing.pk, at=AT) is True
    assert voting.take_back_vote(user=people.stranger, listing_id=listing.pk, at=AT) is False
    assert counts(listing.pk) == (0, 0, 0)


def test_a_vote_after_the_launch_week_counts_for_all_time_alone(people: People, site: Site) -> None:
    listing = make_listing("tidewell")

    voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=AT + timedelta(weeks=1))

    assert counts(listing.pk) == (1, 0, 1)


def test_a_vote_taken_back_later_leaves_the_finished_weeks_count(people: People, site: Site) -> None:
    listing = make_listing("tidewell")
    voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=AT)

    voting.take_back_vote(user=people.stranger, listing_id=listing.pk, at=AT + timedelta(weeks=1))

    assert counts(listing.pk) == (0, 1, 0)


def test_a_vote_taken_back_later_can_be_given_again_once(people: People, site: Site) -> None:
    listing, later = make_listing("tidewell"), AT + timedelta(weeks=1)
    voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=AT)
    voting.take_back_vote(user=people.stranger, listing_id=listing.pk, at=later)
    shown = marks(user_id=people.stranger.pk, site=site, slugs=["tidewell"]).voted

    assert shown == frozenset()
    assert voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=later) is True
    assert voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=later) is False
    assert counts(listing.pk) == (1, 1, 1)
    assert marks(user_id=people.stranger.pk, site=site, slugs=["tidewell"]).voted == {"tidewell"}


def test_a_vote_that_staff_voided_can_be_neither_taken_back_nor_cast_anew(people: People, site: Site) -> None:
    listing = make_listing("tidewell")
    voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=AT)
    voiding.void_votes(vote_ids=[Vote.objects.get().pk], reason="Bought.", at=AT)

    assert voting.take_back_vote(user=people.stranger, listing_id=listing.pk, at=AT) is False
    assert voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=AT) is False
    assert counts(listing.pk) == (0, 0, 0)


def test_nobody_votes_for_their_own_product_or_for_one_that_is_not_live(people: People, site: Site) -> None:
    own, saved = make_listing("own", owner=people.owner), make_listing("saved", status="draft")

    with pytest.raises(OwnListingError):
        voting.cast_vote(user=people.owner, listing_id=own.pk, at=AT)
    with pytest.raises(ListingNotFoundError):
        voting.cast_vote(user=people.owner, listing_id=saved.pk, at=AT)

    assert Vote.objects.count() == 0


def test_a_vote_of_somebody_who_is_gone_counts_nothing(site: Site) -> None:
    listing = make_listing("tidewell")
    values = {"listing": listing.pk, "user": 0, "week": AT.date(), "at": AT, "network": ""}

    with pytest.raises(IntegrityError), transaction.atomic():
        fetch_row(voting.CAST, values)

    assert counts(listing.pk) == (0, 0, 0)


@pytest.mark.django_db(transaction=True)
def test_fifty_people_voting_at_once_with_double_clicks_are_counted_exactly() -> None:
    listing = make_listing("tidewell")
    users = [
        User.objects.create_user(f"v{number}@people.example", date_joined=AT - limits.NEW_ACCOUNT)
        for number in range(50)
    ]
    start = threading.Barrier(10)

    def clicks(mine: list[User]) -> None:
        try:
            start.wait()
            for user in mine + mine:
                voting.cast_vote(user=user, listing_id=listing.pk, at=AT)
        finally:
            connection.close()

    threads = [threading.Thread(target=clicks, args=(users[number::10],)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert counts(listing.pk) == (50, 50, 50)


def test_no_operation_of_the_api_votes() -> None:
    operations = [call["operationId"] for path in schema()["paths"].values() for call in path.values()]

    assert [name for name in operations if "vote" in name] == []
    assert [path for path in schema()["paths"] if "vote" in path or "follow" in path] == []


def test_no_tool_votes_or_follows() -> None:
    tools = catalogue()

    assert "get_listing" in tools
    assert [name for name in tools if "vote" in name or "follow" in name] == []
    assert [
        name for name, tool in tools.items() if {"vote", "votes"} & set(tool.input_schema["properties"])
    ] == []


def test_following_counts_once_and_ends(people: People, site: Site) -> None:
    listing = make_listing("tidewell")

    assert [voting.follow(user=people.stranger, listing_id=listing.pk, at=AT) for _ in range(2)] == [
        True,
        False,
    ]
    assert ListingStats.objects.get(pk=listing.pk).followers == 1
    assert [voting.unfollow(user=people.stranger, listing_id=listing.pk) for _ in range(2)] == [True, False]
    assert (ListingStats.objects.get(pk=listing.pk).followers, Follow.objects.count()) == (0, 0)


def test_what_is_trending_is_recent_votes_each_halved_every_two_days(
    site: Site, people: People, make_users: Callable[[int], list[User]]
) -> None:
    now = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    fresh, old, stale = make_listing("fresh"), make_listing("old"), make_listing("stale")
    ListingStats.objects.filter(pk=stale.pk).update(hot=9)
    users = make_users(3)
    for listing, user, age in ((fresh, users[0], 0), (old, users[1], 2), (old, users[2], 4)):
        Vote.objects.create(listing=listing, user=user, week=now.date(), created_at=now - timedelta(days=age))

    engagement.refresh_trends(at=now)

    hot = dict(ListingStats.objects.values_list("listing__slug", "hot"))
    assert hot == pytest.approx({"fresh": 1.0, "old": 0.75, "stale": 0.0})


@pytest.fixture
def make_users(db: None) -> Callable[[int], list[User]]:
    return lambda number: [User.objects.create_user(f"u{index}@people.example") for index in range(number)]


@pytest.mark.django_db
def test_counters_of_ten_thousand_listings_are_vacuumed_after_a_hundred_votes() -> None:
    """Until then, whoever counts how many stand ahead looks at each row of the pages that votes changed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('autovacuum_vacuum_threshold')::int + 10000 * option_value::float"
            " FROM pg_class, pg_options_to_table(reloptions)"
            " WHERE relname = 'directory_listingstats' AND option_name = 'autovacuum_vacuum_scale_factor'"
        )
        ((changes,),) = cursor.fetchall()

    assert changes <= 100
