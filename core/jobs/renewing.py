"""Leases that a timer renews while their work goes on, for as long as the work may take and no longer."""

import logging
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import Error, connections
from django.db.models import F
from django.db.models.functions import Now

from core.job_limits import GRACE_SECONDS
from core.jobs.kinds import Kind, LeaseLostError
from core.models import Job

logger = logging.getLogger(__name__)
TOO_LONG = "It took longer than it may."
RENEWALS = 3  # in the time of one lease, so that one or two may fail


@dataclass(kw_only=True)
class Lease:
    """The right to work on a job until the lease ends."""

    job_id: uuid.UUID
    token: uuid.UUID
    length: timedelta
    attempt: int
    key: str
    at: datetime  # when it was claimed, by the database's clock
    waited: timedelta  # since the job was added

    def renew(self) -> None:
        """Keep the job. Raises LeaseLostError when another worker has it."""
        if not Job.objects.filter(pk=self.job_id, token=self.token).update(lease_until=Now() + self.length):
            raise LeaseLostError

    def guard(self) -> None:
        """Lock the job's row in the current transaction, so that what is written next is written by its holder."""
        if not Job.objects.select_for_update().filter(pk=self.job_id, token=self.token).exists():
            raise LeaseLostError


@contextmanager
def renewed(lease: Lease, *, kind: Kind) -> Iterator[None]:
    """Renew a lease from a thread of its own while its work goes on.

    Past the work's limit it is renewed no more, so that a process that is stuck for ever loses it. A stranger's work
    that has not even ended soon after its soft limit has no attempt left then: it would go the same way.
    """
    ends = threading.Event()
    threading.Thread(target=_renew, args=(lease, kind, ends), name="lease", daemon=True).start()
    try:
        yield
    finally:
        ends.set()


def _renew(lease: Lease, kind: Kind, ends: threading.Event) -> None:
    every = lease.length.total_seconds() / RENEWALS
    stops_at = time.monotonic() + kind.limit_seconds + GRACE_SECONDS / 2
    while not ends.wait(min(every, stops_at - time.monotonic())):
        try:
            if time.monotonic() >= stops_at:
                if kind.is_of_strangers:
                    rows = Job.objects.filter(pk=lease.job_id, token=lease.token)
                    rows.update(attempt=F("max_attempts"), last_error=TOO_LONG)
                return
            lease.renew()
        except LeaseLostError:
            return
        except Error:  # it may be back the next time
            logger.warning("lease not renewed", exc_info=True, extra={"kind": kind.name, "key": lease.key})
        finally:
            connections.close_all()  # those of this thread
