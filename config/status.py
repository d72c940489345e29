"""`/status`: whether everything runs, in words for people."""

from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import DatabaseError
from django.db.models import Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core import jobs
from core.clock import database_now
from core.models import Job

LATE = timedelta(minutes=5)  # work that waits longer than this waits too long
CACHE_SECONDS = 15
RUNS, LATE_WORDS, STOPPED = "Runs", "Slower than usual", "Does not run"
Part = tuple[str, str, str]


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """What a visitor notices: pages and search, drafts and checks, mails and launches."""
    found = cache.get("status")
    if found is None:
        found = measured()
        cache.set("status", found, CACHE_SECONDS)
    is_well = all(part[1] == RUNS for part in found)
    return render(request, "pages/status.html", {"parts": found, "is_well": is_well})


def measured() -> list[Part]:
    """Each part with how it is and what that means."""
    try:
        at = database_now()
        due = Job.objects.filter(state=Job.State.QUEUED, run_after__lte=at)
        waits = dict(due.values_list("queue").annotate(Min("run_after")))
        looked = jobs.heartbeats().get("beat")
    except DatabaseError:
        return [("Pages and search", STOPPED, "The database does not answer.")]
    return [
        ("Pages and search", RUNS, "Reading, voting, signing in."),
        ("Drafts and badge checks", _pace(waits, "crawl", at=at), "Reading websites and writing drafts."),
        ("E-mail", _pace(waits, "mail", at=at), "Codes, news of products you follow, receipts."),
        (
            "Launches and payments",
            _calendar(looked, waits, at=at),
            "Weeks open, paid orders are carried out.",
        ),
    ]


def _pace(waits: dict[str, datetime], queue: str, *, at: datetime) -> str:
    return LATE_WORDS if at - waits.get(queue, at) > LATE else RUNS


def _calendar(looked: datetime | None, waits: dict[str, datetime], *, at: datetime) -> str:
    if looked is None or at - looked > LATE:
        return STOPPED
    paces = {_pace(waits, queue, at=at) for queue in ("default", "payments")}
    return LATE_WORDS if LATE_WORDS in paces else RUNS
