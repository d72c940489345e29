"""A row per job, a lease per worker: jobs are added, claimed, done, put off, buried.

A job may run twice and die anywhere. A worker claims it by one conditional UPDATE, which hands out a fencing token;
whoever lost the lease can no longer write through `Lease.guard`. The pattern is the transactional outbox with leases
and fencing tokens (Kleppmann, Designing Data-Intensive Applications, chapter 8). All times are the database's.
"""

import logging
import random
import time
import uuid
from datetime import datetime, timedelta
from typing import Any

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.db import Error, OperationalError, transaction
from django.db.models import Exists, F, OuterRef, Q, Value
from django.db.models.functions import Now
from django.utils import timezone

from core.jobs import hints
from core.jobs.kinds import KINDS, LeaseLostError, PermanentError, fault_of
from core.jobs.renewing import TOO_LONG, Lease, renewed
from core.models import Job, Pause
from core.outages import NotNowError, Outage, is_contention, is_outage
from core.traces import span

logger = logging.getLogger(__name__)
ALL = "all"
BACKOFF_SECONDS = (5, 30, 120, 600, 3600)
LETS_PASS = timedelta(minutes=5)  # for so long a job of the background lets others go before
LONGEST = timedelta(hours=2)  # no lease, hint or pause is longer
LOCKED_SECONDS, LOCKED_AT_MOST = (2.0, 10.0), timedelta(hours=1)  # then a lock costs tries, as any fault
REASON = 2000


def is_paused(queue: OuterRef | Value) -> Exists:
    """Whether a queue is paused, by its own row or by the one for all; part of the claim itself."""
    return Exists(Pause.objects.filter(Q(queue=ALL) | Q(queue=queue)))


def pause(*, queue: str, reason: str) -> bool:
    """Let what is under way of a queue, or of all, end, and begin nothing else. False when it is paused already."""
    _, is_new = Pause.objects.get_or_create(pk=queue, defaults={"reason": reason, "paused_at": Now()})
    return is_new


def resume(*, queue: str) -> bool:
    """Go on. What waited is found by the workers within seconds."""
    deleted, _ = Pause.objects.filter(pk=queue).delete()
    return bool(deleted)


def pauses() -> dict[str, Pause]:
    return {row.pk: row for row in Pause.objects.order_by("queue")}


def has_passed(field: str) -> Q:
    """Rows whose moment is over, or so far ahead that a clock has set it that was put right since."""
    return Q(**{f"{field}__lt": Now()}) | Q(**{f"{field}__gt": Now() + LONGEST})


def add(kind: str, *, key: str, run_after: datetime | None = None, **payload: Any) -> None:
    """Add a job in the caller's transaction. The same kind and key is added once, whatever became of it."""
    settings = KINDS[kind]
    is_due = run_after is None or run_after <= timezone.now()
    row = Job(
        kind=kind,
        key=key,
        queue=settings.queue,
        payload=payload,
        run_after=run_after or Now(),
        max_attempts=settings.attempts,
        created_at=Now(),
        hint_until=Now() + hints.LASTS if is_due else None,
    )
    Job.objects.bulk_create([row], ignore_conflicts=True)
    if is_due:
        _hint_after_commit(row)


def again(kind: str, *, key: str, at: datetime, **payload: Any) -> None:
    """Run a job once more from its first attempt, whether it is done or dead; add it when there is none."""
    Job.objects.filter(kind=kind, key=key).exclude(state=Job.State.RUNNING).delete()
    add(kind, key=key, run_after=at, **payload)


def hurry(kind: str) -> int:
    """What failed of a kind is due now, since what it waits for is back; a row that somebody holds stays as it is.

    So does one that waits on purpose. Workers find the others within seconds. Gives how many they are.
    """
    waiting = Job.objects.filter(kind=kind, state=Job.State.QUEUED, run_after__gt=Now())
    if not KINDS[kind].never_planned:
        waiting = waiting.exclude(attempt=0, last_error="")
    with transaction.atomic():
        free = waiting.select_for_update(skip_locked=True).values("pk")
        return Job.objects.filter(pk__in=free).update(run_after=Now(), hint_until=None)


def revive(*, job_id: uuid.UUID, at: datetime) -> bool:
    revived = Job.objects.filter(pk=job_id, state=Job.State.DEAD).update(
        state=Job.State.QUEUED, attempt=0, run_after=at, finished_at=None, hint_until=Now() + hints.LASTS
    )
    if revived:
        _hint_after_commit(Job.objects.get(pk=job_id))
    return bool(revived)


