"""Looks at a whole installation and says what is not well, with what to do."""

from config.doctor.dns_records import look_at_names
from config.doctor.findings import Finding, Level
from config.doctor.machine import look_at_machine, look_at_settings
from config.doctor.work import look_at_data, look_at_work

LOOKS = (look_at_machine, look_at_settings, look_at_work, look_at_data, look_at_names)

__all__ = ["LOOKS", "Finding", "Level"]
