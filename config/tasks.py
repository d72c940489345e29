"""Housekeeping that belongs to no area."""

from datetime import timedelta

from django.utils import timezone

from core import idempotency, jobs


@jobs.job("config.prune")
def prune(lease: jobs.Lease) -> None:
    """Forget answers older than a day and jobs done more than a week ago."""
    now = timezone.now()
    idempotency.prune(at=now)
    jobs.prune(before=now - timedelta(days=7))
