"""The queue's doors to rankings."""

from django.utils import timezone

from core import jobs
from leaderboards import services


@jobs.job("leaderboards.close_weeks")
def close_weeks(lease: jobs.Lease) -> None:
    """Every five minutes: weeks that are over and not closed yet."""
    services.close_due_weeks(at=timezone.now())


@jobs.job("leaderboards.refresh_standings")
def refresh_standings(lease: jobs.Lease) -> None:
    """Every hour: the boards that are kept."""
    services.refresh_standings(at=timezone.now())
