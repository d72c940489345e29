"""Housekeeping that belongs to no area."""

from contextlib import suppress

from config import home, personal_data, retention
from config.backups import making
from core import jobs


@jobs.job("config.prune", every=3600, lease_seconds=600)
def prune(lease: jobs.Lease) -> None:
    retention.forget_old(at=lease.at)


@jobs.job("config.draw_home", every=30)
def draw_home(lease: jobs.Lease) -> None:
    """What stands below and beside the race on home."""
    home.draw_beside(at=lease.at)


# two hours are the longest a job may take; a larger installation runs `manage.py backup` by a timer of its own
@jobs.job("config.back_up", every=3600, attempts=2, lease_seconds=7200)
def back_up(lease: jobs.Lease) -> None:
    """Once a night, where the operator has named a place; not beside one that takes longer than an hour."""
    with suppress(jobs.NotNowError), jobs.place("backup", places=1, holder=str(lease.job_id)):
        making.back_up_nightly(at=lease.at)


@jobs.job(personal_data.ERASE_JOB, lease_seconds=600)
def erase_person(lease: jobs.Lease, *, user_id: int, line_id: int = 0) -> None:
    """Forget a person for staff: all or nothing, and done already is success."""
    personal_data.erase_for_staff(user_id=user_id, line_id=line_id, at=lease.at)
