"""Moments in UTC, with the weekday."""

DATE_FORMAT = SHORT_DATE_FORMAT = "D j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "D j M Y H:i"