def forget(*, job_id: uuid.UUID) -> bool:
    deleted, _ = Job.objects.filter(pk=job_id, state=Job.State.DEAD).delete()
    return bool(deleted)


def _hint_after_commit(row: Job) -> None:
    transaction.on_commit(lambda: hint(row), robust=True)


def hint(row: Job, *, at: datetime | None = None) -> bool:
    """Send a hint at a row whose `hint_until` is set; when Redis does not take it, unset that."""
    kind = KINDS[row.kind]
    priority = hints.FIRST if kind.goes_first else hints.NEXT
    if kind.is_background and not _has_waited(row):
        priority = hints.LAST
    is_taken = hints.send(
        job_id=row.pk, queue=row.queue, at=at, limit_seconds=kind.limit_seconds, priority=priority
    )
    if not is_taken:
        Job.objects.filter(pk=row.pk, state__in=[Job.State.QUEUED, Job.State.RUNNING]).update(hint_until=None)
    return is_taken


def _has_waited(row: Job) -> bool:
    return isinstance(row.run_after, datetime) and row.run_after < timezone.now() - LETS_PASS


def claim(*, job_id: uuid.UUID) -> tuple[Job, Lease] | None:
    """Take a due job, or nothing when it is done, not due, paused, or held by somebody else."""
    row = Job.objects.annotate(read_at=Now()).filter(pk=job_id, run_after__lte=Now()).first()
    lease = _claim(row) if row and row.kind in KINDS else None
    return (row, lease) if row and lease else None


def _claim(row: Any) -> Lease | None:
    """Take a job as it was read, with the database's time then; nobody has tried it since."""
    kind, token = KINDS[row.kind], uuid.uuid4()
    claimed = (
        Job.objects.filter(
            pk=row.pk, run_after__lte=Now(), attempt=row.attempt, attempt__lt=F("max_attempts")
        )
        .exclude(is_paused(Value(row.queue)))
        .filter(Q(state=Job.State.QUEUED) | (Q(state=Job.State.RUNNING) & has_passed("lease_until")))
        .update(
            state=Job.State.RUNNING,
            token=token,
            lease_until=Now() + kind.lease,
            hint_until=None,
            attempt=F("attempt") + 1,
        )
    )
    if not claimed:
        return None
    row.attempt += 1
    return Lease(
        job_id=row.pk,
        token=token,
        length=kind.lease,
        attempt=row.attempt,
        key=row.key,
        at=row.read_at,
        waited=row.read_at - row.created_at,
    )


def run(*, job_id: uuid.UUID) -> None:
    """Claim a job and do it. What fails is tried again later, with growing pauses, until its attempts are used up."""
    if claimed := claim(job_id=job_id):
        _do(*claimed)


def run_row(row: Job) -> None:
    """The same for one that was just read."""
    if lease := _claim(row):
        _do(row, lease)


def _do(row: Job, lease: Lease) -> None:
    began = time.monotonic()
    with span(row.kind, **{"job.key": row.key, "job.id": str(row.pk), "job.attempt": row.attempt}) as current:
        with renewed(lease, kind=KINDS[row.kind]):
            fault = fault_of(lambda: KINDS[row.kind].run(lease, row.payload))
        outcome = _settle(row, lease=lease, fault=fault)
        if current is not None:
            current.set_attribute("job.outcome", outcome)
    error = fault if outcome in {"failed", "dead"} and not isinstance(fault, PermanentError) else None
    _note_run(row, outcome=outcome, seconds=time.monotonic() - began, error=error)


def _settle(row: Job, *, lease: Lease, fault: Exception | None) -> str:
    """Write into the row what became of an attempt; gives the outcome in a word."""
    match fault:
        case None:
            Job.objects.filter(pk=row.pk, token=lease.token).update(
                state=Job.State.DONE, finished_at=Now(), lease_until=None, token=None, last_error=""
            )
            return "done"
        case LeaseLostError():
            return "lease lost"
        case NotNowError() | OperationalError() if seconds := _pause_after(
            fault, age=lease.at - row.created_at
        ):
            _put_back(row, lease=lease, seconds=seconds, fault=fault)
            return "waits"
        case PermanentError():
            bury(row, lease=lease, error=str(fault))
            return "dead"
        case SoftTimeLimitExceeded() if KINDS[row.kind].is_of_strangers:
            bury(row, lease=lease, error=TOO_LONG)
            return "dead"
        case _:
            return _fail(row, lease=lease, error=fault)


