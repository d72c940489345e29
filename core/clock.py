"""The time as the database has it: one clock for all processes, whatever their own say."""

import re
from datetime import UTC, datetime
from typing import cast

from django.db import connection

RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII | re.IGNORECASE)


def read_time(text: str) -> datetime:
    """A time as RFC 3339 writes it, in UTC. ValueError for every other, other forms of ISO 8601 among them."""
    if not RFC_3339.fullmatch(text):
        raise ValueError(f"{text!r} is not an RFC 3339 time such as 2026-11-23T00:00:00Z.")
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text!r} is not a time.") from error


def database_now() -> datetime:
    """What decides by the calendar asks here: the clock of one machine may jump ahead and be put right again."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cast(datetime, cursor.fetchone()[0])
