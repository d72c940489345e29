"""Looks at a whole installation and says what is not well, with what to do."""

from config.doctor.dns_records import check_names
from config.doctor.findings import Finding, Level
from config.doctor.machine import check_machine, check_settings
from config.doctor.work import check_data, check_work

CHECKS = (check_machine, check_settings, check_work, check_data, check_names)

__all__ = ["CHECKS", "Finding", "Level"]
