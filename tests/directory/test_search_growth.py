"""A site that grows by itself, with nobody to rebuild its search, is found as well as one that was loaded."""

import pytest
from django.utils import timezone

from accounts.services import create_user
from core import jobs
from directory.engagement import voting
from directory.models import Listing, ListingStats, SearchDocument, SearchTerm, Site
from directory.search import public_data, tiers
from tests.conftest import Api
from tests.factories.listings import make_listing

pytestmark = pytest.mark.django_db


def let_beat_and_workers_run() -> None:
    """What happens within a quarter of an hour, and within six hours."""
    jobs.add_periodic()
    jobs.run_due()


def found(api: Api, words: str) -> list[str]:
    return [listing["slug"] for listing in api().get(f"/api/v1/listings?q={words}").json()["items"]]


def test_words_votes_and_corrections_follow_the_growth_of_the_site(site: Site, api: Api) -> None:
    listings = [
        make_listing(f"ledger-{number}", name=f"Ledger {number}", description="Prints almanacs for bakers.")
        for number in range(6)
    ]
    liked = listings[-1]
    voters = [create_user(email=f"voter@people{number}.example") for number in range(12)]
    for voter in voters:
        voting.cast_vote(user=voter, listing_id=liked.pk, at=timezone.now())

    let_beat_and_workers_run()

    assert SearchTerm.objects.get(site=site, term="ledger").documents == len(listings)
    assert found(api, "ledger")[0] == liked.slug
    assert set(found(api, "almancs")) == {listing.slug for listing in listings}


def test_words_that_nobody_uses_any_more_are_forgotten(site: Site) -> None:
    listing = make_listing("tidewell", tagline="Zeppelins by the hour")
    Listing.objects.filter(pk=listing.pk).update(tagline="Boats by the hour")
    public_data.refresh(listing_ids=[listing.pk])

    let_beat_and_workers_run()

    assert not SearchTerm.objects.filter(site=site, term="zeppelins").exists()


def test_tiers_follow_the_votes(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "UP_TO", (1, 2, 3))
    rising, falling, *_ = [make_listing(f"tool-{number}") for number in range(12)]
    ListingStats.objects.filter(pk=falling.pk).update(votes=1)
    let_beat_and_workers_run()
    before = SearchDocument.objects.get(pk=falling.pk).tier
    for number in range(3):
        voter = create_user(email=f"voter{number}@people.example")
        voting.cast_vote(user=voter, listing_id=rising.pk, at=timezone.now())
    tiers.refresh_recent(site_id=site.pk, at=timezone.now())

    assert before == 0
    assert [SearchDocument.objects.get(pk=one.pk).tier for one in (rising, falling)] == [0, 1]


def test_votes_that_went_without_a_trace_are_noticed_within_a_day(site: Site) -> None:
    listings = [make_listing(f"tool-{number}") for number in range(5)]
    ListingStats.objects.update(votes=9)
    day = timezone.now()
    for slot in range(tiers.SLICES):
        tiers.refresh_recent(site_id=site.pk, at=day + slot * tiers.RECENT / tiers.SLICES)

    noticed = SearchDocument.objects.filter(popularity__gt=2.3).count()
    assert noticed == len(listings)
