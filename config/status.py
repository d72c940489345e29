"""`/status`: whether everything runs, in words for people."""

from datetime import datetime, timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import Error
from django.db.models import Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timesince import timesince

from core import jobs
from core.clock import database_now
from core.methods import require_safe
from core.models import Job

LATE = timedelta(minutes=5)  # work that waits longer than this waits too long
CACHE_SECONDS = 15
MOMENT_SECONDS = 60
RUNS, LATE_WORDS, STOPPED = "Runs", "Slower than usual", "Does not run"
Part = tuple[str, str, str]


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """What a visitor notices: pages and search, drafts and checks, mails and launches."""
    result = cache.get("status")
    if result is None:
        result = measured()
        cache.set("status", result, CACHE_SECONDS)
    is_well = all(part[1] == RUNS for part in result)
    notes = staff_notes() if is_staff(request) else []
    return render(request, "pages/status.html", {"parts": result, "is_well": is_well, "notes": notes})


def is_staff(request: HttpRequest) -> bool:
    """Whether staff look; nobody can be told while the database is away."""
    try:
        return bool(request.user.is_active and getattr(request.user, "is_staff", False))
    except Error:
        return False


def staff_notes() -> list[tuple[str, str]]:
    """What only staff need to know: what runs, what stands still on purpose, when the last backup was complete."""
    try:
        at, seen = database_now(), jobs.heartbeats()
        pauses = jobs.pauses()
    except Error:
        return []
    notes = [("Release", settings.VERSION)]
    notes += [
        (f"Paused: {queue}", f"since {row.paused_at:%-d %b %Y %H:%M} UTC ({row.reason})")
        for queue, row in pauses.items()
    ]
    return [*notes, ("Last backup", backup_words(seen.get("backup"), at=at))]


def backup_words(made_at: datetime | None, *, at: datetime) -> str:
    if made_at is None:
        return "none yet" if settings.BACKUP_TO else "none: BACKUP_TO is not set"
    return f"{made_at:%-d %b %Y %H:%M} UTC, {(at - made_at) // timedelta(hours=1)} hours ago"


def measured() -> list[Part]:
    try:
        at = database_now()
        due = Job.objects.filter(state=Job.State.QUEUED, run_after__lte=at)
        waits = dict(due.values_list("queue").annotate(Min("run_after")))
        looked = jobs.heartbeats().get("beat")
    except Error:
        return [("Pages and search", STOPPED, "The database does not answer.")]
    return [
        ("Pages and search", RUNS, "Reading, voting, signing in."),
        (
            "Drafts and badge checks",
            _pace(waits, "crawl", at=at),
            f"Reading websites and writing drafts. {_wait(waits, 'crawl', at=at)}",
        ),
        (
            "E-mail",
            _pace(waits, "mail", at=at),
            f"Codes, news of products you follow, receipts. {_wait(waits, 'mail', at=at)}",
        ),
        (
            "Launches and payments",
            _calendar(looked, waits, at=at),
            "Weeks open, paid orders are carried out.",
        ),
    ]


def _pace(waits: dict[str, datetime], queue: str, *, at: datetime) -> str:
    return LATE_WORDS if at - waits.get(queue, at) > LATE else RUNS


def _wait(waits: dict[str, datetime], queue: str, *, at: datetime) -> str:
    """How long the oldest piece of work has waited, in words."""
    seconds = int((at - waits.get(queue, at)).total_seconds())
    if seconds < MOMENT_SECONDS:
        return "Nothing waits."
    return f"The oldest has waited {timesince(at - timedelta(seconds=seconds), at, depth=1)}."


def _calendar(looked: datetime | None, waits: dict[str, datetime], *, at: datetime) -> str:
    if looked is None or at - looked > LATE:
        return STOPPED
    paces = {_pace(waits, queue, at=at) for queue in ("default", "payments")}
    return LATE_WORDS if LATE_WORDS in paces else RUNS
