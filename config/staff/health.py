"""Health for the start page: queues with what waits and what is dead, periodic work, backups."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from core import jobs
from core.models import Job

BOUND = 1000  # more than this waiting is told as so many
LATE = timedelta(minutes=5)
SLOW = 3600  # periodic work that runs more seldom than each hour is worth a line
NAMES = {"backup": "Last backup", "restore": "Last tried restore"}


def health(*, at: datetime) -> dict[str, Any]:
    """Each queue, when what is periodic last ended, and whether anything needs a look."""
    waiting = Job.objects.filter(state=Job.State.QUEUED, run_after__lte=at).order_by("run_after")
    due = list(waiting.values_list("queue", "run_after")[:BOUND])
    dead = Counter(Job.objects.filter(state=Job.State.DEAD).values_list("queue", flat=True)[:BOUND])
    number = Counter(queue for queue, _ in due)
    oldest = dict(reversed(due))
    queues = [
        {
            "name": name,
            "waits": number[name],
            "oldest": oldest.get(name),
            "dead": dead[name],
            "is_bad": bool(dead[name]),
            "is_late": name in oldest and at - oldest[name] > LATE,
        }
        for name in sorted({kind.queue for kind in jobs.KINDS.values()} | set(dead) | set(number))
    ]
    beats = jobs.heartbeats()
    return {
        "queues": queues,
        "is_full": len(due) == BOUND,
        "periodic": _periodic(),
        "beats": [{"name": words, "at": beats.get(key)} for key, words in NAMES.items()],
        "to_look_at": sum(row["is_bad"] or row["is_late"] for row in queues),
    }


def _periodic() -> list[dict[str, Any]]:
    """The last run that ended of each kind of slow periodic work."""
    kinds = [kind.name for kind in jobs.periodic() if (kind.every or 0) >= SLOW]
    ended = Job.objects.filter(kind__in=kinds, state=Job.State.DONE).order_by("kind", "-finished_at")
    last = dict(ended.distinct("kind").values_list("kind", "finished_at"))
    return [
        {"name": name.partition(".")[2].replace("_", " ").capitalize(), "at": last.get(name)}
        for name in sorted(kinds)
    ]
