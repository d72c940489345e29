"""Drills about Monday: homepages that are down, names that do not resolve, weeks of outage."""

import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from benchmarks.parts.drill import PATIENCE, Drill, Outcome
from tests.journeys.service import Service, wait_for
from tests.servers.website import html

WEEKS = (-3, -2, -1, 0)
# Prints each one's code for the badge, then the Mondays of WEEKS.
MAKE = """
from datetime import timedelta
from accounts.models import User
from core.clock import database_now
from directory import weeks
from directory.launches import badges
from tests.factories.listings import make_listing
owner, now = User.objects.first(), database_now()
for host, week in {due!r}:
    slug, at = host.split(".")[0], now + timedelta(weeks=week)
    make_listing(slug, owner=owner, status="scheduled", url=f"https://{{host}}/", domain=host, host=host, at=at)
    print(badges.badge_html(slug=slug, name=slug))
print(*(weeks.week_of(now + timedelta(weeks=week)) for week in {weeks!r}))
"""
LISTINGS = """
    SELECT listing.status, listing.launch_week::text, launch.week::text, launch.launched_at IS NOT NULL,
        (SELECT count(*) FROM directory_badgecheck AS badge WHERE badge.listing_id = listing.id)
    FROM directory_listing AS listing LEFT JOIN directory_launch AS launch ON launch.listing_id = listing.id
    WHERE listing.domain = ANY(%s)
"""

MOVE = """
    WITH listings AS (
        UPDATE directory_listing SET launch_week = %s::date WHERE domain = ANY(%s) RETURNING id
    )
    UPDATE directory_launch SET week = %s::date WHERE listing_id IN (SELECT id FROM listings) RETURNING id
"""
WITHIN = 60.0


def make_due(service: Service, due: Sequence[tuple[str, int]]) -> tuple[str, list[str]]:
    """Scheduled listings of these hosts in these weeks from now; gives a homepage with all badges, and the Mondays."""
    *codes, mondays = service.command(
        "shell", "-v", "0", "-c", MAKE.format(due=due, weeks=WEEKS)
    ).splitlines()
    return "".join(codes), mondays.split()


def listings(service: Service, hosts: Sequence[str]) -> list[tuple[Any, ...]]:
    """Each launch of theirs: the listing's status and week, the launch's week, if it is made, checks so far."""
    return service.query(LISTINGS, [list(hosts)])


def homepages_down(drill: Drill, *, count: int) -> Outcome:
    """Let every homepage be down, then our names not resolve, when their week begins; then let them come back."""
    hosts = [next(drill.hosts) for _ in range(count)]
    there = drill.website.pages["/"]
    drill.website.pages["/"] = html("Down", status=503)
    codes, (*_, week) = make_due(drill.service, [(host, 0) for host in hosts])
    wait_for(lambda: all(row[4] for row in listings(drill.service, hosts)), patience=PATIENCE)
    replace(drill.service, environment={}).command("publish_due")
    kept = sum(row[:2] == ("scheduled", week) for row in listings(drill.service, hosts))
    drill.website.pages["/"] = html(codes)
    drill.service.command("publish_due")
    launched = sum(row[:4] == ("live", week, week, True) for row in listings(drill.service, hosts))
    drill.website.pages["/"] = there
    return Outcome(
        "D1",
        f"the homepages of {count} due listings answer 503, then no name resolves, then all is well",
        "nobody loses the week; all launched when it is well",
        f"{kept} of {count} kept their week, {launched} launched in it",
        kept == launched == count,
    )


def weeks_of_outage(drill: Drill) -> Outcome:
    """Launch what was due in weeks that are over and closed, and hold those weeks against their votes."""
    due = [(next(drill.hosts), week) for week in WEEKS * 2]
    there, hosts = drill.website.pages["/"], [host for host, _ in due]
    drill.website.pages["/"] = html("Down", status=503)
    codes, (*past, running) = make_due(drill.service, due)
    for week in past:
        drill.service.command("close_week", "--week", week)
    drill.website.pages["/"] = html(codes)
    drill.service.command("publish_due")
    drill.website.pages["/"] = there
    rows = listings(drill.service, hosts)
    launched = sum(row[:4] == ("live", running, running, True) for row in rows)
    verified = [drill.service.command("close_week", "--week", week, "--verify") for week in past]
    return Outcome(
        "D7",
        f"{len(due)} listings due in the last {len(past)} weeks and this one, after those weeks were closed",
        "all launched in the running week, once; close_week --verify of the past weeks succeeds",
        f"{launched} of {len(due)} launched in the running week, {len(rows)} launches, {len(verified)} weeks verified",
        launched == len(due) == len(rows),
    )


def monday(drill: Drill, *, count: int, kills: int) -> Outcome:
    """Let many listings be due at the begin of a minute, as Monday is, and kill both workers while they launch."""
    hosts = [next(drill.hosts) for _ in range(count)]
    there = drill.website.pages["/"]
    codes, (*_, week) = make_due(drill.service, [(host, 1) for host in hosts])
    drill.website.pages["/"] = html(codes)
    time.sleep(60 - time.time() % 60)
    drill.service.query(MOVE, [week, hosts, week])
    began, times_killed = time.monotonic(), 0

    def launched() -> int:
        return sum(row[:4] == ("live", week, week, True) for row in listings(drill.service, hosts))

    while (number := launched()) < count and time.monotonic() - began < PATIENCE:
        if times_killed < kills and number >= (times_killed + 1) * count // (kills + 2):
            times_killed += 1
            for program in ("crawler@", "worker@"):
                drill.service.kill_group(program)
        time.sleep(0.25)
    took = time.monotonic() - began
    drill.website.pages["/"] = there
    rows, mails = listings(drill.service, hosts), _launch_mails(drill.service, hosts)
    once = sum(number == 1 for number in mails.values())
    return Outcome(
        "Monday",
        f"{count} listings due at once, both workers killed {times_killed} times meanwhile",
        f"all live within {WITHIN:.0f} s, each launched and mailed once",
        f"{number} live after {took:.0f} s, {len(rows)} launches, {once} of {len(mails)} mails once",
        took <= WITHIN and number == len(rows) == once == len(mails) == count and times_killed == kills,
    )


def _launch_mails(service: Service, hosts: Sequence[str]) -> Counter[str]:
    """The mails about these launches in the folder that mail goes to, by subject."""
    names = {host.split(".")[0].capitalize() for host in hosts}

    def found() -> Counter[str]:
        texts = (path.read_text(errors="replace") for path in (service.folder / "mail").iterdir())
        subjects = (found for text in texts for found in re.findall(r"^Subject: (.*) is live$", text, re.M))
        return Counter(name for name in subjects if name in names)

    ends = time.monotonic() + PATIENCE
    while len(found()) < len(names) and time.monotonic() < ends:
        time.sleep(1)
    return found()
