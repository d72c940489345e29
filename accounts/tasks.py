"""Housekeeping of the accounts area."""

from accounts import services_apps
from core import jobs
from core.clock import database_now


@jobs.job("accounts.forget_unused", every=3600, lease_seconds=300)
def forget_unused(lease: jobs.Lease) -> None:
    """Delete expired tokens and codes, and registered clients that nobody uses."""
    services_apps.forget_unused(at=database_now())
