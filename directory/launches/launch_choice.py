"""What the owner of a saved listing chooses between: a free week with the badge, or a paid launch."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from core.parts import Several
from directory import weeks
from directory.addresses import homepage_of, host_of
from directory.launches import badges
from directory.launches.queueing import next_free_week, queue_starts
from directory.models import Launch, Listing
from directory.sites.lookup import addresses_of_listing

TellPaid = Callable[[Listing, int, datetime], Any]
tells_paid_launch = Several[TellPaid]()  # what a paid launch costs a person: an area above sells them
LIGHT, DARK = badges.BadgeStyle(mode="light"), badges.BadgeStyle(mode="dark")


@dataclass(frozen=True, kw_only=True)
class LaunchChoice:
    """The next free week with the place in its line, what is left of this one, the badge, what a paid launch costs."""

    host: str
    left: str
    week: date
    place: int
    badge_html: str
    light: str
    dark: str
    paid: Any


def launch_choice(listing: Listing, *, user_id: int, at: datetime) -> LaunchChoice:
    """What may be chosen now. Nothing is held by looking."""
    week = next_free_week(site=listing.site, not_before=queue_starts(site=listing.site, at=at))
    before = Launch.objects.filter(site=listing.site, week=week, launched_at=None).count()
    with addresses_of_listing(listing):
        code = badges.badge_html(slug=listing.slug, name=listing.name)
    return LaunchChoice(
        host=host_of(homepage_of(listing.url)),
        left=weeks.time_left(weeks.end(weeks.week_of(at)), at=at),
        week=week,
        place=before + 1,
        badge_html=code,
        light=f"/badges/{listing.slug}/listed.svg{LIGHT.query}",
        dark=f"/badges/{listing.slug}/listed.svg{DARK.query}",
        paid=next((offer for tell in tells_paid_launch if (offer := tell(listing, user_id, at))), None),
    )
