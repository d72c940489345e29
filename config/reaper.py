"""What looks after the jobs in each worker: begins periodic work, finds lost work, and does it while Redis is away."""

import logging
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

from celery import bootsteps
from celery.beat import Scheduler
from django.conf import settings
from django.db import Error, close_old_connections

from core import jobs
from core.outages import Outage

CHECK_SECONDS = 5.0
PERIODIC_QUEUE = "default"  # its workers begin periodic work; two that look at once begin it once
logger = logging.getLogger(__name__)


class Reaper(bootsteps.StartStopStep):
    """A thread of the worker, so that neither beat nor Redis is needed to begin and to find what is due."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self.queues: tuple[str, ...] = ()
        self.ends = threading.Event()
        self.has_looked = False
        self.standby: subprocess.Popen[bytes] | None = None
        self.database = Outage(
            "the database",
            consequence="Nothing lost is looked for, and nothing periodic begins, until it is back.",
        )

    def start(self, worker: Any) -> None:
        self.queues = tuple(worker.app.amqp.queues.consume_from)
        threading.Thread(target=self._run, name="reaper", daemon=True).start()

    def stop(self, worker: Any) -> None:
        self.ends.set()

    def _run(self) -> None:
        while not self.ends.wait(CHECK_SECONDS):
            if fault := jobs.fault_of(self.reap_once):
                consequence = {"consequence": "It looks again in a few seconds."}
                logger.error("reaper stumbled", exc_info=fault, extra=consequence)

    def reap_once(self) -> None:
        """One look, on a connection that a restart of the database has not cut."""
        try:
            close_old_connections()
            if not self.has_looked:
                jobs.doubt_hints(queues=self.queues)
                self.has_looked = True
            if PERIODIC_QUEUE in self.queues:
                jobs.add_periodic()
            jobs.reap(queues=self.queues)
            if not jobs.hints.are_taken() and jobs.due().filter(queue__in=self.queues).exists():
                self._stand_by()
        except Error as error:
            self.database.began(error)
        else:
            self.database.ended()

    def _stand_by(self) -> None:
        """Do what is due in a process of its own, so that a stranger's page that hangs or swells harms nobody."""
        if self.standby is None or self.standby.poll() is not None:
            self.standby = subprocess.Popen(standby_command(self.queues), stdin=subprocess.DEVNULL)  # noqa: S603


def standby_command(queues: Sequence[str]) -> list[str]:
    """The command that does the due jobs of these queues until there are none."""
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), "jobs", "run", *queues]


DATABASE = Outage(
    "the database", consequence="Nothing periodic begins until it is back; what is due is done then."
)


class Clock(Scheduler):
    """Celery's beat with the table of jobs as its schedule.

    It sends nothing and remembers nothing, so Redis may be away, a clock may jump, and two of them do no harm.
    """

    def setup_schedule(self) -> None:
        """There is nothing to read: kinds of jobs say their period."""

    def tick(self, *_args: Any, **_options: Any) -> float:
        """Add what is due; gives the seconds until the next look."""
        try:
            close_old_connections()
            jobs.add_periodic()
        except Error as error:
            DATABASE.began(error)
        else:
            DATABASE.ended()
        return CHECK_SECONDS
