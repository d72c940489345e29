"""The queue's doors to orders."""

from core import jobs
from core.clock import database_now
from orders.services import slots


@jobs.job("orders.open_weeks", every=6 * 3600)
def open_weeks(lease: jobs.Lease) -> None:
    """Bring the weeks that come on sale into the back office."""
    slots.open_weeks(at=database_now())
