"""The queue's doors to rankings."""

from django.utils import timezone

from core import jobs
from leaderboards import rating_sources, selectors, services


@jobs.job("leaderboards.close_weeks")
def close_weeks(lease: jobs.Lease) -> None:
    """Every five minutes: weeks that are over and not closed yet."""
    services.close_due_weeks(at=timezone.now())


@jobs.job("leaderboards.refresh_standings")
def refresh_standings(lease: jobs.Lease) -> None:
    """Every hour: the boards that are kept."""
    services.refresh_standings(at=timezone.now())


@jobs.job("leaderboards.refresh_ratings", attempts=3, lease_seconds=900)
def refresh_ratings(lease: jobs.Lease) -> None:
    """Every hour: the domains that were asked for longest ago, if the operator named a rating service."""
    source = rating_sources.chosen_source()
    if source is None:
        return
    now = timezone.now()
    domains = selectors.domains_to_rate(at=now)
    services.store_ratings(ratings=source.ratings(domains, today=now.date()), at=now)
