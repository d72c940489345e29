"""What a maker reads of a launch: booked, a week and a day before it, live, at half time, and how it ended."""

from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.core.signing import BadSignature, Signer

from core import jobs
from core.api.links import absolute, on_site
from directory import weeks
from directory.launches import badges
from directory.launches.calendar import launched
from directory.launches.figures import place_of, visits_by_day, votes_by_hour
from directory.mail_kinds import OF_LAUNCHES, readers_of
from directory.models import BadgeCheck, Launch, Listing, Question, Site
from directory.sites.lookup import addresses_of_listing

SIGNER = Signer(sep=".", salt="directory.launches.curve")
HOUR = timedelta(hours=1)
HOURS = 7 * 24
HALF = timedelta(days=3, hours=12)  # Thursday noon
HALF_TIME_LASTS = timedelta(days=2)
WRITTEN_AT_ONCE = 100
PODIUM = ("first", "second", "third")


def curve_url(launch: Launch, *, at: datetime) -> str:
    """Where the picture of a launch is, as it was at a moment."""
    hours = min(HOURS, max(0, int((at - weeks.start(launch.week)) / HOUR)))
    return on_site(f"/share/curves/{SIGNER.sign(f'{launch.pk}-{hours}')}.png")


def curve_of(token: str) -> list[int] | None:
    """The votes of a launch by the hour up to the moment of the mail; nothing for an address we never made."""
    try:
        pk, _, hours = SIGNER.unsign(token).partition("-")
    except BadSignature:
        return None
    launch = Launch.objects.filter(pk=pk, is_hidden=False).first()
    if launch is None:
        return None
    first = weeks.start(launch.week)
    votes = {row["at"]: row["votes"] for row in votes_by_hour(launch)}
    return [votes.get(first + number * HOUR, 0) if number < int(hours) else 0 for number in range(HOURS)]


def write(listing: Listing, *, template: str, key: str, **context: Any) -> bool:
    """Mail everybody who owns a listing about a launch, who can and wants to be written to.

    The same key is sent once to each. Whether anybody was written to.
    """
    people = readers_of(listing, key=key, kind=OF_LAUNCHES)
    with addresses_of_listing(listing):
        links = {
            "page_url": on_site(f"/listings/{listing.slug}"),
            "card_url": on_site(f"/share/listings/{listing.slug}/card.png"),
            "room_url": absolute(f"/account/listings/{listing.pk}/launch"),
        }
        about = {"listing": listing, "week": listing.launch_week, **links, **context}
        for user, own in people:
            OF_LAUNCHES.write(user, template, key=own, thing=listing, **about)
    return bool(people)


def share_links(listing: Listing) -> dict[str, str]:
    """Where a ready text about a listing's page is opened in a network; it asks for a look, never for a vote."""
    with addresses_of_listing(listing):
        url = on_site(f"/listings/{listing.slug}")
    tagline = f": {listing.tagline}" if listing.tagline else ""
    text = f"{listing.name} is out{tagline}. Have a look, and tell me what you would change."
    return {
        "linkedin_url": f"https://www.linkedin.com/sharing/share-offsite/?{urlencode({'url': url})}",
        "x_url": f"https://x.com/intent/post?{urlencode({'text': text, 'url': url})}",
        "bluesky_url": f"https://bsky.app/intent/compose?{urlencode({'text': f'{text} {url}'})}",
    }


def write_booked(listing: Listing, *, week: date) -> None:
    """That a week is booked, and what is left to do until then. Once for each week."""
    launch = Launch.objects.get(listing=listing, week=week)
    before = Launch.objects.filter(site=listing.site_id, week=week, booked_at__lt=launch.booked_at)
    write(
        listing,
        template="directory/mail/booked",
        key=f"booked-{listing.pk}-{week}",
        week=week,
        place=before.count() + 1,
        is_free=listing.needs_badge and not listing.is_live,
        has_badge=is_badge_seen(listing),
        badge_html=badges.badge_html(slug=listing.slug, name=listing.name),
        pictures_url=absolute(f"/account/listings/{listing.pk}/edit#in-pictures"),
        has_picture=any(row.get("file") for row in [*listing.media, listing.site_picture or {}]),
    )


def is_badge_seen(listing: Listing) -> bool:
    """Whether a listing is scheduled, and the badge was on its homepage when that was last read."""
    read = BadgeCheck.objects.filter(listing=listing, was_read=True).order_by("-at", "-pk").first()
    return listing.status == Listing.Status.SCHEDULED and (read is None or read.found)


def write_live(listing: Listing, *, reason: str = "") -> None:
    """That it is live, how that came where there is more to say, and what is worth doing. Once for each week."""
    week = listing.launch_week
    if week is None:
        return
    others = Launch.objects.filter(site=listing.site_id, week=week, is_hidden=False)
    write(
        listing,
        template="directory/mail/launched",
        key=f"launched-{listing.pk}-{week}",
        reason=reason.removeprefix("Live.").strip(),
        others=others.exclude(listing=listing).count(),
        news_url=absolute(f"/account/listings/{listing.pk}/updates"),
        **share_links(listing),
    )


def plan_half_time(*, at: datetime) -> int:
    """Add a job for each site whose week is half over; its key says which week, so it is added once."""
    week = weeks.week_of(at)
    since = weeks.start(week) + HALF
    if not since <= at < since + HALF_TIME_LASTS:
        return 0
    rows = Launch.objects.filter(week=week, launched_at__lt=since, is_hidden=False)
    site_ids = sorted(set(rows.values_list("site", flat=True)))
    for site_id in site_ids:
        jobs.add("directory.tell_half_time", key=f"{site_id}-{week}", site_id=site_id, week=week.isoformat())
    return len(site_ids)


def tell_half_time(*, site_id: int, week: date, lease: jobs.Lease) -> None:
    """Mail the owner of each launch that has run for a day. May run again and go on: each mail has a key of its own."""
    site = Site.objects.get(pk=site_id)
    rows = list(launched(site=site, week=week).select_related("listing__owner", "listing__site"))
    begun = weeks.start(week) + HALF - timedelta(days=1)
    for number, launch in enumerate(rows):
        if number % WRITTEN_AT_ONCE == 0:
            lease.renew()
        if launch.launched_at and launch.launched_at <= begun and launch.listing.is_live:
            _write_half_time(launch, above=rows[number - 1] if number else None, below=rows[number + 1 :][:1])


def _write_half_time(launch: Launch, *, above: Launch | None, below: list[Launch]) -> None:
    listing = launch.listing
    place = place_of(launch)
    write(
        listing,
        template="directory/mail/half_time",
        key=f"half-time-{launch.pk}",
        week=launch.week,
        votes=launch.votes,
        **place,
        above=above.listing.name if above else "",
        below=below[0].listing.name if below and below[0].votes else "",
        **figures_of(launch, at=weeks.start(launch.week) + HALF),
        questions=Question.objects.filter(listing=listing, status=Question.Status.OPEN).count(),
        **share_links(listing),
    )


def figures_of(launch: Launch, *, at: datetime) -> dict[str, Any]:
    """Visits to the page and from there to the website within the week of a launch, and its votes as a picture."""
    since = weeks.start(launch.week)
    rows = visits_by_day(listing_id=launch.listing_id, since=since, until=since + weeks.WEEK)
    return {
        "visits": sum(row["visits"] for row in rows),
        "clicks": sum(row["clicks"] for row in rows),
        "curve_url": curve_url(launch, at=at) if launch.votes else "",
    }
