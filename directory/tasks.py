"""The queue's doors to the directory."""

from core import jobs
from core.clock import database_now
from directory.search.index import periodic
from directory.services import badge_watch, engagement, public_data, publishing


@jobs.job("directory.publish_due", every=60)
def publish_due(lease: jobs.Lease) -> None:
    """Listings whose week has begun."""
    publishing.plan_launches(at=database_now())


@jobs.job("directory.launch_one", queue="crawl", attempts=3)
def launch_one(lease: jobs.Lease, *, listing_id: int) -> None:
    """One listing's Monday morning."""
    publishing.launch_one(listing_id=listing_id, at=database_now())


@jobs.job("directory.check_badges", every=600)
def check_badges(lease: jobs.Lease) -> None:
    """Listings that wait for their badge."""
    badge_watch.plan_badge_checks(at=database_now())


@jobs.job("directory.check_badge", queue="crawl", attempts=3)
def check_badge(lease: jobs.Lease, *, listing_id: int) -> None:
    """One look at one homepage."""
    badge_watch.check_badge(listing_id=listing_id, at=database_now())


@jobs.job("directory.refresh_category", lease_seconds=600)
def refresh_category(lease: jobs.Lease, *, category_id: int) -> None:
    """After staff renamed or moved a category: the listings below it."""
    public_data.refresh_category(category_id=category_id)


@jobs.job("directory.fold_views", every=30)
def fold_views(lease: jobs.Lease) -> None:
    engagement.fold_views()


@jobs.job("directory.refresh_trends", every=300)
def refresh_trends(lease: jobs.Lease) -> None:
    engagement.refresh_trends(at=database_now())


@jobs.job("directory.refresh_tiers", every=900, lease_seconds=900)
def refresh_tiers(lease: jobs.Lease) -> None:
    """Which listings search looks at first."""
    periodic.refresh_all_tiers(at=database_now())


@jobs.job("directory.recount_terms", every=21600, lease_seconds=3600)
def recount_terms(lease: jobs.Lease) -> None:
    """How many listings use each word."""
    periodic.recount_all_terms()
