"""Housekeeping that belongs to no area."""

from config import retention
from config.backups import nightly
from core import jobs
from core.clock import database_now


@jobs.job("config.prune", every=3600, lease_seconds=600)
def prune(lease: jobs.Lease) -> None:
    """Forget what is past its time."""
    retention.forget_old(at=database_now())


# two hours are the longest a job may take; a larger installation runs `manage.py backup` by a timer of its own
@jobs.job("config.back_up", every=3600, attempts=2, lease_seconds=7200)
def back_up(lease: jobs.Lease) -> None:
    """Once a night, where the operator has named a place."""
    nightly.back_up(at=database_now())
