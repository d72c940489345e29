"""The Celery app and its queues. What is periodic says so where it is declared: `every=` in an area's `tasks.py`."""

import contextlib
import logging.config
import os
import sys
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import celeryd_after_setup, setup_logging
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from kombu import Queue
from kombu.transport import redis

from config.embedded.paths import CannotRunError
from core.job_limits import GRACE_SECONDS, SOFT_LIMIT_SECONDS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

QUEUES = ("crawl", "ai", "mail", "payments", "default")
NICENESS = 10  # a tenth is left beside others that want it all; at 19 jobs outlived their leases
AUTOGROUP = Path("/proc/self/autogroup")
app = Celery("launch_directory")

try:
    BROKER = str(settings.CELERY_BROKER_URL)
except (CannotRunError, ImproperlyConfigured) as error:
    sys.exit(str(error))  # workers and beat read the settings here first: what is wrong is one sentence


def broker_url(url: str) -> str:
    """Celery's way of writing a Redis address; unix sockets have their own scheme there."""
    return url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)


app.conf.update(
    broker_url=broker_url(BROKER),
    task_queues=[Queue(name) for name in QUEUES],
    task_default_queue="default",
    task_ignore_result=True,
    task_store_eager_result=False,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_time_limit=SOFT_LIMIT_SECONDS + GRACE_SECONDS,
    task_soft_time_limit=SOFT_LIMIT_SECONDS,
    task_publish_retry=False,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    worker_max_tasks_per_child=200,
    worker_proc_alive_timeout=60,  # a light process on a busy machine needs longer than 4 s to come up
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
    broker_channel_error_retry=True,  # a full Redis is an outage, not the worker's end
    beat_scheduler="config.reaper:Clock",
    timezone="UTC",
    enable_utc=True,
)
app.autodiscover_tasks(["core"], related_name="jobs")


class Channel(redis.Channel):
    """Kombu closes it again once its Redis is gone, and to put hints back then is what a crawler died of."""

    def close(self) -> None:
        if not self.closed:
            self.do_restore = self.connection.client is not None
        super().close()


redis.Transport.Channel = Channel

app.steps["worker"].add("config.reaper:Reaper")


@celeryd_after_setup.connect
def give_way(instance: Any, **_: Any) -> None:
    """Reading websites leaves the processor to the web server, the database and payments on the same machine."""
    if "crawl" in instance.app.amqp.queues.consume_from:
        os.nice(NICENESS)
        if os.getsid(0) == os.getpid():
            # Linux may weigh whole sessions first (autogroups, sched(7)): niceness counts only within each.
            with contextlib.suppress(OSError):
                AUTOGROUP.write_text(str(NICENESS))


@setup_logging.connect
def log_as_everything_else(**_: Any) -> None:
    """Lines of worker and beat are those that settings.LOGGING describes: Celery must not set up others."""
    logging.config.dictConfig(settings.LOGGING)
