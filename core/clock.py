"""The time as the database has it: one clock for all processes, whatever their own say."""

from datetime import datetime
from typing import cast

from django.db import connection


def database_now() -> datetime:
    """What decides by the calendar asks here: the clock of one machine may jump ahead and be put right again."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cast(datetime, cursor.fetchone()[0])
