"""Votes that staff void once a week is closed: places and awards follow, the file of its ballots stays."""

import gzip
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from core import jobs
from core.models import Job
from directory.engagement import voiding, voting
from directory.models import Launch, Listing, Site, Undo, Vote
from directory.moderation import merging
from leaderboards import ballots, closing
from leaderboards.models import Award, WeekClose
from leaderboards.trophies import programmes
from tests.conftest import Caller, People
from tests.factories.listings import make_listing
from tests.leaderboards.conftest import NEXT_MONDAY, WEDNESDAY, WEEK
from tests.leaderboards.test_ballots import ADDRESS, fetch
from tests.leaderboards.test_programmes import make_programme

LATER = NEXT_MONDAY + timedelta(hours=1)
WHY = "Votes that we took out of the count, or put back, changed the places."


@pytest.fixture
def three(site: Site, people: People, vote: Callable[..., Any]) -> list[Listing]:
    """A closed week: 4, 3 and 2 votes."""
    listings = [
        make_listing(slug, owner=people.owner, at=WEDNESDAY) for slug in ("a-one", "b-two", "c-three")
    ]
    for listing, number in zip(listings, (4, 3, 2), strict=True):
        vote(listing, number)
    call_command("close_week", week=WEEK, at=NEXT_MONDAY)
    return listings


def void(listing: Listing, number: int, *, at: datetime = LATER) -> None:
    rows = Vote.objects.filter(listing=listing, voided_at=None).order_by("pk")[:number]
    voiding.void_votes(vote_ids=[row.pk for row in rows], reason="bought", at=at)
    jobs.run_due()


def places(api: Callable[..., Caller]) -> list[tuple[int, str, int]]:
    items = api().get(f"/api/v1/launches/weeks/{WEEK}").json()["items"]
    return [(item["rank"], item["listing"]["slug"], item["votes"]) for item in items]


def winners() -> dict[int, str]:
    return dict(Award.objects.valid().values_list("rank", "listing__slug"))


def written() -> list[str]:
    """The mails about awards that come and go."""
    kinds = ("award_given-", "award_revoked-")
    keys = Job.objects.filter(kind="core.send_mail").values_list("key", flat=True)
    return sorted(key for key in keys if key.startswith(kinds))


def test_a_void_that_changes_places_moves_the_awards_and_tells_both(
    three: list[Listing], api: Callable[..., Caller], client: Client
) -> None:
    former = {award.rank: award.pk for award in Award.objects.all()}
    before = fetch(client)
    assert "Corrected on" not in client.get(f"/weeks/{WEEK}").content.decode()
    void(three[0], 2)

    assert places(api) == [(1, "b-two", 3), (2, "a-one", 2), (3, "c-three", 2)]
    assert winners() == {1: "b-two", 2: "a-one", 3: "c-three"}
    gone, kept = (api().get(f"/api/v1/awards/{former[rank]}/verification").json() for rank in (1, 3))
    assert (gone["valid"], gone["reason"], kept["valid"]) == (False, WHY, True)
    fresh = {award.rank: award.pk for award in Award.objects.valid().filter(rank__in=(1, 2))}
    assert all(api().get(f"/api/v1/awards/{pk}/verification").json()["valid"] for pk in fresh.values())
    revoked = client.get("/awards/revoked.json").json()["revokedCredential"]
    assert [row["id"].rpartition("/")[2] for row in revoked] == [str(former[1]), str(former[2])]
    assert written() == sorted(
        [f"award_given-{pk}" for pk in fresh.values()] + [f"award_revoked-{former[rank]}" for rank in (1, 2)]
    )
    assert api().get("/api/v1/listings/b-two").json()["awards"] == [
        {"code": "launch_of_the_week_1", "week": "2026-11-16"}
    ]
    assert fetch(client) == before
    page = client.get(f"/weeks/{WEEK}").content.decode()
    assert "Corrected on" in page
    assert ADDRESS in page


def test_a_second_void_moves_them_again_and_nothing_is_issued_twice(
    three: list[Listing], api: Callable[..., Caller]
) -> None:
    first = Award.objects.get(rank=1).pk
    void(three[0], 2)
    void(three[1], 2, at=LATER + timedelta(hours=1))
    jobs.run_due()

    assert places(api) == [(1, "a-one", 2), (2, "c-three", 2), (3, "b-two", 1)]
    assert winners() == {1: "a-one", 2: "c-three", 3: "b-two"}
    assert Award.objects.get(rank=1, revoked_at=None).pk != first
    assert Award.objects.count() == 3 + 2 + 3
    assert len(written()) == len(set(written())) == 2 * (2 + 3)
    assert sorted(Launch.objects.values_list("listing__slug", "votes")) == [
        ("a-one", 2),
        ("b-two", 1),
        ("c-three", 2),
    ]


