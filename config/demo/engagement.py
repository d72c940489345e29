"""Votes and follows by demo people, as rows: what the counters of the listings say is true."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random

from config.demo.listings import Placed
from directory import weeks
from directory.models import Follow, LaunchReminder, Listing, VisitCount, VisitSource, Vote

VISITED_FOR, VISITS_A_VOTE, CLICKS = timedelta(days=14), 6, 0.3
HOSTS = {"news.example": 5, "Direct": 4, "search.example": 3, "social.example": 3, "forum.example": 1}


def add_engagement(placed: Sequence[Placed], *, people: Sequence[int], at: datetime) -> None:
    """Who votes for and follows what, and when; the same each time."""
    Vote.objects.bulk_create(vote for entry in placed for vote in _votes(entry, people=people, at=at))
    _add_visits(placed, at=at)
    Follow.objects.bulk_create(follow for entry in placed for follow in _follows(entry, people=people, at=at))
    LaunchReminder.objects.bulk_create(
        note for entry in placed for note in _reminders(entry, people=people, at=at)
    )


def _votes(entry: Placed, *, people: Sequence[int], at: datetime) -> Iterator[Vote]:
    listing = entry.listing
    if listing.launched_at is None:
        return
    rng = Random(f"votes:{listing.site_id}:{listing.slug}")  # noqa: S311  (nobody's secret)
    shape = rng.choice((0.5, 0.8, 1.0, 1.6, 2.4))  # some are strong at once, some in the end
    week_over = min(at, weeks.end(listing.launch_week)) if listing.launch_week else listing.launched_at
    for number, user_id in enumerate(rng.sample(people, entry.count("votes"))):
        in_week = number < entry.count("launch_votes")
        since, until = (listing.launched_at, week_over) if in_week else (week_over, at)
        cast_at = _between(since, until, rng=rng, shape=shape)
        yield Vote(listing=listing, user_id=user_id, week=weeks.week_of(cast_at), created_at=cast_at)


def _follows(entry: Placed, *, people: Sequence[int], at: datetime) -> Iterator[Follow]:
    listing = entry.listing
    rng = Random(f"follows:{listing.site_id}:{listing.slug}")  # noqa: S311  (nobody's secret)
    since = listing.launched_at or listing.created_at
    for user_id in rng.sample(people, entry.count("followers")):
        yield Follow(listing=listing, user_id=user_id, created_at=_between(since, at, rng=rng))


def _reminders(entry: Placed, *, people: Sequence[int], at: datetime) -> Iterator[LaunchReminder]:
    listing = entry.listing
    if listing.status != Listing.Status.SCHEDULED:
        return
    rng = Random(f"reminders:{listing.site_id}:{listing.slug}")  # noqa: S311  (nobody's secret)
    for user_id in rng.sample(people, min(len(people), rng.randint(9, 64))):
        yield LaunchReminder(
            listing=listing, user_id=user_id, created_at=_between(listing.created_at, at, rng=rng)
        )


def _add_visits(placed: Sequence[Placed], *, at: datetime) -> None:
    """Visits of the last weeks, by the hour and by the website that sent them."""
    counts, sources = [], []
    for entry in placed:
        listing = entry.listing
        since = listing.launched_at
        if since is None or since < at - VISITED_FOR:
            continue
        rng = Random(f"visits:{listing.site_id}:{listing.slug}")  # noqa: S311  (nobody's secret)
        number = VISITS_A_VOTE * entry.count("launch_votes")
        times = [_between(since, at, rng=rng) for _ in range(number)]
        hours = Counter(time.replace(minute=0, second=0, microsecond=0) for time in times)
        counts += [
            VisitCount(listing=listing, at=hour, visits=visits, clicks=int(visits * CLICKS))
            for hour, visits in hours.items()
        ]
        named = rng.choices(list(HOSTS), list(HOSTS.values()), k=number)
        hosts = Counter((weeks.week_of(time), host) for time, host in zip(times, named, strict=True))
        sources += [
            VisitSource(listing=listing, week=week, host=host, visits=visits)
            for (week, host), visits in hosts.items()
        ]
    VisitCount.objects.bulk_create(counts)
    VisitSource.objects.bulk_create(sources)


def _between(since: datetime, until: datetime, *, rng: Random, shape: float = 1.0) -> datetime:
    return since + timedelta(seconds=int(rng.random() ** shape * (until - since).total_seconds()))
