"""The backup of each night, by the clock of the jobs."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.core.files.storage import storages

from config.backups.making import back_up as make
from config.backups.making import keep_last
from core import jobs

logger = logging.getLogger(__name__)
HOUR = 3  # UTC: away from midnight, when weeks begin


def back_up(*, at: datetime) -> None:
    """Make the backup of a night that has none yet, however late, and keep the newest ones."""
    if not settings.BACKUP_TO or not _is_due(jobs.heartbeats().get("backup"), at=at):
        return
    place = storages["backups"]
    made = make(place=place, at=at, report=logger.info)
    jobs.note_heartbeat("backup")
    gone = keep_last(max(1, settings.BACKUP_KEEP), place=place, at=at)
    logger.info("backup complete", extra={"backup": made.name, "removed": gone})


def _is_due(last: datetime | None, *, at: datetime) -> bool:
    night = at.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    return last is None or last < (night if at >= night else night - timedelta(days=1))
