"""Beat, for who wants one: adds the jobs of each time slot, as each worker of the default queue does anyway."""

from typing import Any

from celery.beat import Scheduler
from django.db import DatabaseError, close_old_connections

from core import jobs
from core.outages import Outage

CHECK_SECONDS = 5.0
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
        except DatabaseError as error:
            DATABASE.began(error)
        else:
            DATABASE.ended()
        return CHECK_SECONDS
