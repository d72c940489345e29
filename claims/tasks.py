"""The queue's doors to claims."""

from claims.proving import checking, reproving
from core import jobs


@jobs.job("claims.plan", every=300)
def plan(lease: jobs.Lease) -> None:
    reproving.plan(at=lease.at)


@jobs.job("claims.check", queue="crawl", attempts=3)
def check(lease: jobs.Lease, *, claim_id: int) -> None:
    """A check that a request did not wait for."""
    checking.check_by_job(claim_id=claim_id, at=lease.at)


@jobs.job("claims.prove_again", queue="crawl", attempts=3, is_background=True)
def prove_again(lease: jobs.Lease, *, claim_id: int) -> None:
    reproving.prove_again(claim_id=claim_id, lease=lease, at=lease.at)


@jobs.job("claims.end_contest", queue="crawl", attempts=3)
def end_contest(lease: jobs.Lease, *, claim_id: int) -> None:
    reproving.end_contest(claim_id=claim_id, lease=lease, at=lease.at)
