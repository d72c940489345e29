"""`manage.py jobs list|hurry|retry|bury|forget|run`: the queue of record, from a shell."""

import os
import signal
import time
import uuid
from argparse import ArgumentParser
from typing import Any

from celery import current_app
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, close_old_connections

from config.celery import QUEUES
from core import jobs
from core.clock import database_now
from core.models import Job

ALONE, BETWEEN_LOOKS = 20.0, 1.0


class Command(BaseCommand):
    help = "List jobs; hurry failed ones; run dead ones again, bury or forget them; run what is due without Redis."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        does = parser.add_subparsers(dest="does", required=True)
        listing = does.add_parser("list", help="jobs that are not done, oldest first")
        listing.add_argument("--state", choices=["queued", "running", "dead", "done"])
        listing.add_argument("--kind")
        listing.add_argument("--limit", type=int, default=100, help="how many at most; 100 unless told")
        hurrying = does.add_parser("hurry", help="have what failed and waits for its next try tried now")
        hurrying.add_argument(
            "--kind",
            required=True,
            choices=sorted(jobs.KINDS),
            metavar="KIND",
            help="such as core.send_mail once the mail server is mended; what waits on purpose goes on waiting",
        )
        for name, words in (
            ("retry", "put dead jobs back into the queue"),
            ("bury", "make waiting jobs dead letters"),
            ("forget", "delete dead jobs"),
        ):
            changing = does.add_parser(name, help=words)
            changing.add_argument("id", nargs="*", help="as `list` shows them")
            changing.add_argument("--kind", help="every one of this kind that it applies to")
        running = does.add_parser("run", help="do what is due in these queues until there is nothing")
        running.add_argument("queue", nargs="+", choices=QUEUES)

    def handle(self, *args: Any, **options: Any) -> None:
        does = options["does"]
        if does == "list":
            self._list(state=options["state"], kind=options["kind"], limit=options["limit"])
        elif does == "hurry":
            number = jobs.hurry(options["kind"])
            self.stdout.write(f"{number} {'is' if number == 1 else 'are'} tried within seconds.")
        elif does == "run":
            run(queues=options["queue"])
        else:
            self._change(does, names=options["id"] or _of_kind(options["kind"], does=does))

    def _list(self, *, state: str | None, kind: str | None, limit: int) -> None:
        rows = Job.objects.order_by("run_after")
        rows = rows.filter(state=state) if state else rows.exclude(state=Job.State.DONE)
        for row in (rows.filter(kind=kind) if kind else rows)[:limit]:
            reason = row.last_error.partition("\n")[0]
            self.stdout.write(
                f"{row.pk} {row.state} {row.kind} {row.key} attempt {row.attempt} {row.run_after:%FT%TZ} {reason}"
            )

    def _change(self, does: str, *, names: list[str]) -> None:
        for name in names:
            row = Job.objects.filter(pk=_id(name)).first()
            if row is None:
                raise CommandError(f"There is no job {name}.")
            if does == "retry":
                is_done = jobs.revive(job_id=row.pk, at=database_now())
            elif does == "forget":
                is_done = jobs.forget(job_id=row.pk)
            else:
                is_done = jobs.bury(row, lease=None, error="Buried by staff.")
            self.stdout.write(f"{name}: {'done' if is_done else f'left alone, it is {row.state}'}")


def _id(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise CommandError(f"{text} is an invalid id of a job; `jobs list` shows them.") from error


def _of_kind(kind: str | None, *, does: str) -> list[str]:
    """The ids of a kind's jobs that can be buried, or that are dead."""
    if not kind:
        raise CommandError("Name jobs by their id, or all of a kind by --kind.")
    states = [Job.State.QUEUED] if does == "bury" else [Job.State.DEAD]
    return [str(pk) for pk in Job.objects.filter(kind=kind, state__in=states).values_list("pk", flat=True)]


def run(*, queues: list[str]) -> None:
    """Do what is due, one job after the other, until there has been nothing for a while or our parent is gone.

    A job that hangs ends this process by its alarm: its lease runs out, and the next attempt is another process's.
    """
    kinds = [kind for kind in jobs.KINDS.values() if kind.queue in queues]
    longest = max(kind.lease.total_seconds() for kind in kinds) + current_app.conf.task_time_limit
    parent, idle_since = os.getppid(), time.monotonic()
    while os.getppid() == parent and time.monotonic() - idle_since < ALONE:
        close_old_connections()
        signal.setitimer(signal.ITIMER_REAL, longest)
        try:
            is_busy = jobs.run_due(queues=queues, at_most=1)
        except Error:
            return  # whoever started this process has said so, and starts another
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if is_busy:
            idle_since = time.monotonic()
        else:
            time.sleep(BETWEEN_LOOKS)
