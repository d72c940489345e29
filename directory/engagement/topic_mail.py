"""Following a maker or a category: on Monday morning one mail says what launched by the one and in the other."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from core import jobs
from core.api.errors import NotFoundError
from core.api.links import absolute, addresses_of, on_site
from directory import limits, weeks
from directory.mail_kinds import OF_TOPICS
from directory.models import (
    Category,
    Founder,
    Launch,
    Listing,
    ListingCategory,
    ListingFounder,
    Site,
    TopicFollow,
)
from directory.sites.lookup import address_of

FOUNDER, CATEGORY = "founder", "category"


def follow(*, kind: str, slug: str, user: User, site: Site, at: datetime) -> bool:
    """Follow from now on; not for one more than a person may. A second call changes nothing.

    Raises NotFoundError.
    """
    topic = _topic(kind=kind, slug=slug, site=site)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # two presses at once count each other
        mine = TopicFollow.objects.filter(user=user, site=site)
        if not mine.filter(**topic).exists():
            if mine.count() >= limits.TOPICS_FOLLOWED:
                return False
            TopicFollow.objects.create(user=user, site=site, created_at=at, **topic)
        if not OF_TOPICS.is_on(user_id=user.pk):
            OF_TOPICS.choose(user_id=user.pk, is_on=True, at=at)
    return True


def unfollow(*, kind: str, slug: str, user: User, site: Site) -> None:
    """Also one that has left the site since."""
    TopicFollow.objects.filter(user=user, site=site, **{f"{kind}__slug": slug}).delete()


def _topic(*, kind: str, slug: str, site: Site) -> dict[str, Any]:
    if kind == CATEGORY:
        return {CATEGORY: NotFoundError.unless(Category.objects.filter(slug=slug).first(), "category")}
    live = ListingFounder.objects.filter(listing__stats__site=site, listing__stats__is_live=True)
    founder = NotFoundError.unless(Founder.objects.filter(slug=slug, founded__in=live).first(), "founder")
    return {FOUNDER: founder}


def is_followed(*, kind: str, slug: str, user_id: int | None, site: Site) -> bool:
    """Whether a person follows it; nobody who is signed out does."""
    if user_id is None:
        return False
    return TopicFollow.objects.filter(user=user_id, site=site, **{f"{kind}__slug": slug}).exists()


def followers_of_founder(*, slug: str, site: Site) -> int:
    return TopicFollow.objects.filter(site=site, founder__slug=slug).count()


def name_of(*, kind: str, slug: str) -> str:
    """What it is called, whether or not it is shown."""
    rows = Founder.objects if kind == FOUNDER else Category.everything
    return rows.filter(slug=slug).values_list("name", flat=True).first() or ""


def followed_topics(*, user_id: int, site: Site) -> list[TopicFollow]:
    rows = TopicFollow.objects.filter(user=user_id, site=site).select_related(FOUNDER, CATEGORY)
    return list(rows.order_by("-created_at", "-pk"))


LASTS = timedelta(days=2)  # later than that, an outage has made it old news


@dataclass(frozen=True, kw_only=True)
class News:
    """What launched in a week before a Monday, and by whom and where each was."""

    listings: Mapping[int, Listing]  # as they are shown
    by_founder: Mapping[int, set[int]]
    by_category: Mapping[int, set[int]]

    def of(self, follow: TopicFollow) -> set[int]:
        if follow.founder_id is not None:
            return self.by_founder[follow.founder_id]
        return self.by_category[follow.category_id or 0]


def until(week: date) -> datetime:
    """When the mail of a Monday is due: with the digests of that morning."""
    return weeks.start(week) + timedelta(hours=limits.DIGEST_HOUR)


def plan(*, at: datetime) -> int:
    """Add a job for each site where something launched; its key says which week, so it is added once."""
    week = weeks.week_of(at)
    if not until(week) <= at < until(week) + LASTS:
        return 0
    site_ids = sorted(set(_launches(week).values_list("site", flat=True)))
    for site_id in site_ids:
        jobs.add("directory.tell_topics", key=f"{site_id}-{week}", site_id=site_id, week=week.isoformat())
    return len(site_ids)


def _launches(week: date) -> QuerySet[Launch]:
    since = until(week) - weeks.WEEK
    return Launch.objects.filter(
        week__range=(week - weeks.WEEK, week),
        launched_at__range=(since, until(week) - timedelta(microseconds=1)),
        is_hidden=False,
        listing__status=Listing.Status.LIVE,
    )


def tell(*, site_id: int, week: date, lease: jobs.Lease) -> None:
    """Mail everybody who follows something of it. May run again and go on: each mail has a key of its own."""
    site = Site.objects.get(pk=site_id)
    news = news_of(site=site, week=week)
    needed = Q(founder__in=list(news.by_founder)) | Q(category__in=list(news.by_category))
    rows = TopicFollow.objects.filter(needed, site=site, user__is_active=True, user__suspended_at=None)
    rows = rows.exclude(user__mail_choice__of_topics=False)
    after = 0
    while people := list(
        rows.filter(user__gt=after)
        .order_by("user")
        .values_list("user", flat=True)
        .distinct()[: limits.MAILED_AT_ONCE]
    ):
        lease.renew()
        with transaction.atomic(), addresses_of(lambda: address_of(site)):
            lease.guard()
            follows: dict[User, list[TopicFollow]] = defaultdict(list)
            for row in rows.filter(user__in=people).select_related("user", "founder", "category"):
                follows[row.user].append(row)
            for user, topics in follows.items():
                _write(user, topics=topics, news=news, key=f"topics-{site_id}-{week}-{user.pk}")
        after = people[-1]


def news_of(*, site: Site, week: date) -> News:
    """What launched on a site within the seven days before the mail of a Monday, most votes first."""
    launches = _launches(week).filter(site=site).order_by("-votes", "pk").select_related("listing")
    launches = launches.prefetch_related("listing__co_owners")
    listings = {launch.listing_id: launch.listing for launch in launches}
    by_founder: dict[int, set[int]] = defaultdict(set)
    for founder_id, listing_id in ListingFounder.objects.filter(listing__in=listings).values_list(
        "founder", "listing"
    ):
        by_founder[founder_id].add(listing_id)
    by_category: dict[int, set[int]] = defaultdict(set)
    filed = ListingCategory.objects.filter(listing__in=listings).values_list("category", "listing")
    above = _above()
    for category_id, listing_id in filed:
        for pk in above[category_id]:
            by_category[pk].add(listing_id)
    return News(listings=listings, by_founder=by_founder, by_category=by_category)


def _above() -> dict[int, set[int]]:
    """Each category with those above it, and those that were merged into any of them: their followers read on."""
    rows = list(Category.everything.values_list("pk", "parent", "merged_into"))
    leads = {pk: into or parent for pk, parent, into in rows}
    former = {pk for pk, _, into in rows if into}
    result = {pk: set(_chain(pk, leads=leads)) for pk in leads}
    for pk in former:
        heir = next(above for above in _chain(pk, leads=leads) if above not in former)
        for topics in result.values():
            if heir in topics:
                topics.add(pk)
    return result


def _chain(pk: int | None, *, leads: Mapping[int, int | None]) -> Iterator[int]:
    while pk is not None:
        yield pk
        pk = leads[pk]


def _write(user: User, *, topics: Iterable[TopicFollow], news: News, key: str) -> None:
    """Queue one mail with what of the news is of these topics, most votes first; none where all of it is their own."""
    why: dict[int, list[str]] = defaultdict(list)
    for topic in topics:
        for listing_id in news.of(topic):
            why[listing_id].append(topic.name)
    needed = [
        pk
        for pk, listing in news.listings.items()
        if pk in why and listing.owner_id != user.pk and user not in listing.co_owners.all()
    ]
    if not needed:
        return
    visible = needed[: limits.DIGEST_LISTED]
    OF_TOPICS.write(
        user,
        "directory/mail/topics",
        key=key,
        news=[(news.listings[pk], ", ".join(sorted(why[pk]))) for pk in visible],
        number=len(needed),
        more=len(needed) - len(visible),
        listings_url=on_site("/listings"),
        week_url=on_site("/weeks/this"),
        topics_url=absolute("/account/votes#topics"),
    )
