"""Work that must not be lost: a row per job, a lease per worker, a hint through Celery, a reaper behind it all.

A job may run twice and die anywhere. A worker claims it by one conditional UPDATE, which hands out a fencing token;
whoever lost the lease can no longer write through `Lease.guard`. The pattern is the transactional outbox with leases
and fencing tokens (Kleppmann, Designing Data-Intensive Applications, chapter 8).
"""

import logging
import random
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery import current_app, shared_task
from django.db import OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone
from kombu.exceptions import KombuError

from core.models import Job

logger = logging.getLogger(__name__)
BACKOFF_SECONDS = (5, 30, 120, 600, 3600)
REAP_AT_ONCE = 200
HINT_GRACE = timedelta(seconds=10)


class LeaseLostError(Exception):
    """Another worker has taken the job over; stop without writing."""


class PermanentError(Exception):
    """Trying again cannot heal this: the job is dead at once."""


class NotNowError(Exception):
    """The job must wait its turn; it is put back without counting as an attempt."""

    def __init__(self, *, seconds: float) -> None:
        super().__init__(f"again in {seconds} s")
        self.seconds = seconds


@dataclass(frozen=True, kw_only=True)
class Kind:
    """How jobs of one kind run. `on_dead` is told of a job that has failed for good."""

    name: str
    run: Callable[..., None]
    queue: str
    attempts: int
    lease: timedelta
    on_dead: Callable[..., None] | None


KINDS: dict[str, Kind] = {}


def job(
    name: str,
    *,
    queue: str = "default",
    attempts: int = 5,
    lease_seconds: int = 60,
    on_dead: Callable[..., None] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register the handler of a kind: `handler(lease, **payload)`."""

    def register(run: Callable[..., None]) -> Callable[..., None]:
        KINDS[name] = Kind(
            name=name,
            run=run,
            queue=queue,
            attempts=attempts,
            lease=timedelta(seconds=lease_seconds),
            on_dead=on_dead,
        )
        return run

    return register


@dataclass(kw_only=True)
class Lease:
    """The right to work on a job until the lease ends."""

    job_id: uuid.UUID
    token: uuid.UUID
    length: timedelta
    attempt: int
    key: str

    def renew(self) -> None:
        """Keep the job between two steps. Raises LeaseLostError when another worker has it."""
        held = Job.objects.filter(pk=self.job_id, token=self.token).update(
            lease_until=timezone.now() + self.length
        )
        if not held:
            raise LeaseLostError

    def guard(self) -> None:
        """Lock the job's row in the current transaction, so that what is written next is written by its holder."""
        if not Job.objects.select_for_update().filter(pk=self.job_id, token=self.token).exists():
            raise LeaseLostError


def add(kind: str, *, key: str, run_after: datetime | None = None, **payload: Any) -> None:
    """Add a job in the caller's transaction. The same kind and key is added once, whatever became of it."""
    settings = KINDS[kind]
    now = timezone.now()
    row = Job(
        kind=kind,
        key=key,
        queue=settings.queue,
        payload=payload,
        run_after=run_after or now,
        max_attempts=settings.attempts,
        created_at=now,
    )
    Job.objects.bulk_create([row], ignore_conflicts=True)
    if row.run_after <= now:
        _hint_after_commit(row)


def again(kind: str, *, key: str, at: datetime, **payload: Any) -> None:
    """Run a job once more from its first attempt, whether it is done or dead; add it when there is none."""
    Job.objects.filter(kind=kind, key=key).exclude(state=Job.State.RUNNING).delete()
    add(kind, key=key, run_after=at, **payload)


def revive(*, job_id: uuid.UUID, at: datetime) -> bool:
    """Put a dead job back into the queue."""
    revived = Job.objects.filter(pk=job_id, state=Job.State.DEAD).update(
        state=Job.State.QUEUED, attempt=0, run_after=at, finished_at=None
    )
    if revived:
        _hint_after_commit(Job.objects.get(pk=job_id))
    return bool(revived)


def _hint_after_commit(row: Job) -> None:
    transaction.on_commit(lambda: hint(job_id=row.pk, queue=row.queue), robust=True)


def hint(*, job_id: uuid.UUID, queue: str, at: datetime | None = None) -> None:
    """Tell a worker to look at a job, now or at a moment not far away. A lost hint costs seconds, never the job."""
    try:
        current_app.send_task("core.run_job", args=[str(job_id)], queue=queue, ignore_result=True, eta=at)
    except (KombuError, OSError):
        logger.warning("hint not sent", extra={"job_id": str(job_id)})


def claim(*, job_id: uuid.UUID) -> tuple[Job, Lease] | None:
    """Take a due job, or nothing when it is done, not due, or held by somebody else."""
    now = timezone.now()
    row = Job.objects.filter(pk=job_id).first()
    if row is None or row.kind not in KINDS:
        return None
    kind, token = KINDS[row.kind], uuid.uuid4()
    claimed = (
        Job.objects.filter(pk=job_id, run_after__lte=now)
        .filter(Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease_until__lt=now))
        .filter(attempt__lt=F("max_attempts"))
        .update(state=Job.State.RUNNING, token=token, lease_until=now + kind.lease, attempt=F("attempt") + 1)
    )
    if not claimed:
        return None
    row.refresh_from_db()
    return row, Lease(job_id=row.pk, token=token, length=kind.lease, attempt=row.attempt, key=row.key)


