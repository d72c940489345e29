"""Votes and follows by demo people, as rows: what the counters of the listings say is true."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random

from config.demo.listings import Placed
from directory import weeks
from directory.models import Follow, Vote


def add_engagement(placed: Sequence[Placed], *, people: Sequence[int], at: datetime) -> None:
    """Who votes for and follows what, and when; the same each time."""
    Vote.objects.bulk_create(vote for entry in placed for vote in _votes(entry, people=people, at=at))
    Follow.objects.bulk_create(follow for entry in placed for follow in _follows(entry, people=people, at=at))


def _votes(entry: Placed, *, people: Sequence[int], at: datetime) -> Iterator[Vote]:
    listing = entry.listing
    if listing.launched_at is None:
        return
    rng = Random(f"votes:{listing.site_id}:{listing.slug}")  # noqa: S311  (nobody's secret)
    week_over = min(at, weeks.end(listing.launch_week)) if listing.launch_week else listing.launched_at
    for number, user_id in enumerate(rng.sample(people, entry.count("votes"))):
        in_week = number < entry.count("launch_votes")
        since, until = (listing.launched_at, week_over) if in_week else (week_over, at)
        cast_at = _between(since, until, rng=rng)
        yield Vote(listing=listing, user_id=user_id, week=weeks.week_of(cast_at), created_at=cast_at)


def _follows(entry: Placed, *, people: Sequence[int], at: datetime) -> Iterator[Follow]:
    listing = entry.listing
    rng = Random(f"follows:{listing.site_id}:{listing.slug}")  # noqa: S311  (nobody's secret)
    since = listing.launched_at or listing.created_at
    for user_id in rng.sample(people, entry.count("followers")):
        yield Follow(listing=listing, user_id=user_id, created_at=_between(since, at, rng=rng))


def _between(since: datetime, until: datetime, *, rng: Random) -> datetime:
    return since + timedelta(seconds=int(rng.random() * (until - since).total_seconds()))
