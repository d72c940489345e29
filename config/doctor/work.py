"""The queue, who looks after it, backups, and whether prepared rows still say what they were prepared from."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count

from accounts.selectors import unreachable_people
from config.doctor.findings import Finding, note, ok, wrong
from core import jobs
from core.models import Job
from directory.engagement.viewing import miscounted
from directory.search.index.checking import drift

SILENT = timedelta(minutes=1)
BACKUP_OLD = timedelta(hours=26)
SAMPLE = 500
LISTED = 5


def check_work(*, at: datetime) -> Iterator[Finding]:
    """Whether work begins, is found again and ends."""
    pauses, beats = jobs.pauses(), jobs.heartbeats()
    for queue, row in pauses.items():
        yield note("paused", f"{queue} since {row.paused_at:%FT%TZ} ({row.reason}); manage.py resume")
    for name, words in (("beat", "periodic jobs"), ("reaper", "lost jobs")):
        seen = beats.get(name)
        if seen and at - seen < SILENT:
            yield ok(name, f"a worker looked for {words} {(at - seen).total_seconds():.0f} s ago")
        else:
            when = f"since {seen:%FT%TZ}" if seen else "ever"
            yield wrong(name, f"no worker has looked for {words} {when}; see docs/runbook/nobody-at-work.md.")
    yield from _jobs()
    yield _backup(beats.get("backup"), at=at)


def _jobs() -> Iterator[Finding]:
    left = Job.objects.exclude(state=Job.State.DONE)
    unknown = dict(left.exclude(kind__in=jobs.KINDS).values_list("kind").annotate(Count("pk"))[:LISTED])
    for kind, number in unknown.items():
        yield wrong(
            "unknown kind",
            f"{number} of {kind}. A newer release knows it, or: manage.py jobs forget --kind {kind}",
        )
    dead = left.filter(state=Job.State.DEAD).count()
    yield (
        wrong("dead letters", f"{dead}; manage.py jobs list --state dead")
        if dead
        else ok("dead letters", "none")
    )


def _backup(made_at: datetime | None, *, at: datetime) -> Finding:
    if made_at and at - made_at < BACKUP_OLD:
        return ok("backup", f"{(at - made_at) // timedelta(hours=1)} hours old")
    age = f"the newest is of {made_at:%FT%TZ}" if made_at else "there is none"
    if settings.BACKUP_TO:
        return wrong("backup", f"{age}; see docs/runbook/backup-old.md.")
    return note("backup", f"{age}, and BACKUP_TO is not set")


def check_data(*, at: datetime) -> Iterator[Finding]:
    """Whether people can be found by their address, and a sample of what is kept twice."""
    if lost := len(unreachable_people()):
        yield wrong("addresses", f"{lost} that nobody can sign in with; see docs/runbook/addresses.md.")
    else:
        yield ok("addresses", "each account has one that it signs in with")
    result = drift(sample=SAMPLE)
    if result.is_none:
        yield ok("search", f"{result.looked_at} listings are in step")
    else:
        slugs = sorted({*result.cards, *result.documents})[:LISTED]
        yield wrong("search", f"not in step, as {', '.join(slugs)}. Run manage.py rebuild_search.")
    slugs = miscounted(sample=SAMPLE)
    words = f"{len(slugs)} of {SAMPLE} listings have other votes or followers than rows of them"
    if not slugs:
        yield ok("counters", "votes and followers are as many as counted")
    elif (settings.DATA_DIR / "demo-loaded").exists():
        yield note("counters", f"{words}, as demo data do by intent")
    else:
        yield wrong("counters", f"{words}, as {slugs[0]}; see docs/runbook/search-wrong.md.")
