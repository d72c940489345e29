"""The right to work on a job, with its fencing token."""

import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.db.models.functions import Now

from core.jobs.kinds import LeaseLostError
from core.models import Job


@dataclass(kw_only=True)
class Lease:
    """The right to work on a job until the lease ends."""

    job_id: uuid.UUID
    token: uuid.UUID
    length: timedelta
    attempt: int
    key: str

    def renew(self) -> None:
        """Keep the job. Raises LeaseLostError when another worker has it."""
        rows = Job.objects.filter(pk=self.job_id, token=self.token)
        if not rows.update(lease_until=Now() + self.length):
            raise LeaseLostError

    def guard(self) -> None:
        """Lock the job's row in the current transaction, so that what is written next is written by its holder."""
        if not Job.objects.select_for_update().filter(pk=self.job_id, token=self.token).exists():
            raise LeaseLostError