def _pause_after(fault: Exception, *, age: timedelta) -> float:
    """How long a job waits that could not work yet by no fault of its own; 0 where that is not so."""
    if isinstance(fault, NotNowError):
        return max(fault.seconds, 0.1)
    gives_way = is_contention(fault) and age < LOCKED_AT_MOST
    return random.uniform(*LOCKED_SECONDS) if gives_way else 0.0  # noqa: S311


def _note_run(row: Job, *, outcome: str, seconds: float, error: Exception | None) -> None:
    logger.log(
        logging.WARNING if error else logging.INFO,
        "job %s",
        outcome,
        exc_info=error,
        extra={
            "kind": row.kind,
            "key": row.key,
            "job_id": str(row.pk),
            "attempt": row.attempt,
            "outcome": outcome,
            "seconds": round(seconds, 3),
        },
    )


def _put_back(row: Job, *, lease: Lease, seconds: float, fault: Exception) -> None:
    pause = timedelta(seconds=seconds)
    Job.objects.filter(pk=row.pk, token=lease.token).update(
        state=Job.State.QUEUED,
        run_after=Now() + pause,
        hint_until=Now() + pause + hints.LASTS,
        attempt=F("attempt") - 1,
        lease_until=None,
        token=None,
        last_error=row.last_error if isinstance(fault, NotNowError) else _as_text(str(fault)),
    )
    hint(row, at=timezone.now() + pause)


def _fail(row: Job, *, lease: Lease, error: Exception) -> str:
    reason = f"{type(error).__name__}: {error}"
    if row.attempt >= row.max_attempts:
        bury(row, lease=lease, error=reason)
        return "dead"
    pause = BACKOFF_SECONDS[min(row.attempt, len(BACKOFF_SECONDS)) - 1] * random.uniform(0.8, 1.2)  # noqa: S311
    pause = min(pause, KINDS[row.kind].every or pause)
    Job.objects.filter(pk=row.pk, token=lease.token).update(
        state=Job.State.QUEUED,
        run_after=Now() + timedelta(seconds=pause),
        lease_until=None,
        token=None,
        last_error=_as_text(reason),
    )
    return "failed"


def bury(row: Job, *, lease: Lease | None, error: str) -> bool:
    """Make a job a dead letter that says why; false when somebody else did, or when it is done.

    A fault of its `on_dead` is added to the reason and undoes nothing.
    """
    kind = KINDS.get(row.kind)
    on_dead = kind.on_dead if kind else None
    if on_dead is None:
        return _mark_dead(row, lease=lease, error=error)
    is_buried = False

    def bury_and_tell() -> None:
        nonlocal is_buried
        with transaction.atomic():
            is_buried = _mark_dead(row, lease=lease, error=error)
            if is_buried:
                on_dead(key=row.key, error=error, **row.payload)

    if fault := fault_of(bury_and_tell):
        logger.error("on_dead failed", exc_info=fault, extra={"kind": row.kind, "key": row.key})
        fault_too = f"{error}\nAfter that, on_dead failed: {type(fault).__name__}: {fault}"
        return _mark_dead(row, lease=lease, error=fault_too)
    return is_buried


def _mark_dead(row: Job, *, lease: Lease | None, error: str) -> bool:
    open_rows = Job.objects.filter(pk=row.pk, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    if lease is not None:
        open_rows = open_rows.filter(token=lease.token)
    buried = open_rows.update(
        state=Job.State.DEAD,
        finished_at=Now(),
        lease_until=None,
        hint_until=None,
        token=None,
        last_error=_as_text(error),
    )
    return bool(buried)


def _as_text(reason: str) -> str:
    """PostgreSQL's texts have no NUL in them; a stranger's may."""
    return reason.replace("\0", "")[:REASON]


DATABASE = Outage("the database", consequence="No job runs until it is back; none is lost.")


@shared_task(name="core.run_job")
def run_job(job_id: str) -> None:
    """Run the job that a hint is about. When the database is away, its row waits there for the next hint."""
    try:
        run(job_id=uuid.UUID(job_id))
    except Error as error:
        if not is_outage(error):
            raise
        DATABASE.began(error)
    else:
        DATABASE.ended()
