"""What a voter sees of a closed week: the secret and the ballot of each of their votes in it."""

from dataclasses import dataclass
from datetime import date

from directory.models import Site, Vote
from leaderboards.ballots.lines import Ballot, ballot_of
from leaderboards.ballots.writing import file_of

MOST = 100


@dataclass(frozen=True, kw_only=True)
class OwnBallot:
    """A ballot, what it was cast for, and whether it counted."""

    ballot: Ballot
    name: str
    slug: str
    is_counted: bool


def ballots_of_voter(*, user_id: int, site: Site, week: date) -> list[OwnBallot]:
    """A person's ballots in the file of a week, in two statements beside the file's."""
    row = file_of(site=site, week=week)
    if row is None:
        return []
    mine = Vote.objects.filter(user=user_id, week=week, listing__in=row.close.results.values("listing"))
    counted = set(mine.counted(at=row.close.closed_at).values_list("pk", flat=True))
    votes = mine.order_by("listing__name", "pk").values_list(
        "pk", "listing", "listing__name", "listing__slug"
    )
    return [
        OwnBallot(
            ballot=ballot_of(vote_id=pk, listing_id=listing_id, week=week, seed=bytes(row.seed)),
            name=name,
            slug=slug,
            is_counted=pk in counted,
        )
        for pk, listing_id, name, slug in votes[:MOST]
    ]
