"""The queue's doors to the directory."""

from datetime import date

from core import jobs
from directory.categories import categorising
from directory.engagement import coming, featured_counts, follower_mail, topic_mail, visits
from directory.engagement import viewing as engagement
from directory.images import files, uploads
from directory.launches import badge_watch, hours, launch_mail, paid, publishing, reminding
from directory.listings import logos, media
from directory.models import Undo
from directory.moderation import banning, reviewing
from directory.people import profile
from directory.reviews import rating
from directory.search import public_data
from directory.search.index import terms, tiers
from directory.search.index.rebuilding import rebuild


@jobs.job("directory.publish_due", every=60)
def publish_due(lease: jobs.Lease) -> None:
    publishing.plan_launches(at=lease.at)
    paid.begin_relaunches(at=lease.at)


# a homepage has 15 s; whose worker has died is taken up again soon, so that Monday ends within the minute
@jobs.job("directory.launch_one", queue="crawl", attempts=3, lease_seconds=20)
def launch_listing(lease: jobs.Lease, *, listing_id: int) -> None:
    publishing.launch_listing(listing_id=listing_id, at=lease.at)


@jobs.job("directory.check_badges", every=600)
def check_badges(lease: jobs.Lease) -> None:
    """Listings that wait for their badge, and those that are to keep it."""
    badge_watch.plan_badge_checks(at=lease.at)


@jobs.job("directory.check_badge", queue="crawl", attempts=3)
def check_badge(lease: jobs.Lease, *, listing_id: int) -> None:
    badge_watch.check_badge(listing_id=listing_id, at=lease.at)


@jobs.job("directory.watch_badge", queue="crawl", attempts=3, is_background=True)
def watch_badge(lease: jobs.Lease, *, listing_id: int) -> None:
    badge_watch.check_badge(listing_id=listing_id, at=lease.at)


@jobs.job("directory.sweep_pictures", every=86400, lease_seconds=600)
def sweep_pictures(lease: jobs.Lease) -> None:
    """Files of logos, photos, covers and pictures that no row names."""
    files.sweep(at=lease.at, lease=lease)


@jobs.job(media.FORGET, attempts=5)
def forget_picture(lease: jobs.Lease, *, undo_id: int) -> None:
    media.forget_pictures(Undo.objects.filter(pk=undo_id))


PREPARED = (
    media.show_picture,
    logos.use_logo,
    profile.use_photo,
)  # a worker needs their modules, which register them


@jobs.job(uploads.JOB, attempts=3, lease_seconds=60, on_dead=uploads.give_up)
def prepare_picture(lease: jobs.Lease, *, upload_id: int) -> None:
    uploads.prepare(upload_id=upload_id, at=lease.at, lease=lease)


@jobs.job("directory.plan_reminders", every=900)
def plan_reminders(lease: jobs.Lease) -> None:
    """Launches that come near, weeks that are half over, and on Mondays what launched for those who follow it."""
    reminding.plan_reminders(at=lease.at)
    launch_mail.plan_half_time(at=lease.at)
    topic_mail.plan(at=lease.at)
    coming.plan_weeks(at=lease.at)


@jobs.job("directory.remind_owner", queue="mail")
def remind_owner(lease: jobs.Lease, *, listing_id: int, week: str, days: int) -> None:
    reminding.remind_owner(listing_id=listing_id, week=date.fromisoformat(week), days=days)


@jobs.job("directory.tell_half_time", queue="mail", lease_seconds=300)
def tell_half_time(lease: jobs.Lease, *, site_id: int, week: str) -> None:
    """Where each launch of a site stands in the middle of its week."""
    launch_mail.tell_half_time(site_id=site_id, week=date.fromisoformat(week), lease=lease)


@jobs.job("directory.tell_waiting", queue="mail", lease_seconds=300)
def tell_waiting(lease: jobs.Lease, *, listing_id: int) -> None:
    """A launch, for those who asked to be reminded of it."""
    coming.tell_waiting(listing_id=listing_id, lease=lease)


