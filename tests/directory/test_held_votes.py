"""Bursts of votes from new accounts: held with their reasons, counted nowhere until staff release them."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client

from accounts.models import User
from accounts.networks import network_digest
from directory import limits, weeks
from directory.engagement import tally as engagement
from directory.engagement import voting
from directory.engagement.holding import Effect, bursts, effect_of, release_votes
from directory.engagement.voiding import undo_void, void_burst, void_votes
from directory.engagement.voting import marks
from directory.errors import CannotUndoError
from directory.models import Launch, Listing, ListingStats, Site, Vote
from leaderboards.closing import close_week, verify_week
from tests.conftest import People, signed_in
from tests.factories.listings import AT, make_listing

HERE, BESIDE, ELSEWHERE = "198.51.100.7", "198.51.100.200", "203.0.113.9"
MANY = limits.VOTE_BURST


@pytest.fixture
def listing(site: Site, people: People) -> Listing:
    return make_listing("tidewell", owner=people.owner)


def join(name: str, *, domain: str = "", age: timedelta = timedelta(hours=1)) -> User:
    return User.objects.create_user(f"{name}@{domain or name + '.example'}", date_joined=AT - age)


def vote(user: User, listing: Listing, address: str = "", at: Any = AT) -> bool:
    return voting.cast_vote(user=user, listing_id=listing.pk, at=at, address=address)


def counts(listing: Listing) -> tuple[int, int, int]:
    """The counters, and how many votes are held."""
    held = Vote.objects.filter(listing=listing, held_at__isnull=False, released_at=None).count()
    return ListingStats.objects.get(pk=listing.pk).votes, Launch.objects.get(listing=listing).votes, held


def burst(listing: Listing, *, number: int = MANY) -> None:
    for index in range(number):
        vote(join(f"ring{index}"), listing, address=(HERE, BESIDE)[index % 2])


def test_a_burst_of_one_network_is_held_with_its_reason(listing: Listing) -> None:
    burst(listing, number=MANY - 1)
    assert counts(listing) == (MANY - 1, MANY - 1, 0)

    vote(join("last"), listing, address=HERE)
    assert counts(listing) == (0, 0, MANY)
    assert set(Vote.objects.values_list("held_for", flat=True)) == {"5 votes of new accounts of one network"}

    vote(join("later"), listing, address=HERE)
    vote(join("other"), listing, address=ELSEWHERE)
    assert counts(listing) == (1, 1, MANY + 1)


def test_a_burst_of_one_mail_domain_is_held(listing: Listing) -> None:
    for index in range(MANY):
        vote(join(f"ring{index}", domain="Catch-All.example"), listing, address=f"203.0.{index}.1")

    assert counts(listing) == (0, 0, MANY)
    assert {row.held_for for row in Vote.objects.all()} == {
        "5 votes of new accounts of the mail domain catch-all.example"
    }


@pytest.mark.parametrize(
    "voters",
    [
        lambda n: (join(f"v{n}", age=limits.NEW_ACCOUNT), HERE),
        lambda n: (join(f"v{n}"), f"198.51.{n}.1"),
        lambda n: (join(f"v{n}"), f"2001:db8:{n}::1"),
        lambda n: (join(f"v{n}", domain="gmail.com"), f"198.51.{n}.1"),
        lambda n: (join(f"v{n}"), ""),
    ],
    ids=["old accounts", "own networks", "own networks of IPv6", "shared mail", "no address"],
)
def test_what_has_nothing_in_common_counts(listing: Listing, voters: Callable[[int], Any]) -> None:
    for number in range(MANY + 2):
        user, address = voters(number)
        vote(user, listing, address=address)

    assert counts(listing) == (MANY + 2, MANY + 2, 0)


def test_votes_far_apart_or_for_several_listings_are_no_burst(listing: Listing) -> None:
    for number in range(MANY + 1):
        other = make_listing(f"other-{number}")
        user = join(f"v{number}")
        vote(user, other, address=HERE)
        vote(user, listing, address=HERE, at=AT + number * limits.VOTE_BURST_WINDOW / (MANY - 1))

    assert Vote.objects.filter(held_at__isnull=False).count() == 0


def test_a_held_vote_counts_nowhere_and_looks_given_to_its_voter(site: Site, listing: Listing) -> None:
    burst(listing)
    engagement.refresh_trends(at=AT)
    voter = Vote.objects.first()

    assert voter is not None
    assert marks(user_id=voter.user_id, site=site, slugs=["tidewell"]).voted == {"tidewell"}
    assert ListingStats.objects.get(pk=listing.pk).hot == 0
    week = weeks.week_of(AT)
    close = close_week(site=site, week=week, at=weeks.end(week))
    assert (close.votes, list(close.results.values_list("votes", flat=True))) == (0, [0])

    release_votes(vote_ids=list(Vote.objects.values_list("pk", flat=True)), at=weeks.end(week))
    assert verify_week(site=site, week=week)
    assert counts(listing) == (MANY, 0, 0)


def test_a_held_vote_can_be_taken_back_and_is_held_again_when_it_is_given_again(listing: Listing) -> None:
    vote(join("honest"), listing, address=ELSEWHERE)
    burst(listing)
    voter = User.objects.get(email="ring0@ring0.example")

    assert voting.take_back_vote(user=voter, listing_id=listing.pk, at=AT) is True
    assert counts(listing) == (1, 1, MANY - 1)
    assert vote(voter, listing, address=HERE) is True
    assert counts(listing) == (1, 1, MANY)

    later = AT + timedelta(weeks=1)
    assert voting.take_back_vote(user=voter, listing_id=listing.pk, at=later) is True
    assert vote(voter, listing, address=HERE, at=later) is True
    assert counts(listing) == (1, 1, MANY)


def test_staff_see_why_and_release_or_void_in_bulk(people: People, listing: Listing) -> None:
    burst(listing)
    client = signed_in(people.staff)
    held = list(Vote.objects.order_by("pk").values_list("pk", flat=True))
    page = client.get("/admin/directory/vote/?decision=held").content.decode()
    assert page.count("votes of new accounts of one network") == MANY

    with time_machine.travel(AT, tick=False):
        body = {"action": "release", "_selected_action": [str(pk) for pk in held[:2]]}
        client.post("/admin/directory/vote/", body)
        client.post("/admin/directory/vote/", body)
        assert counts(listing) == (2, 2, MANY - 2)
        chosen = {"_selected_action": [str(pk) for pk in held[1:]], "reason": "Fake."}
        client.post("/admin/directory/vote/", {"action": "void", **chosen})

    assert ListingStats.objects.get(pk=listing.pk).votes == 1
    assert "votes of new accounts" not in client.get("/admin/directory/vote/?decision=held").content.decode()
    release_votes(vote_ids=held, at=AT)
    assert ListingStats.objects.get(pk=listing.pk).votes == 1


def test_the_page_tells_where_a_vote_came_from(listing: Listing) -> None:
    user = join("somebody")
    client = Client(REMOTE_ADDR=HERE)
    client.force_login(user)
    client.post("/listings/tidewell/vote", {"do": "vote"})

    assert Vote.objects.get().network == network_digest(BESIDE)
    assert HERE not in Vote.objects.get().network
    assert "198.51" not in Vote.objects.get().network


@pytest.mark.parametrize("place", [0, MANY - 1])
def test_the_vote_of_an_old_account_is_no_part_of_a_burst(listing: Listing, place: int) -> None:
    voters = [join(f"new{number}") for number in range(MANY - 1)]
    voters.insert(place, join("old", age=timedelta(days=400)))

    for voter in voters:
        vote(voter, listing, address=HERE)

    assert counts(listing) == (MANY, MANY, 0)


def test_voided_votes_trend_no_more(listing: Listing) -> None:
    for number in range(3):
        vote(join(f"voter{number}"), listing)
    engagement.refresh_trends(at=AT + timedelta(hours=1))
    assert ListingStats.objects.get(pk=listing.pk).hot > 2.9
    bought = list(Vote.objects.order_by("pk").values_list("pk", flat=True))

    void_votes(vote_ids=bought[:2], reason="Bought.", at=AT + timedelta(hours=1))
    engagement.refresh_trends(at=AT + timedelta(hours=1))
    assert 0.9 < ListingStats.objects.get(pk=listing.pk).hot < 1
    void_votes(vote_ids=bought[2:], reason="Bought.", at=AT + timedelta(hours=1))
    engagement.refresh_trends(at=AT + timedelta(hours=1))

    assert ListingStats.objects.get(pk=listing.pk).hot == 0


def test_votes_come_back_until_their_week_is_over_and_never_after(listing: Listing) -> None:
    vote(join("voter"), listing)
    row, monday = Vote.objects.get(), weeks.start(weeks.week_of(AT) + weeks.WEEK)
    sunday = monday - timedelta(minutes=1)
    first = void_burst(listing_id=listing.pk, vote_ids=[row.pk], reason="Bought.", at=sunday)
    assert undo_void(undo_id=first.pk, at=sunday + timedelta(seconds=59)) == 1
    assert counts(listing) == (1, 1, 0)
    second = void_burst(listing_id=listing.pk, vote_ids=[row.pk], reason="Bought.", at=sunday)
    again = void_burst(listing_id=listing.pk, vote_ids=[row.pk], reason="Bought.", at=sunday)
    assert (second.details["votes"], again.details["votes"]) == ([row.pk], [])  # and nobody is told twice

    with pytest.raises(CannotUndoError, match="Their week is over and its result is final"):
        undo_void(undo_id=second.pk, at=monday)

    row.refresh_from_db()
    assert (row.voided_at, counts(listing)) == (sunday, (0, 0, 0))


@pytest.mark.django_db(transaction=True)
def test_votes_that_come_at_once_are_held_as_well() -> None:
    listing = make_listing("tidewell")
    users = [join(f"ring{number}") for number in range(MANY + 1)]
    start = threading.Barrier(len(users))

    def click(user: User) -> None:
        try:
            start.wait()
            vote(user, listing, address=HERE)
        finally:
            connection.close()

    threads = [threading.Thread(target=click, args=(user,)) for user in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert counts(listing) == (0, 0, MANY + 1)


@pytest.mark.parametrize(("hours", "rank"), [(-1, 2), (1, 1)])
def test_staff_see_where_held_votes_would_lead_and_of_a_tie_who_was_first(
    listing: Listing, hours: int, rank: int
) -> None:
    burst(listing)
    other = make_listing("other", at=AT + timedelta(hours=hours))
    for number in range(MANY):
        vote(join(f"fan{number}"), other, address=f"203.0.{number}.1")

    (held,) = bursts(listing_id=listing.pk)
    assert effect_of(held, at=AT) == Effect(without=2, rank_with=rank)
    assert effect_of(held, at=AT + timedelta(weeks=1)) is None
