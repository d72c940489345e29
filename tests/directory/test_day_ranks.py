"""Who moved up or down in the running week since the day began."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from directory.launches import day_ranks
from directory.launches.day_ranks import note_ranks
from directory.models import Launch, Site, Vote
from directory.weeks import week_of
from tests.factories.listings import AT, make_listing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("launch_time")]
YESTERDAY = AT - timedelta(days=1)


def ranks(client: Client) -> list[str]:
    """Each row's rank and change as they are read out."""
    rows = client.get("/weeks/this").content.decode().split('<li class="row')[1:]
    texts = [row.partition('class="rank')[2].partition('class="logo')[0] for row in rows]
    return [" ".join(re.sub("<[^>]*>", " ", f"<{text}<>").split()) for text in texts]


def test_places_are_compared_with_those_when_the_day_began(site: Site, client: Client) -> None:
    slugs = ("first", "second", "third")
    listings = {
        slug: make_listing(slug, at=YESTERDAY, votes=votes)
        for slug, votes in zip(slugs, (1, 2, 0), strict=True)
    }
    make_listing("today", at=AT - timedelta(hours=1))
    for number, (slug, at) in enumerate([("first", YESTERDAY), ("second", AT), ("second", AT)]):
        user = User.objects.create(email=f"{number}@voter.example")
        Vote.objects.create(listing=listings[slug], user=user, week=week_of(AT), created_at=at)
    assert ranks(client) == ["Rank 1", "Rank 2", "Rank 3", "Rank 4"]

    note_ranks(at=AT)
    Launch.objects.filter(listing=listings["third"]).update(votes=9)
    note_ranks(at=AT + timedelta(minutes=5))

    assert ranks(client) == ["Rank 1 ↑2 , up 2", "Rank 2 – unchanged", "Rank 3 ↓2 , down 2", "Rank 4"]
    assert "moves since 00:00 UTC today" in client.get("/weeks/this").content.decode()
    assert Launch.objects.filter(ranked_on=None).get().listing.slug == "today"


def test_no_more_launches_are_read_than_the_page_shows(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(day_ranks, "WEEK_SHOWN", 2)
    for number in range(4):
        make_listing(f"product-{number}", at=YESTERDAY, votes=number)

    with CaptureQueriesContext(connection) as statements:
        note_ranks(at=AT)

    read = [one["sql"] for one in statements if "directory_vote" in one["sql"]]
    assert (len(read), read[0].endswith("LIMIT 2")) == (1, True)
    assert Launch.objects.exclude(ranked_on=None).count() == 2
