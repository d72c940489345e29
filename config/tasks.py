"""Housekeeping that belongs to no area."""

from datetime import timedelta

from config.backups import nightly
from core import idempotency, jobs
from core.clock import database_now


@jobs.job("config.prune", every=3600)
def prune(lease: jobs.Lease) -> None:
    """Forget answers older than a day and jobs done more than a week ago; of periodic ones a day is enough."""
    now = database_now()
    idempotency.prune(at=now)
    jobs.prune(before=now - timedelta(days=7), periodic_before=now - timedelta(days=1))


# two hours are the longest a job may take; a larger installation runs `manage.py backup` by a timer of its own
@jobs.job("config.back_up", every=3600, attempts=2, lease_seconds=7200)
def back_up(lease: jobs.Lease) -> None:
    """Once a night, where the operator has named a place."""
    nightly.back_up(at=database_now())
