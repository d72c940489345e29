"""The queue's doors to the directory."""

from django.utils import timezone

from core import jobs
from directory.search.index import periodic
from directory.services import badge_watch, engagement, public_data, publishing


@jobs.job("directory.publish_due")
def publish_due(lease: jobs.Lease) -> None:
    """Every minute: listings whose week has begun."""
    publishing.plan_launches(at=timezone.now())


@jobs.job("directory.launch_one", queue="crawl", attempts=3)
def launch_one(lease: jobs.Lease, *, listing_id: int) -> None:
    """One listing's Monday morning."""
    publishing.launch_one(listing_id=listing_id, at=timezone.now())


@jobs.job("directory.check_badges")
def check_badges(lease: jobs.Lease) -> None:
    """Every ten minutes: listings that wait for their badge."""
    badge_watch.plan_badge_checks(at=timezone.now())


@jobs.job("directory.check_badge", queue="crawl", attempts=3)
def check_badge(lease: jobs.Lease, *, listing_id: int) -> None:
    """One look at one homepage."""
    badge_watch.check_badge(listing_id=listing_id, at=timezone.now())


@jobs.job("directory.refresh_category", lease_seconds=600)
def refresh_category(lease: jobs.Lease, *, category_id: int) -> None:
    """After staff renamed or moved a category: the listings below it."""
    public_data.refresh_category(category_id=category_id)


@jobs.job("directory.fold_views")
def fold_views(lease: jobs.Lease) -> None:
    """Every half minute: buffered views."""
    engagement.fold_views()


@jobs.job("directory.refresh_trends")
def refresh_trends(lease: jobs.Lease) -> None:
    """Every five minutes: what is trending."""
    engagement.refresh_trends(at=timezone.now())


@jobs.job("directory.refresh_tiers", lease_seconds=150)
def refresh_tiers(lease: jobs.Lease) -> None:
    """Every quarter of an hour: which listings search looks at first."""
    periodic.refresh_all_tiers()


@jobs.job("directory.recount_terms", lease_seconds=170)
def recount_terms(lease: jobs.Lease) -> None:
    """Every six hours: how many listings use each word."""
    periodic.recount_all_terms()
