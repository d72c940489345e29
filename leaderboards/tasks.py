from datetime import datetime

from core.jobs import Lease, does, job
from leaderboards import ballots, closing
from leaderboards.boards import refresh_boards
from leaderboards.open_data.tables import write_all
from leaderboards.ratings import chosen_source, domains_to_rate, store_ratings
from leaderboards.trophies import credentials, programmes

does(
    "leaderboards.close_weeks",
    closing.close_due_weeks,
    programmes.close_due_programmes,
    credentials.issue_missing,
    ballots.write_missing,
    every=300,
)
does("leaderboards.tell_results", closing.tell_results, queue="mail", lease_seconds=300)
does("leaderboards.mail_winners", closing.mail_winners, queue="mail", lease_seconds=300)
does(
    "leaderboards.write_open_data",
    write_all,
    queue="crawl",  # by the workers that give way to everything else
    every=86400,
    attempts=3,
    lease_seconds=1800,
    is_background=True,
)
does("leaderboards.refresh_standings", refresh_boards, every=3600)


@job("leaderboards.refresh_ratings", every=3600, attempts=3, lease_seconds=900)
def refresh_ratings(*, at: datetime) -> None:
    """The domains that were asked for longest ago, if the operator named a rating service."""
    source = chosen_source()
    if source is not None:
        store_ratings(ratings=source.ratings(domains_to_rate(at=at), today=at.date()), at=at)


@job("leaderboards.correct_results")
def correct_results(lease: Lease, *, listing_ids: list[int], at: str) -> None:
    """Staff voided votes for these listings, or took that back: places of closed weeks and programmes may change."""
    now = max(lease.at, datetime.fromisoformat(at))  # not before it happened, whichever clock is ahead
    closing.correct_weeks_of(listing_ids=listing_ids, at=now)
    programmes.correct_programmes_of(listing_ids=listing_ids, at=now)
