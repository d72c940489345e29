"""What an account shows of a person: what waits, what they voted for and follow."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from claims.models import Claim
from directory.engagement import voiding, voting
from directory.engagement.holding import release_votes
from directory.models import Vote
from drafts.models import Draft
from tests.conftest import People
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_listing

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(people: People, client: Client) -> Client:
    client.force_login(people.owner)
    return client


def page(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def fill(people: People, site: Any, start: int) -> None:
    now = timezone.now()
    draft = blank_draft(owner=people.owner, site=site)
    host = f"d{start}.example"
    Draft.objects.filter(pk=draft.pk).update(status="ready", domain=host, site_key=host)
    make_listing(f"saved-{start}", owner=people.owner, status="draft")
    make_listing(f"waits-{start}", owner=people.owner, status="awaiting_badge", at=now)
    make_listing(f"gone-{start}", owner=people.owner, status="suspended", status_reason="It leads elsewhere.")
    Claim.objects.create(
        listing=make_listing(f"theirs-{start}"),
        user=people.owner,
        method="dns",
        created_at=now,
        expires_at=now + timedelta(days=7),
    )


def test_the_account_says_what_waits_in_as_many_queries_whatever_waits(
    people: People, site: Any, owner: Client
) -> None:
    assert "You’re all set" in page(owner, "/account")
    fill(people, site, 1)
    with CaptureQueriesContext(connection) as few:
        text = page(owner, "/account")
    for words in (
        "Check the draft of d1.example",
        "Choose how Saved 1 launches",
        "Put the badge on waits-1.example",
        "Gone 1 is suspended",
        "It leads elsewhere.",
        "Verify Theirs 1",
    ):
        assert words in text

    for number in range(2, 5):
        fill(people, site, number)
    with CaptureQueriesContext(connection) as many:
        page(owner, "/account")
    assert len(many) == len(few) <= 22


def test_nobody_sees_what_waits_for_somebody_else(people: People, site: Any, client: Client) -> None:
    fill(people, site, 1)
    client.force_login(people.stranger)

    assert "You’re all set" in page(client, "/account")


def test_a_voter_reads_what_became_of_each_vote(people: People, site: Any, client: Client) -> None:
    now = timezone.now()
    rows = [make_listing(slug, at=now) for slug in ("counted", "waits", "voided", "returned", "followed")]
    for listing in rows[:4]:
        voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=now)
    Vote.objects.filter(listing=rows[1]).update(
        held_at=now, held_for="5 votes of new accounts of one network"
    )
    voiding.void_votes(vote_ids=[Vote.objects.get(listing=rows[2]).pk], reason="Bought votes.", at=now)
    voting.take_back_vote(user=people.stranger, listing_id=rows[3].pk, at=now)
    voting.follow(user=people.stranger, listing_id=rows[4].pk, at=now)
    client.force_login(people.stranger)

    text = page(client, "/account/votes")
    voted, _, followed = text.partition('id="followed"')
    assert [slug in voted for slug in ("counted", "waits", "voided", "returned")] == [True, True, True, False]
    assert 'Not counted</span> <span class="small muted">Bought votes.' in voted
    assert voted.count(">Held<") == 1
    assert "one network" not in voted
    assert "/listings/followed" in followed


def test_a_held_vote_says_so_when_it_is_cast_and_until_it_is_released(
    people: People, site: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing = make_listing("tidewell", at=timezone.now())
    people.stranger.date_joined = timezone.now()
    people.stranger.save(update_fields=["date_joined"])
    client.force_login(people.stranger)
    Vote.objects.create(
        listing=listing,
        user=people.stranger,
        week="2026-11-16",
        created_at=timezone.now(),
        held_at=timezone.now(),
    )

    answer = client.post("/listings/tidewell/vote", {"do": "vote", "next": "/listings/tidewell"}, follow=True)
    assert "Your vote is held until a person has looked at it" in answer.content.decode()
    part = client.post("/listings/tidewell/vote", {"do": "vote"}, headers={"X-Part": "1"}).content.decode()
    assert "why your vote for Tidewell does not count yet" in part

    release_votes(vote_ids=[Vote.objects.get().pk], at=timezone.now())
    assert "does not count yet" not in page(client, "/listings/tidewell")


def test_the_header_says_who_is_signed_in(people: People, site: Any, owner: Client) -> None:
    assert '<span class="who">owner</span>' in page(owner, "/account")
    people.owner.name = "Inês Prata"
    people.owner.save(update_fields=["name"])
    assert '<span class="who">Inês Prata</span>' in page(owner, "/account")
