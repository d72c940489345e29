"""The Celery app, its queues, and everything periodic as one table."""

import os
import threading
from datetime import timedelta
from typing import Any

from celery import Celery
from celery.signals import worker_ready
from django.conf import settings
from kombu import Queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

QUEUES = ("crawl", "ai", "mail", "payments", "default")
app = Celery("launch_directory")


def every(seconds: int, kind: str, *, queue: str = "default") -> dict[str, Any]:
    """A periodic job: beat only adds the job of the time slot, so a second beat or a clock that jumps does no harm."""
    return {
        "task": "core.tick",
        "schedule": timedelta(seconds=seconds),
        "args": (kind, seconds),
        "options": {"queue": queue, "expires": seconds},
    }


SCHEDULE = {
    "reap-jobs": {
        "task": "core.reap_jobs",
        "schedule": timedelta(seconds=15),
        "options": {"queue": "default", "expires": 15},
    },
    "publish-due": every(60, "directory.publish_due"),
    "check-badges": every(600, "directory.check_badges"),
    "fold-views": every(30, "directory.fold_views"),
    "refresh-trends": every(300, "directory.refresh_trends"),
    "close-week": every(300, "leaderboards.close_weeks"),
    "refresh-ratings": every(3600, "leaderboards.refresh_ratings"),
    "refresh-standings": every(3600, "leaderboards.refresh_standings"),
    "prune": every(3600, "config.prune"),
    "forget-unused-clients": every(3600, "accounts.forget_unused"),
}


def broker_url(url: str) -> str:
    """Celery's way of writing a Redis address; unix sockets have their own scheme there."""
    return url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)


app.conf.update(
    broker_url=broker_url(settings.CELERY_BROKER_URL),
    task_queues=[Queue(name) for name in QUEUES],
    task_default_queue="default",
    task_ignore_result=True,
    task_store_eager_result=False,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_time_limit=180,
    task_soft_time_limit=150,
    task_publish_retry=False,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    worker_max_tasks_per_child=200,
    worker_max_memory_per_child=400_000,
    worker_soft_shutdown_timeout=30,
    worker_cancel_long_running_tasks_on_connection_loss=True,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    broker_connection_max_retries=None,
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "visibility_timeout": 600,
        "socket_timeout": 5,
        "socket_connect_timeout": 1,
        "max_retries": 0,
        "retry_on_timeout": False,
    },
    beat_schedule=SCHEDULE,
    beat_schedule_filename=str(settings.DATA_DIR / "beat-schedule"),
    timezone="UTC",
    enable_utc=True,
)
app.autodiscover_tasks(["core"], related_name="jobs")


@worker_ready.connect
def reap_in_this_worker(**_: Any) -> None:
    """Reap from each worker as well, so that a dead beat loses no time."""
    stop = threading.Event()

    def loop() -> None:
        while not stop.wait(15):
            app.tasks["core.reap_jobs"].apply()

    threading.Thread(target=loop, name="reaper", daemon=True).start()
