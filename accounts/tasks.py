"""Housekeeping of the accounts area."""

from accounts import services, services_apps
from core import jobs


@jobs.job("accounts.forget_unused", every=3600, lease_seconds=300)
def forget_unused(lease: jobs.Lease) -> None:
    """Delete expired tokens and codes, registered clients that nobody uses, and accounts that nobody proved."""
    services_apps.forget_unused(at=lease.at)
    services.forget_unproved(at=lease.at)
