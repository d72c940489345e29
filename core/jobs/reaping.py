"""The safety net: what should be running and is not is hinted at again, run here, or buried."""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import Error, connection, transaction
from django.db.models import Case, F, OuterRef, Q, QuerySet, When
from django.db.models.functions import Now

from core.clock import database_now
from core.jobs import hints
from core.jobs.kinds import KINDS, periodic
from core.jobs.queue import ALL, LETS_PASS, LONGEST, add, bury, has_passed, hint, is_paused, pauses, run_row
from core.models import Heartbeat, Job

logger = logging.getLogger(__name__)
AT_ONCE = 200
UNKNOWN_KIND = "No worker of this release knows the kind."
DIED = "The worker died each time it tried."
EVERY = "every-"
BEAT_SECONDS = 15
BEAT = """
INSERT INTO core_heartbeat AS h (name, beat_at) VALUES (%s, clock_timestamp())
ON CONFLICT (name) DO UPDATE SET beat_at = excluded.beat_at
WHERE abs(extract(epoch FROM excluded.beat_at - h.beat_at)) > %s
"""


def due() -> QuerySet[Job]:
    """Jobs that should be running and are not, oldest first: overdue ones and those whose worker has died."""
    return (
        Job.objects.filter(run_after__lte=Now())
        .exclude(is_paused(OuterRef("queue")))
        .filter(Q(state=Job.State.QUEUED) | (Q(state=Job.State.RUNNING) & has_passed("lease_until")))
        .order_by("run_after", "pk")
    )


def _can_run() -> Q:
    return Q(kind__in=KINDS, attempt__lt=F("max_attempts"))


def _in_turn(rows: QuerySet[Job]) -> QuerySet[Job]:
    """First what goes first, at last what is of the background and has not waited for long."""
    first = [kind.name for kind in KINDS.values() if kind.goes_first]
    background = [kind.name for kind in KINDS.values() if kind.is_background]
    lets_pass = Q(kind__in=background, run_after__gt=Now() - LETS_PASS)
    turn = Case(When(kind__in=first, then=hints.FIRST), When(lets_pass, then=hints.LAST), default=hints.NEXT)
    return rows.order_by(turn, "run_after", "pk")


def reap(*, queues: Collection[str]) -> int:
    """Bury what nobody can run any more, and hint again at what is due in these queues.

    Each row has a guard of its own, so that no row keeps others from being looked at. Returns how many were hinted at.
    """
    _mend_times()
    _take_back()
    for row in due().exclude(_can_run())[:AT_ONCE]:
        _bury_alone(row)
    hinted = sum(_hint_again(queue=queue, room=room) for queue, room in hints.room(queues).items())
    note_heartbeat("reaper")
    return hinted


def _mend_times() -> None:
    """Jobs that were put off by a clock that ran ahead, and has been put right since, are due now."""
    soon = Now() + timedelta(minutes=1)
    Job.objects.filter(state=Job.State.QUEUED, run_after__gt=soon).filter(
        Q(created_at__gt=soon) | Q(attempt__gt=0, run_after__gt=Now() + LONGEST)
    ).update(run_after=Now(), created_at=Now())


def _take_back() -> None:
    """During a rolling upgrade the old release buries kinds that only the new one knows: that one takes them back."""
    Job.objects.filter(state=Job.State.DEAD, last_error=UNKNOWN_KIND, kind__in=KINDS).update(
        state=Job.State.QUEUED, run_after=Now(), finished_at=None, last_error=""
    )


def _bury_alone(row: Job) -> None:
    reason = (row.last_error or DIED) if row.kind in KINDS else UNKNOWN_KIND
    details = {"kind": row.kind, "key": row.key, "job_id": str(row.pk), "reason": reason}
    try:
        if bury(row, lease=None, error=reason):
            logger.warning("job buried", extra=details)
    except Error:
        logger.exception("job not buried", extra=details)


def doubt_hints(*, queues: Collection[str]) -> None:
    """Have what is due in these queues hinted at again: a worker that died took along the hints it had fetched.

    For whoever begins to work. A second hint at a job does nothing.
    """
    due().filter(queue__in=queues, state=Job.State.QUEUED).update(hint_until=None)


def _hint_again(*, queue: str, room: int) -> int:
    """Hint at due jobs of a queue that no hint is under way for."""
    with transaction.atomic():
        waiting = (
            due()
            .filter(_can_run(), Q(hint_until=None) | has_passed("hint_until"), queue=queue)
            .select_for_update(skip_locked=True)
        )
        rows = list(_in_turn(waiting)[: min(room, AT_ONCE)])
        Job.objects.filter(pk__in=[row.pk for row in rows]).update(hint_until=Now() + hints.LASTS)
    for row in rows:
        if row.state == Job.State.RUNNING:
            logger.warning(
                "job lost its worker", extra={"kind": row.kind, "key": row.key, "attempt": row.attempt}
            )
    return sum(hint(row) for row in rows)


def run_due(*, queues: Collection[str] | None = None, at_most: int | None = None) -> int:
    """Do, in this process, what is due now, until nothing is. Returns how many jobs ran."""
    done = 0
    rows = due().filter(_can_run()).annotate(read_at=Now())
    if queues is not None:
        rows = rows.filter(queue__in=queues)
    while (at_most is None or done < at_most) and (row := _in_turn(rows).first()):
        run_row(row)
        done += 1
    return done


def add_periodic() -> list[str]:
    """Add the job of the time slot that is running, for each kind with a period; gives the kinds that were added.

    Two workers add it once, and so does a clock that jumps. A kind whose last job still waits is not added again:
    what waited for days while no worker ran is done once.
    """
    added = [] if ALL in pauses() else _add_slots(now=database_now())
    note_heartbeat("beat")
    return added


def _add_slots(*, now: datetime) -> list[str]:
    keys = {
        kind.name: f"{EVERY}{kind.every}s:{int(now.timestamp()) // kind.every}"
        for kind in periodic()
        if kind.every
    }
    rows = Job.objects.filter(kind__in=keys)
    waiting = rows.filter(state=Job.State.QUEUED, key__startswith=EVERY, run_after__lt=now + LONGEST)
    there = rows.filter(key__in=set(keys.values()))
    settled = set(waiting.values_list("kind", flat=True))
    settled |= {kind for kind, key in there.values_list("kind", "key") if keys[kind] == key}
    added = [kind for kind in keys if kind not in settled]
    for kind in added:
        add(kind, key=keys[kind])
    return added


def note_heartbeat(name: str) -> None:
    """Write down, some times a minute, that somebody is at work."""
    with connection.cursor() as cursor:
        cursor.execute(BEAT, [name, BEAT_SECONDS])


def forget_heartbeat(name: str) -> None:
    """What it told of is over."""
    Heartbeat.objects.filter(name=name).delete()


def heartbeats() -> dict[str, datetime]:
    """When somebody last looked for periodic jobs ("beat") and for lost ones ("reaper"), and so on."""
    return dict(Heartbeat.objects.values_list("name", "beat_at"))
