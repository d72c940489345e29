from contextlib import suppress

from config import home, personal_data, retention
from config.backups import making
from core import jobs

jobs.does("config.prune", retention.forget_old, every=3600, lease_seconds=600)
jobs.does("config.draw_home", home.draw_beside, every=30)
jobs.does(personal_data.ERASE_JOB, personal_data.erase_for_staff, lease_seconds=600)


# two hours are the longest a job may take; a larger installation runs `manage.py backup` by a timer of its own
@jobs.job("config.back_up", every=3600, attempts=2, lease_seconds=7200)
def back_up(lease: jobs.Lease) -> None:
    """Once a night, where the operator has named a place; not beside one that takes longer than an hour."""
    with suppress(jobs.NotNowError), jobs.place("backup", places=1, holder=str(lease.job_id)):
        making.back_up_nightly(at=lease.at)
