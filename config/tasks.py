"""Housekeeping that belongs to no area."""

from datetime import timedelta

from core import idempotency, jobs
from core.clock import database_now


@jobs.job("config.prune", every=3600)
def prune(lease: jobs.Lease) -> None:
    """Forget answers older than a day and jobs done more than a week ago; of periodic ones a day is enough."""
    now = database_now()
    idempotency.prune(at=now)
    jobs.prune(before=now - timedelta(days=7), periodic_before=now - timedelta(days=1))
