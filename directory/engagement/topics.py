"""Following a maker or a category: what launches by the one or in the other comes by mail, on Mondays."""

from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from core.api.errors import NotFoundError
from directory import limits
from directory.mail_kinds import OF_TOPICS
from directory.models import Category, Founder, ListingFounder, Site, TopicFollow

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
        category = NotFoundError.unless(Category.objects.filter(slug=slug).first(), "category")
        return {CATEGORY: category}
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
