"""Votes and follows by demo people, as rows: what the counters of the hand-written listings say is true."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random

from directory import weeks
from directory.search.index.bulk import copy_rows
from directory.search.index.sources import Source

VOTE = ("listing_id", "user_id", "week", "created_at", "void_reason")
FOLLOW = ("listing_id", "user_id", "created_at")


class Engagement:
    """Who votes for and follows what, and when; the same each time."""

    def __init__(self, *, people: Sequence[int], at: datetime) -> None:
        """These people, as of this moment."""
        self.people = people
        self.at = at

    def copy(
        self, sources: Sequence[Source], *, launch_votes: dict[int, int], followers: dict[int, int]
    ) -> None:
        """The votes and follows of these listings, so many of them in the launch week."""
        copy_rows(
            "directory_vote",
            VOTE,
            (row for source in sources for row in self._votes(source, in_week=launch_votes[source.id])),
        )
        copy_rows(
            "directory_follow",
            FOLLOW,
            (row for source in sources for row in self._follows(source, followers=followers[source.id])),
        )

    def _votes(self, source: Source, *, in_week: int) -> Iterator[tuple[object, ...]]:
        if source.launched_at is None or not source.votes:
            return
        rng = Random(f"votes:{source.site_id}:{source.slug}")  # noqa: S311  (nobody's secret)
        begins = source.launched_at
        over = min(self.at, weeks.end(source.launch_week)) if source.launch_week else begins
        for number, user_id in enumerate(rng.sample(self.people, source.votes)):
            since, until = (begins, over) if number < in_week else (over, self.at)
            cast_at = since + timedelta(seconds=int(rng.random() * (until - since).total_seconds()))
            yield source.id, user_id, weeks.week_of(cast_at), cast_at, ""

    def _follows(self, source: Source, *, followers: int) -> Iterator[tuple[object, ...]]:
        rng = Random(f"follows:{source.site_id}:{source.slug}")  # noqa: S311  (nobody's secret)
        since = source.launched_at or source.created_at
        for user_id in rng.sample(self.people, followers):
            followed_at = since + timedelta(seconds=int(rng.random() * (self.at - since).total_seconds()))
            yield source.id, user_id, followed_at
