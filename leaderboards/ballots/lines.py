"""The lines of a week's file, made from the votes as they counted when it closed: no person, no hour.

A line of the week, then by rank a line of each listing followed by its ballots, which are sorted by themselves. Each
ballot is the SHA-256 of the listing's number, the week and a secret. A chain runs over the lines: each link is the
SHA-256 of the link before it and the line, and the first one is that of the week before.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from core.api.bodies import dumps
from directory.engagement.models import VoteQuerySet
from directory.models import Launch
from leaderboards.models import WeekClose
from leaderboards.trophies import awarding
from leaderboards.weeks.closing import published

BEGINNING = "0" * 64  # what the first week follows


@dataclass(frozen=True, kw_only=True)
class Ballot:
    listing_id: int
    week: date
    secret: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.listing_id} {self.week} {self.secret}".encode()).hexdigest()


def ballot_of(*, vote_id: int, listing_id: int, week: date, seed: bytes) -> Ballot:
    """The ballot of a vote; its secret follows from the week's seed and is stored nowhere."""
    secret = hmac.new(bytes(seed), f"vote {vote_id}".encode(), hashlib.sha256).hexdigest()[:32]
    return Ballot(listing_id=listing_id, week=week, secret=secret)


def lines_of(close: WeekClose, *, seed: bytes, previous: str) -> Iterator[bytes]:
    """Every line but the last, one listing's ballots in memory at a time."""
    yield dumps(
        {
            "kind": "week",
            "site": close.site.key,
            "week": close.week,
            "closed_at": close.closed_at,
            "listings": close.listings,
            "votes": close.votes,
            "previous": previous,
        }
    )
    launches = Launch.objects.filter(site=close.site, week=close.week)
    launched = dict(launches.values_list("listing", "launched_at"))
    slugs = dict(close.results.values_list("listing", "listing__slug"))
    cast, merged = awarding.of_listings(closed_at=close.closed_at), awarding.merged_since(close.closed_at)
    for rank, row in enumerate(published(close), start=1):
        listing_id = row.listing_id
        where = [listing_id, *merged.get(listing_id, ())]
        mine = cast.filter(week=close.week, listing__in=where, voted_for=listing_id)
        ballots = sorted(_ballots(close, mine, listing_id=listing_id, seed=seed))
        yield dumps(
            {
                "kind": "listing",
                "rank": rank,
                "listing": listing_id,
                "slug": slugs.get(listing_id, ""),
                "launched_at": _exactly(launched.get(listing_id)),
                "votes": row.votes,
                "void": sum(is_void for _, is_void in ballots),
            }
        )
        for digest, is_void in ballots:
            void = {"void": True} if is_void else {}
            yield dumps({"kind": "ballot", "listing": listing_id, "ballot": digest, **void})


def _exactly(at: datetime | None) -> str | None:
    """With microseconds: of equal votes the earlier launch is first."""
    return None if at is None else f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


def _ballots(
    close: WeekClose, cast: VoteQuerySet, *, listing_id: int, seed: bytes
) -> Iterator[tuple[str, bool]]:
    """The digest of each vote for a listing in its week, and whether it did not count."""
    counted = set(cast.counted(at=close.closed_at).values_list("pk", flat=True))
    for pk in cast.values_list("pk", flat=True):
        ballot = ballot_of(vote_id=pk, listing_id=listing_id, week=close.week, seed=seed)
        yield ballot.digest, pk not in counted


def chained(lines: Iterable[bytes], *, previous: str) -> Iterator[tuple[bytes, str]]:
    """Each line with its link of the chain."""
    link = bytes.fromhex(previous)
    for line in lines:
        link = hashlib.sha256(link + line).digest()
        yield line, link.hex()