def run(*, job_id: uuid.UUID) -> None:
    """Claim a job and do it. What fails is tried again later, with growing pauses, until its attempts are used up."""
    claimed = claim(job_id=job_id)
    if claimed is None:
        return
    row, lease = claimed
    try:
        KINDS[row.kind].run(lease, **row.payload)
    except LeaseLostError:
        logger.info("lease lost", extra={"kind": row.kind, "key": row.key})
    except NotNowError as wait:
        _put_back(row, lease=lease, seconds=wait.seconds)
    except PermanentError as error:
        _bury(row, lease=lease, error=str(error))
    except Exception as error:  # noqa: BLE001  (whatever a handler raises, the row must say so)
        _postpone(row, lease=lease, error=error)
    else:
        Job.objects.filter(pk=row.pk, token=lease.token).update(
            state=Job.State.DONE, finished_at=timezone.now(), lease_until=None, token=None, last_error=""
        )


def _put_back(row: Job, *, lease: Lease, seconds: float) -> None:
    run_after = timezone.now() + timedelta(seconds=seconds)
    Job.objects.filter(pk=row.pk, token=lease.token).update(
        state=Job.State.QUEUED, run_after=run_after, attempt=F("attempt") - 1, lease_until=None, token=None
    )
    hint(job_id=row.pk, queue=row.queue, at=run_after)


def _postpone(row: Job, *, lease: Lease, error: BaseException) -> None:
    logger.warning(
        "job failed", exc_info=error, extra={"kind": row.kind, "key": row.key, "attempt": row.attempt}
    )
    reason = f"{type(error).__name__}: {error}"[:2000]
    if row.attempt >= row.max_attempts:
        _bury(row, lease=lease, error=reason)
        return
    pause = BACKOFF_SECONDS[min(row.attempt, len(BACKOFF_SECONDS)) - 1] * random.uniform(0.8, 1.2)  # noqa: S311
    Job.objects.filter(pk=row.pk, token=lease.token).update(
        state=Job.State.QUEUED,
        run_after=timezone.now() + timedelta(seconds=pause),
        lease_until=None,
        token=None,
        last_error=reason,
    )


@transaction.atomic
def _bury(row: Job, *, lease: Lease | None, error: str) -> None:
    held = Job.objects.filter(pk=row.pk).exclude(state__in=[Job.State.DONE, Job.State.DEAD])
    if lease is not None:
        held = held.filter(token=lease.token)
    buried = held.update(
        state=Job.State.DEAD,
        finished_at=timezone.now(),
        lease_until=None,
        token=None,
        last_error=error[:2000],
    )
    on_dead = KINDS[row.kind].on_dead
    if buried and on_dead:
        on_dead(error=error, **row.payload)


def due(*, at: datetime) -> list[Job]:
    """Jobs that should be running and are not: overdue ones and those whose worker has died."""
    return list(
        Job.objects.filter(run_after__lte=at)
        .filter(Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease_until__lt=at))
        .order_by("run_after", "pk")[:REAP_AT_ONCE]
    )


def reap(*, at: datetime) -> int:
    """Hint again at what is due; bury what has used up its attempts. Returns how many were hinted at."""
    hinted = 0
    for row in due(at=at):
        if row.state == Job.State.QUEUED and row.run_after > at - HINT_GRACE:
            continue  # its first hint is still on the way
        if row.attempt >= row.max_attempts:
            _bury(row, lease=None, error=row.last_error or "The worker died each time it tried.")
        else:
            hint(job_id=row.pk, queue=row.queue)
            hinted += 1
    return hinted


def run_due(*, at: datetime | None = None) -> int:
    """Do, in this process, everything that is due now, until nothing is. Returns how many jobs ran."""
    done = 0
    while rows := due(at=at or timezone.now()):
        for row in rows:
            run(job_id=row.pk)
            done += 1
    return done


def prune(*, before: datetime) -> int:
    """Forget jobs that were done long ago; dead ones stay until somebody looks at them."""
    deleted, _ = Job.objects.filter(state=Job.State.DONE, finished_at__lt=before).delete()
    return deleted


@shared_task(
    name="core.run_job", autoretry_for=(OperationalError, ConnectionError), retry_backoff=True, max_retries=5
)
def run_job(job_id: str) -> None:
    """Celery's door to `run`."""
    run(job_id=uuid.UUID(job_id))


@shared_task(name="core.reap_jobs")
def reap_jobs() -> None:
    """Celery's door to `reap`."""
    reap(at=timezone.now())


@shared_task(name="core.tick")
def tick(kind: str, slot_seconds: int) -> None:
    """Add the periodic job of this time slot; two beats or a clock that jumps add it once."""
    slot = int(timezone.now().timestamp()) // slot_seconds
    add(kind, key=f"every-{slot_seconds}s:{slot}")
