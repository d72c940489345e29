"""The queue's doors to rankings."""

from datetime import datetime

from core import jobs
from leaderboards.ballots import writing
from leaderboards.boards import refresh_boards
from leaderboards.open_data.writing import write_all
from leaderboards.ratings import storing
from leaderboards.ratings.sources import chosen_source
from leaderboards.trophies import credentials, programmes
from leaderboards.weeks import closing, results


@jobs.job("leaderboards.close_weeks", every=300)
def close_weeks(lease: jobs.Lease) -> None:
    """Weeks and programmes that are over and not closed yet, and then the files of the weeks' ballots."""
    closing.close_due_weeks(at=lease.at)
    programmes.close_due_programmes(at=lease.at)
    credentials.issue_missing()
    writing.write_missing()


@jobs.job("leaderboards.tell_results", queue="mail", lease_seconds=300)
def tell_results(lease: jobs.Lease, *, close_id: int) -> None:
    results.tell_results(close_id=close_id, lease=lease)


@jobs.job("leaderboards.mail_winners", queue="mail", lease_seconds=300)
def mail_winners(lease: jobs.Lease, *, close_id: int) -> None:
    results.mail_winners(close_id=close_id, lease=lease)


@jobs.job(
    "leaderboards.write_open_data",
    queue="crawl",
    every=86400,
    attempts=3,
    lease_seconds=1800,
    is_background=True,
)
def write_open_data(lease: jobs.Lease) -> None:
    """The files of `/data`, by the workers that give way to everything else."""
    write_all(at=lease.at, lease=lease)


@jobs.job("leaderboards.refresh_standings", every=3600)
def refresh_standings(lease: jobs.Lease) -> None:
    refresh_boards(at=lease.at)


@jobs.job("leaderboards.refresh_ratings", every=3600, attempts=3, lease_seconds=900)
def refresh_ratings(lease: jobs.Lease) -> None:
    """The domains that were asked for longest ago, if the operator named a rating service."""
    source = chosen_source()
    if source is None:
        return
    domains = storing.domains_to_rate(at=lease.at)
    storing.store_ratings(ratings=source.ratings(domains, today=lease.at.date()), at=lease.at)


@jobs.job("leaderboards.correct_results")
def correct_results(lease: jobs.Lease, *, listing_ids: list[int], at: str) -> None:
    """Staff voided votes for these listings, or took that back: places of closed weeks and programmes may change."""
    now = max(lease.at, datetime.fromisoformat(at))  # not before it happened, whichever clock is ahead
    closing.correct_weeks_of(listing_ids=listing_ids, at=now)
    programmes.correct_programmes_of(listing_ids=listing_ids, at=now)
