"""Celery's door to the jobs."""

import uuid

from celery import shared_task
from django.db import InterfaceError, OperationalError

from core.jobs.queue import run
from core.outages import Outage

DATABASE = Outage("the database", consequence="No job runs until it is back; none is lost.")


@shared_task(name="core.run_job")
def run_job(job_id: str) -> None:
    """Run the job that a hint is about. When the database is away, its row waits there for the next hint."""
    try:
        run(job_id=uuid.UUID(job_id))
    except (OperationalError, InterfaceError) as error:
        DATABASE.began(error)
    else:
        DATABASE.ended()