def test_verify_is_content_with_what_was_corrected_and_with_the_file(
    three: list[Listing], capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (1, 2):
        void(three[0], number)
        call_command("close_week", week=WEEK, verify=True)
        assert "1 results follow from the votes, 1 with file, chain and head" in capsys.readouterr().out


def test_a_void_that_changes_no_place_leaves_the_awards(
    three: list[Listing], api: Callable[..., Caller]
) -> None:
    before = list(Award.objects.order_by("pk").values_list("pk", "revoked_at", "credential"))
    void(three[2], 1)

    assert places(api) == [(1, "a-one", 4), (2, "b-two", 3), (3, "c-three", 1)]
    assert list(Award.objects.order_by("pk").values_list("pk", "revoked_at", "credential")) == before
    assert written() == []


def test_who_loses_every_vote_wins_nothing(three: list[Listing]) -> None:
    void(three[2], 2)

    assert winners() == {1: "a-one", 2: "b-two"}


def test_what_is_undone_is_as_it_was_closed(
    three: list[Listing], people: People, api: Callable[..., Caller]
) -> None:
    before = places(api)
    ids = list(Vote.objects.filter(listing=three[0]).values_list("pk", flat=True))
    undo = voiding.void_burst(listing_id=three[0].pk, vote_ids=ids, reason="bought", at=LATER)
    jobs.run_due()
    assert winners() == {1: "b-two", 2: "c-three"}
    voiding.undo_void(undo_id=Undo.objects.get(pk=undo.pk).pk, at=LATER + timedelta(minutes=1))
    jobs.run_due()

    assert (places(api), winners()) == (before, {1: "a-one", 2: "b-two", 3: "c-three"})


def test_what_a_voter_takes_back_or_other_weeks_change_nothing(
    three: list[Listing], vote: Callable[..., Any], api: Callable[..., Caller]
) -> None:
    before = places(api)
    mine = Vote.objects.filter(listing=three[1]).earliest("pk")
    voting.take_back_vote(user=mine.user, listing_id=three[1].pk, at=LATER)
    (late,) = vote(three[0], 1, at=LATER)
    voiding.void_votes(vote_ids=[late.pk], reason="bought", at=LATER)
    jobs.run_due()

    assert (places(api), written()) == (before, [])
    assert WeekClose.objects.get().corrected_at is None


def test_a_result_that_does_not_follow_from_its_votes_is_left_as_it_is(
    three: list[Listing], api: Callable[..., Caller]
) -> None:
    before = places(api)
    WeekClose.objects.update(digest="0" * 64)
    void(three[0], 3)

    assert (places(api), Award.objects.filter(revoked_at=None).count()) == (before, 3)


@pytest.mark.parametrize("act", ["taken back", "voided"])
def test_a_vote_that_counts_again_after_the_close_leaves_what_was_closed(
    site: Site, people: People, vote: Callable[..., Any], act: str
) -> None:
    listing = make_listing("a-one", owner=people.owner, at=WEDNESDAY)
    mine, *_ = vote(listing, 3)
    opens = {"entry_from": WEDNESDAY - timedelta(days=9), "entry_until": WEDNESDAY - timedelta(days=2)}
    window = {"votes_from": WEDNESDAY - timedelta(days=2), "votes_until": NEXT_MONDAY}
    programme = make_programme(site, **opens, **window)
    programme.entries.create(listing=listing, entered_at=WEDNESDAY)
    soon, closed = (NEXT_MONDAY + timedelta(minutes=minutes) for minutes in (2, 6))
    if act == "voided":
        undo = voiding.void_burst(listing_id=listing.pk, vote_ids=[mine.pk], reason="bought", at=soon)
    else:
        voting.take_back_vote(user=mine.user, listing_id=listing.pk, at=soon)
    assert (closing.close_due_weeks(at=closed), programmes.close_due_programmes(at=closed)) == (1, 1)
    if act == "voided":
        voiding.undo_void(undo_id=undo.pk, at=LATER)
    else:
        voting.cast_vote(user=mine.user, listing_id=listing.pk, at=LATER)
    jobs.run_due()

    programme.refresh_from_db()
    assert (closing.verify_week(site=site, week=WEEK), programmes.verify_programme(programme)) == (True, True)
    assert (WeekClose.objects.get().votes, programme.entries.get().votes, Vote.objects.counted().count()) == (
        2,
        2,
        3,
    )


def test_a_merge_after_the_close_leaves_places_file_and_ballots(
    three: list[Listing], people: People, site: Site, client: Client
) -> None:
    before, (mine, gone) = fetch(client), Vote.objects.filter(listing=three[0]).order_by("pk")[:2]
    for listing, into in ((three[0], three[1]), (three[2], three[1])):
        merging.merge(listing_id=listing.pk, into_id=into.pk, staff_id=people.staff.pk, at=LATER)
    assert (ballots.faults_of(site=site, week=WEEK), fetch(client)) == ([], before)
    (own,) = ballots.ballots_of_voter(user_id=mine.user_id, site=site, week=WEEK)
    assert own.ballot.digest in gzip.decompress(before).decode()

    voiding.void_votes(vote_ids=[gone.pk], reason="bought", at=LATER)
    jobs.run_due()
    rows = WeekClose.objects.get().results.order_by("rank").values_list("listing__slug", "votes")
    assert list(rows) == [("a-one", 3), ("b-two", 3), ("c-three", 2)]
    assert ballots.faults_of(site=site, week=WEEK) == []


@pytest.mark.parametrize("hours", [(-4, -3), (-3, 2), (2, 3)])
def test_merges_in_a_row_leave_a_week_whenever_it_closed(
    site: Site, people: People, vote: Callable[..., Any], client: Client, hours: tuple[int, int]
) -> None:
    first, second, third = (make_listing(slug, at=WEDNESDAY) for slug in ("a-one", "b-two", "c-three"))
    for listing, number in ((first, 3), (second, 2), (third, 1)):
        vote(listing, number)
    merges = [(hours[0], first, second), (hours[1], second, third)]

    def merged(*, before: bool) -> None:
        for hour, listing, into in merges:
            if (hour < 0) == before:
                at = NEXT_MONDAY + timedelta(hours=hour)
                merging.merge(listing_id=listing.pk, into_id=into.pk, staff_id=people.staff.pk, at=at)

    merged(before=True)
    call_command("close_week", week=WEEK, at=NEXT_MONDAY)
    file = fetch(client)
    merged(before=False)

    assert (ballots.faults_of(site=site, week=WEEK), fetch(client)) == ([], file)


def test_a_merge_that_is_undone_after_the_close_leaves_the_week(
    site: Site, people: People, vote: Callable[..., Any], client: Client
) -> None:
    listing, into = (make_listing(slug, at=WEDNESDAY) for slug in ("a-one", "b-two"))
    vote(listing, 2)
    soon = NEXT_MONDAY - timedelta(hours=1)
    undo = merging.merge(listing_id=listing.pk, into_id=into.pk, staff_id=people.staff.pk, at=soon)
    call_command("close_week", week=WEEK, at=NEXT_MONDAY)
    file = fetch(client)

    merging.undo_merge(undo_id=undo.pk, staff_id=people.staff.pk, at=LATER)

    assert (ballots.faults_of(site=site, week=WEEK), fetch(client)) == ([], file)
    assert list(WeekClose.objects.get().results.order_by("rank").values_list("listing", "votes")) == [
        (into.pk, 2),
        (listing.pk, 0),
    ]


def test_a_void_is_taken_out_of_a_week_that_closed_between_two_merges(
    site: Site, people: People, vote: Callable[..., Any]
) -> None:
    first, second, third, other = (
        make_listing(slug, at=WEDNESDAY) for slug in ("a-one", "b-two", "c-three", "d-four")
    )
    vote(first, 2)
    vote(other, 1)
    moments = (NEXT_MONDAY - timedelta(hours=1), LATER)
    for listing, into, at in ((first, second, moments[0]), (second, third, moments[1])):
        if at > NEXT_MONDAY:
            call_command("close_week", week=WEEK, at=NEXT_MONDAY)
        merging.merge(listing_id=listing.pk, into_id=into.pk, staff_id=people.staff.pk, at=at)
    assert winners() == {1: "b-two", 2: "d-four"}

    void(third, 2, at=LATER + timedelta(hours=1))

    assert winners() == {1: "d-four"}
    assert closing.verify_week(site=site, week=WEEK)