@jobs.job("directory.tell_week", queue="mail", lease_seconds=300)
def tell_week(lease: jobs.Lease, *, site_id: int, week: str) -> None:
    """What launched in a week, for those who asked to be there on its Monday."""
    coming.tell_week(site_id=site_id, week=date.fromisoformat(week), lease=lease)


@jobs.job("directory.tell_put_back", queue="mail")
def tell_put_back(lease: jobs.Lease, *, revision_id: int) -> None:
    reviewing.tell_put_back(revision_id=revision_id)


@jobs.job("directory.tell_followers", queue="mail")
def tell_followers(lease: jobs.Lease, *, update_id: int) -> None:
    follower_mail.tell_followers(update_id=update_id, lease=lease, at=lease.at)


@jobs.job("directory.send_digests", queue="mail", every=600)
def send_digests(lease: jobs.Lease) -> None:
    """The day's news, once a day."""
    follower_mail.send_digests(lease=lease, at=lease.at)


@jobs.job("directory.tell_topics", queue="mail", lease_seconds=300)
def tell_topics(lease: jobs.Lease, *, site_id: int, week: str) -> None:
    """What launched, for those who follow its makers or its categories."""
    topic_mail.tell(site_id=site_id, week=date.fromisoformat(week), lease=lease)


@jobs.job("directory.refresh_category", lease_seconds=600)
def refresh_category(lease: jobs.Lease, *, category_id: int) -> None:
    """After staff renamed or moved a category: the listings below it."""
    public_data.refresh_category(category_id=category_id)


@jobs.job("directory.refile_merged", lease_seconds=120)
def refile_merged(lease: jobs.Lease, *, undo_id: int) -> None:
    """The next listings of a category that staff merged into another."""
    categorising.refile_more(undo_id=undo_id)


@jobs.job("directory.suspend_banned", lease_seconds=120)
def suspend_banned(lease: jobs.Lease, *, undo_id: int) -> None:
    banning.suspend_more(undo_id=undo_id, at=lease.at)


@jobs.job("directory.restore_banned", lease_seconds=120)
def restore_banned(lease: jobs.Lease, *, undo_id: int, staff_id: int) -> None:
    """The next listings of an account whose ban was taken back."""
    banning.restore_more(undo_id=undo_id, staff_id=staff_id, at=lease.at)


@jobs.job("directory.recount_reviews", every=3600, lease_seconds=300)
def recount_reviews(lease: jobs.Lease) -> None:
    """Who became a founder or co-owner of what they had reviewed."""
    rating.recount_all()


@jobs.job("directory.fold_views", every=30)
def fold_views(lease: jobs.Lease) -> None:
    visits.fold_visits()
    featured_counts.fold(at=lease.at)


@jobs.job("directory.refresh_trends", every=300)
def refresh_trends(lease: jobs.Lease) -> None:
    engagement.refresh_trends(at=lease.at)


@jobs.job("directory.write_hours", every=60, lease_seconds=300)
def write_hours(lease: jobs.Lease) -> None:
    """Where each launch stood at the full hours that are over."""
    hours.write_hours(at=lease.at)


@jobs.job("directory.thin_out_figures", every=3600, lease_seconds=300)
def thin_out_figures(lease: jobs.Lease) -> None:
    """Figures of hours that are long past."""
    hours.thin_out(at=lease.at)
    visits.thin_out(at=lease.at)


@jobs.job("directory.refresh_tiers", every=900, lease_seconds=900)
def refresh_tiers(lease: jobs.Lease) -> None:
    tiers.refresh_all_tiers(at=lease.at)


@jobs.job("directory.recount_terms", every=21600, lease_seconds=3600)
def recount_terms(lease: jobs.Lease) -> None:
    terms.recount_all_terms()


@jobs.job("directory.rebuild_search", lease_seconds=7200)
def rebuild_search(lease: jobs.Lease) -> None:
    """After a release that builds search rows in another way: all of them, a few at once."""
    rebuild(progress=lambda _count: lease.renew())
