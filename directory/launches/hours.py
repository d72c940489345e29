"""Places by the hour: what a week's page and its figures show of the past is written once, not counted at each read."""

from datetime import UTC, date, datetime, timedelta

from django.db import connection, transaction
from django.db.models import Max

from directory import weeks
from directory.models import LaunchHour, Site

HOUR = timedelta(hours=1)
# longer than a vote takes from its clock to its commit
SETTLES_IN = timedelta(seconds=30)
HOURS_AT_ONCE = 24
STAY = timedelta(days=90)
THINNED_AT_ONCE = 20_000
WRITE = """
INSERT INTO directory_launchhour (launch_id, at, rank, votes)
SELECT counted.id, counted.at,
    row_number() OVER (
        PARTITION BY counted.at ORDER BY counted.votes DESC, counted.launched_at, counted.listing_id
    ), counted.votes
FROM (
    SELECT l.id, l.launched_at, l.listing_id, hour.at, count(*) AS votes
    FROM generate_series(%(first)s::timestamptz, %(last)s::timestamptz, interval '1 hour') AS hour(at)
    JOIN directory_launch AS l ON l.site_id = %(site)s AND l.week = %(week)s AND NOT l.is_hidden
        AND l.launched_at < hour.at
    JOIN directory_vote AS v ON v.listing_id = l.listing_id AND v.week = l.week AND v.created_at < hour.at
        AND (v.voided_at IS NULL OR v.voided_at > hour.at)
        AND (v.held_at IS NULL OR v.held_at > hour.at OR v.released_at < hour.at)
    GROUP BY l.id, l.launched_at, l.listing_id, hour.at
) AS counted
ON CONFLICT (launch_id, at) DO NOTHING
"""
# of long past weeks the places at the end of each day stay
THIN_OUT = """
DELETE FROM directory_launchhour WHERE id IN (
    SELECT id FROM directory_launchhour
    WHERE at < %s AND at >= %s AND at <> date_trunc('day', at, 'UTC') ORDER BY at LIMIT %s
)
"""


def write_hours(*, at: datetime) -> None:
    """Write the full hours that are over and not written yet, of the running week and the one before, of each site."""
    this = weeks.week_of(at)
    for site in Site.objects.order_by("pk"):
        for week in (this - weeks.WEEK, this):
            write_week(site=site, week=week, until=at - SETTLES_IN, most=HOURS_AT_ONCE)


@transaction.atomic
def write_week(*, site: Site, week: date, until: datetime, most: int | None = None) -> None:
    """Write the hours of a week that are missing up to a moment. A second call changes nothing."""
    written = LaunchHour.objects.filter(launch__site=site, launch__week=week).aggregate(last=Max("at"))[
        "last"
    ]
    first = (written or weeks.start(week)) + HOUR
    last = min(until.replace(minute=0, second=0, microsecond=0), weeks.end(week))
    if most is not None and written:
        last = min(last, written + most * HOUR)
    if first > last:
        return
    with connection.cursor() as cursor:
        cursor.execute(WRITE, {"site": site.pk, "week": week, "first": first, "last": last})


def thin_out(*, at: datetime) -> None:
    """Of hours that are long past only each midnight stays."""
    day = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    with connection.cursor() as cursor:
        cursor.execute(THIN_OUT, [day - STAY, day - STAY - 7 * weeks.WEEK, THINNED_AT_ONCE])
