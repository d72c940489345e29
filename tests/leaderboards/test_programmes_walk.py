"""Programmes in any order of what can happen to them: their places are what a plain recount gives."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.services import create_user
from directory.engagement import voiding
from directory.models import Listing, Vote
from directory.search import public_data
from directory.sites.catalogue import ensure_default_site
from leaderboards.models import Award
from leaderboards.trophies import programmes
from tests.factories.listings import make_listing
from tests.leaderboards.test_programmes import BEGIN, OPEN, OVER, VOTING, cast, make_programme

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["enter", "vote", "vote", "vote", "void", "suspend", "restore", "wait", "close"]),
        st.integers(0, 3),
    ),
    max_size=25,
)


class Walk:
    """A programme on its way, beside what is known of it without asking it."""

    def __init__(self) -> None:
        self.owner = create_user(email="owner@walk.example")
        self.programme = make_programme(ensure_default_site())
        self.listings = [
            make_listing(f"walk-{number}", owner=self.owner, at=BEGIN - timedelta(days=9 + number % 2))
            for number in range(4)
        ]
        self.now, self.entered, self.final = OPEN, set[int](), set[int]()
        self.is_closed = False

    def enter(self, listing: Listing) -> None:
        try:
            programmes.enter_programme(
                owner_id=self.owner.pk, listing_id=listing.pk, slug=self.programme.slug, at=self.now
            )
        except (programmes.ProgrammeClosedError, programmes.NotEligibleError):
            assert listing.pk not in self.entered
        else:
            assert listing.pk in self.entered or self.now < VOTING
            self.entered.add(listing.pk)

    def vote(self, listing: Listing) -> None:
        cast(listing, 1, at=self.now)

    def void(self, listing: Listing) -> None:
        votes = Vote.objects.filter(listing=listing, voided_at=None).values_list("pk", flat=True)[:1]
        voiding.void_votes(vote_ids=list(votes), reason="bought", at=self.now)
        programmes.correct_programmes_of(listing_ids=[listing.pk], at=self.now)

    def suspend(self, listing: Listing, status: str = "suspended") -> None:
        Listing.objects.filter(pk=listing.pk).update(status=status)
        public_data.refresh(listing_ids=[listing.pk])

    def restore(self, listing: Listing) -> None:
        self.suspend(listing, "live")

    def wait(self, listing: Listing) -> None:
        self.now += timedelta(days=3)

    def close(self, listing: Listing) -> None:
        if self.now < OVER:
            return
        before = Award.objects.count()
        programmes.close_programme(programme_id=self.programme.pk, at=self.now)
        assert not self.is_closed or Award.objects.count() == before
        if not self.is_closed:
            self.final, self.is_closed = self.live(), True

    def live(self) -> set[int]:
        rows = Listing.objects.filter(pk__in=self.entered, status="live")
        return set(rows.values_list("pk", flat=True))

    def check(self) -> None:
        self.programme.refresh_from_db()
        shown = self.final if self.is_closed else self.live()
        votes = dict.fromkeys(shown, 0)
        for vote in Vote.objects.filter(listing__in=shown, voided_at=None):
            votes[vote.listing_id] += VOTING <= vote.created_at < OVER
        launched = {row.pk: row.launched_at for row in self.listings}
        wanted = sorted(votes, key=lambda pk: (-votes[pk], launched[pk], pk))
        rows = programmes.count(self.programme, entries=programmes.present(self.programme), at=self.now)
        assert [(row.listing_id, row.votes) for row in rows] == [(pk, votes[pk]) for pk in wanted]
        awards = self.programme.awards.filter(revoked_at=None).order_by("rank")
        winners = [pk for pk in wanted[:3] if votes[pk]] if self.is_closed else []
        assert list(awards.values_list("listing", flat=True)) == winners
        assert programmes.verify_programme(self.programme) is self.is_closed


class Walks(TestCase):
    """Whatever happens in whatever order, the places are what a plain recount gives."""

    @settings(max_examples=15)
    @given(steps=STEPS)
    def test_places_equal_a_recount_at_every_step(self, steps: list[tuple[str, int]]) -> None:
        walk = Walk()
        for act, number in steps:
            walk.now += timedelta(hours=1)
            getattr(walk, act)(walk.listings[number])
            walk.check()
