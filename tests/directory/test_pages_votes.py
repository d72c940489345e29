"""Voting and following on pages: people only, by POST with a token, and back to the row."""

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client, override_settings

from accounts.models import User
from directory.models import Follow, Listing, Vote
from tests.conftest import People
from tests.factories.listings import AT, make_listing


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def listing(people: People) -> Listing:
    return make_listing("tidewell", owner=people.owner, votes=4)


@pytest.fixture
def voter(people: People, client: Client) -> Client:
    client.force_login(people.stranger)
    return client


def count(listing: Listing) -> tuple[int, int]:
    """Vote rows, and what the counter says."""
    listing.stats.refresh_from_db()
    return Vote.objects.count(), listing.stats.votes


def test_a_reader_who_is_signed_out_is_led_through_sign_in_and_back(listing: Listing, client: Client) -> None:
    text = client.get("/listings/tidewell").content.decode()
    assert 'href="/accounts/login/?next=/listings/tidewell/vote"' in text

    response = client.post("/listings/tidewell/vote", {"do": "vote"})
    assert response["Location"] == "/accounts/login/?next=/listings/tidewell/vote"
    assert count(listing) == (0, 4)


def test_coming_back_from_sign_in_asks_and_does_not_vote_by_itself(listing: Listing, voter: Client) -> None:
    response = voter.get("/listings/tidewell/vote")

    assert "Vote for Tidewell?" in response.content.decode()
    assert count(listing) == (0, 4)


def test_a_vote_counts_once_and_leads_back_to_the_row(listing: Listing, voter: Client) -> None:
    body = {"do": "vote", "next": "/weeks/this#tidewell"}
    answers = [voter.post("/listings/tidewell/vote", body) for _ in range(2)]

    assert [answer["Location"] for answer in answers] == ["/weeks/this#tidewell"] * 2
    assert count(listing) == (1, 5)
    account = voter.get("/account").content.decode().split("You voted this week")[1]
    assert 'href="/listings/tidewell"' in account
    text = voter.get("/listings/tidewell").content.decode()
    assert 'value="take_back"' in text
    assert 'aria-pressed="true"' in text


def test_a_vote_can_be_taken_back(listing: Listing, voter: Client) -> None:
    voter.post("/listings/tidewell/vote", {"do": "vote"})
    voter.post("/listings/tidewell/vote", {"do": "take_back"})
    voter.post("/listings/tidewell/vote", {"do": "take_back"})

    assert count(listing) == (0, 4)


def test_nobody_votes_for_their_own_product(people: People, listing: Listing, client: Client) -> None:
    client.force_login(people.owner)
    text = client.get("/weeks/this").content.decode()
    assert "Your own product, you can’t vote for it." in text
    assert 'action="/listings/tidewell/vote"' not in text

    client.post("/listings/tidewell/vote", {"do": "vote"})
    assert count(listing) == (0, 4)


@pytest.mark.parametrize("status", ["scheduled", "draft", "suspended"])
def test_only_live_listings_take_votes(people: People, voter: Client, status: str) -> None:
    listing = make_listing("other", owner=people.owner, status=status)

    assert voter.post("/listings/other/vote", {"do": "vote"}).status_code == 404
    assert count(listing) == (0, 0)


def test_a_script_gets_the_changed_button_alone(listing: Listing, voter: Client) -> None:
    body = {"do": "vote", "in": "week", "next": "/weeks/this#tidewell"}
    response = voter.post("/listings/tidewell/vote", body, headers={"X-Part": "1"})
    text = response.content.decode()

    assert response.status_code == 200
    assert "<html" not in text
    assert 'aria-pressed="true"' in text
    assert ">5<" in text
    assert 'value="/weeks/this#tidewell"' in text


@pytest.mark.parametrize("act", ["vote", "follow"])
def test_a_form_from_elsewhere_is_refused(people: People, listing: Listing, act: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.stranger)

    assert client.post(f"/listings/tidewell/{act}", {"do": act}).status_code == 403
    assert count(listing) == (0, 4)
    assert Follow.objects.count() == 0


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_the_way_back_stays_on_the_site(listing: Listing, voter: Client, target: str) -> None:
    response = voter.post("/listings/tidewell/vote", {"do": "vote", "next": target})

    assert response["Location"] == "/listings/tidewell"


def test_a_suspended_person_does_not_vote(people: People, listing: Listing, voter: Client) -> None:
    User.objects.filter(pk=people.stranger.pk).update(suspended_at=AT)

    response = voter.post("/listings/tidewell/vote", {"do": "vote"})

    assert (response.status_code, response["Location"].partition("?")[0]) == (302, "/accounts/login/")
    assert count(listing) == (0, 4)


@override_settings(RATE_LIMIT_FACTOR=0.01)
def test_too_many_votes_are_refused_in_words(listing: Listing, voter: Client) -> None:
    voter.post("/listings/tidewell/vote", {"do": "vote"})
    response = voter.post("/listings/tidewell/vote", {"do": "take_back"})

    assert response.status_code == 429
    assert "Too many tries" in response.content.decode()
    assert count(listing) == (1, 5)


def test_following_and_leaving(listing: Listing, voter: Client) -> None:
    voter.post("/listings/tidewell/follow", {"do": "follow"})
    voter.post("/listings/tidewell/follow", {"do": "follow"})
    listing.stats.refresh_from_db()
    assert (Follow.objects.count(), listing.stats.followers) == (1, 1)
    assert "Following" in voter.get("/listings/tidewell").content.decode()

    voter.post("/listings/tidewell/follow", {"do": "unfollow"})
    listing.stats.refresh_from_db()
    assert (Follow.objects.count(), listing.stats.followers) == (0, 0)
