"""Housekeeping of the accounts area."""

from django.utils import timezone

from accounts import services_apps
from core import jobs


@jobs.job("accounts.forget_unused", lease_seconds=300)
def forget_unused(lease: jobs.Lease) -> None:
    """Delete expired tokens and codes, and registered clients that nobody uses."""
    services_apps.forget_unused(at=timezone.now())
