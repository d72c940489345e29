from core.jobs import Lease, does, job
from directory.categories import categorising
from directory.engagement import coming, featured_counts, follower_mail, tally, topic_mail, visits
from directory.images import files, uploads
from directory.launches import badge_watch, launch_mail, paid, publishing, race, reminding
from directory.listings import media
from directory.models import Undo
from directory.moderation import banning, reviewing
from directory.people import profile
from directory.reviews import rating
from directory.search import lexemes, public_data, tiers
from directory.search.rebuilding import rebuild

PREPARED = (media.show_picture, media.use_logo, profile.use_photo)  # a worker needs their modules

does("directory.publish_due", publishing.plan_launches, paid.begin_relaunches, every=60)
# a homepage has 15 s; whose worker has died is taken up again soon, so that Monday ends within the minute
does(
    "directory.launch_one",
    publishing.launch_listing,
    queue="crawl",
    attempts=3,
    lease_seconds=20,
    goes_first=True,
)
does("directory.check_badges", badge_watch.plan_badge_checks, every=600)
does("directory.check_badge", badge_watch.check_badge, queue="crawl", attempts=3)
does("directory.watch_badge", badge_watch.check_badge, queue="crawl", attempts=3, is_background=True)
does("directory.sweep_pictures", files.sweep, every=86400, lease_seconds=600)
does(uploads.JOB, uploads.prepare, attempts=3, on_dead=uploads.give_up)
does(
    "directory.plan_reminders",
    reminding.plan_reminders,
    launch_mail.plan_half_time,
    topic_mail.plan,
    coming.plan_weeks,
    every=900,
)
does("directory.remind_owner", reminding.remind_owner, queue="mail")
does("directory.tell_half_time", launch_mail.tell_half_time, queue="mail", lease_seconds=300)
does("directory.tell_waiting", coming.tell_waiting, queue="mail", lease_seconds=300)
does("directory.tell_week", coming.tell_week, queue="mail", lease_seconds=300)
does("directory.tell_put_back", reviewing.tell_put_back, queue="mail")
does("directory.tell_followers", follower_mail.tell_followers, queue="mail")
does("directory.send_digests", follower_mail.send_digests, queue="mail", every=600)
does("directory.tell_topics", topic_mail.tell, queue="mail", lease_seconds=300)
does("directory.refresh_category", public_data.refresh_category, lease_seconds=600)
does("directory.refile_merged", categorising.refile_more, lease_seconds=120)
does("directory.suspend_banned", banning.suspend_more, lease_seconds=120)
does("directory.restore_banned", banning.restore_more, lease_seconds=120)
does("directory.recount_reviews", rating.recount_all, every=3600, lease_seconds=300)
does("directory.fold_views", visits.fold_visits, featured_counts.fold, every=30)
does("directory.refresh_trends", tally.refresh_trends, every=300)
does("directory.write_hours", race.write_hours, every=60, lease_seconds=300)
does("directory.thin_out_figures", race.thin_out, visits.thin_out, every=3600, lease_seconds=300)
does("directory.refresh_tiers", tiers.refresh_all_tiers, every=900, lease_seconds=900)
does("directory.recount_terms", lexemes.recount_all_terms, every=21600, lease_seconds=3600)


@job(media.FORGET)
def forget_picture(*, undo_id: int) -> None:
    media.forget_pictures(Undo.objects.filter(pk=undo_id))


@job("directory.rebuild_search", lease_seconds=7200)
def rebuild_search(lease: Lease) -> None:
    """After a release that builds search rows in another way: all of them, a few at once."""
    rebuild(progress=lambda _count: lease.renew())
