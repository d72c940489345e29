"""The launch room of a listing: what its makers see of their launch before it, while it runs and after it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import JSONObject
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.selectors import Lead, leads_account
from core.api.links import on_site
from core.fetch import split_url
from core.postgresql.base import Counted
from directory import weeks
from directory.launches.badges import AWARDS
from directory.launches.figures import named_sources, visits_by_day, votes_by_hour
from directory.launches.plot import bars
from directory.launches.race import Runner, ended_days, gap_in_words, runners_around
from directory.models import Launch, Listing, Question, Review, Site, VisitSource

Status = Listing.Status
HOUR, DAY, HOURS_A_DAY, DAYS = timedelta(hours=1), timedelta(days=1), 24, 7
BEFORE, LIVE, AFTER = "before", "live", "after"
SOURCES_LISTED, OTHERS = 8, "Others, few each"
LONG_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAY_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
NETWORKS = {
    "x.com": "X",
    "t.co": "X",
    "twitter.com": "X",
    "linkedin.com": "LinkedIn",
    "lnkd.in": "LinkedIn",
    "bsky.app": "Bluesky",
    "go.bsky.app": "Bluesky",
    "threads.net": "Threads",
    "threads.com": "Threads",
    "l.threads.com": "Threads",
    "reddit.com": "Reddit",
    "old.reddit.com": "Reddit",
    "out.reddit.com": "Reddit",
    "news.ycombinator.com": "Hacker News",
    "google.com": "Google",
    "bing.com": "Bing",
    "duckduckgo.com": "DuckDuckGo",
    VisitSource.DIRECT: "Direct, or not given",
}


@dataclass(frozen=True, kw_only=True)
class Hours:
    """The votes of a week by the hour: a plot, the sentence that says it, and the rows of its table."""

    by_hour: Sequence[int]
    label: str
    plot: SafeString

    @property
    def most(self) -> int:
        return max(self.by_hour)

    @property
    def by_day(self) -> list[tuple[str, int]]:
        days = (
            self.by_hour[first : first + HOURS_A_DAY] for first in range(0, DAYS * HOURS_A_DAY, HOURS_A_DAY)
        )
        return list(zip(DAY_NAMES, map(sum, days), strict=True))

    @property
    def table(self) -> list[tuple[str, Sequence[int]]]:
        """A row for each hour of a day with the seven days beside each other; hours without any are left out."""
        rows = ((f"{hour:02}", self.by_hour[hour::HOURS_A_DAY]) for hour in range(HOURS_A_DAY))
        return [row for row in rows if any(row[1])]


@dataclass(frozen=True, kw_only=True)
class Visits:
    """Visits to the page and on to the website, since the week began and on the day that runs."""

    visits: int
    clicks: int
    visits_today: int

    @property
    def clicks_of_hundred(self) -> int:
        return round(100 * self.clicks / self.visits) if self.visits else 0


@dataclass(frozen=True, kw_only=True)
class Source:
    """A website that sent visits, or several of one name; `width` is its part of the most, of a hundred."""

    name: str
    visits: int
    width: int


@dataclass(frozen=True, kw_only=True)
class Race:
    runners: Sequence[Runner]
    votes: int
    today: int
    hours: Hours | None
    midnights: Sequence[tuple[str, int]]
    visits: Visits
    sources: Sequence[Source]
    questions: int
    reviews: int
    is_final: bool = False

    @property
    def own(self) -> Runner | None:
        return next((runner for runner in self.runners if runner.is_own), None)

    @property
    def rank(self) -> int | None:
        return self.own.rank if self.own and self.own.votes else None

    @property
    def of(self) -> int:
        return self.own.of if self.own else 0

    @property
    def in_category(self) -> str:
        """Its place among those of its first category, such as `2nd of 5 in Analytics`; nothing where it is alone."""
        own = self.own
        if own is None or not self.rank or not own.category or own.mates == 1:
            return ""
        return f"{ordinal(own.place)} of {own.mates} in {own.category}"

    @property
    def previous(self) -> int | None:
        return self.midnights[-1][1] if self.midnights else None

    @property
    def gap(self) -> str:
        return gap_in_words(list(self.runners))

    @property
    def rivals(self) -> str:
        """Who finished around it, such as `14 votes behind Lanternroom and 9 votes ahead of Saltmarsh`."""
        own = self.own
        near = [row for row in self.runners if own and row.votes and abs(row.rank - own.rank) == 1]
        return " and ".join(_between(row) for row in near)


def _between(row: Runner) -> str:
    number = abs(row.gap)
    if not number:
        return f"level with {row.card['name']}"
    return f"{number} vote{'' if number == 1 else 's'} {'behind' if row.gap > 0 else 'ahead of'} {row.card['name']}"


def stage_of(launch: Launch, *, at: datetime) -> str:
    if launch.launched_at is None:
        return BEFORE
    return LIVE if launch.week >= weeks.week_of(at) else AFTER


def race_of(listing: Listing, launch: Launch, *, at: datetime) -> Race:
    """The figures of a launch that runs or is over, in a constant number of statements."""
    start, end = weeks.start(launch.week), weeks.end(launch.week)
    today = at.astimezone(UTC).date()
    by_hour = {row["at"]: row["votes"] for row in votes_by_hour(launch)}
    days = visits_by_day(listing_id=listing.pk, since=start, until=end)
    is_over = end <= at
    beside = _beside(launch)
    return Race(
        runners=runners_around(launch),
        votes=launch.votes,
        today=sum(votes for hour, votes in by_hour.items() if hour.astimezone(UTC).date() == today),
        hours=_hours(
            [by_hour.get(start + number * HOUR, 0) for number in range(DAYS * HOURS_A_DAY)], is_over=is_over
        ),
        midnights=ended_days(launch.pk, week=launch.week, at=at),
        visits=Visits(
            visits=sum(row["visits"] for row in days),
            clicks=sum(row["clicks"] for row in days),
            visits_today=sum(row["visits"] for row in days if row["date"] == today),
        ),
        sources=_sources(listing, hosts=beside["hosts"], site=launch.site),
        questions=beside["questions"],
        reviews=beside["reviews"],
        is_final=is_over and (beside["is_awarded"] or not launch.votes),
    )


def _beside(launch: Launch) -> dict[str, Any]:
    """What waits for an answer, where visits came from, and whether its week gave its awards: once, when it closes."""
    of_listing = {"listing": launch.listing_id}
    reviews = Review.objects.public().filter(**of_listing, replied_at=None).exclude(text="")
    sent = VisitSource.objects.filter(**of_listing, week=launch.week).order_by("-visits", "host")
    awards = Listing.objects.filter(
        site=launch.site_id, awards__contains=[{"week": launch.week.isoformat()}]
    ).exclude(awards=[])
    facts: dict[str, Any] = dict(
        Launch.objects.filter(pk=launch.pk).values(
            questions=Counted(
                Question.objects.filter(**of_listing, status=Question.Status.OPEN).values("pk")
            ),
            reviews=Counted(reviews.values("pk")),
            hosts=ArraySubquery(sent.values(row=JSONObject(host="host", visits="visits"))),
            is_awarded=Exists(awards),
        )[0]
    )
    return {**facts, "hosts": [(row["host"], row["visits"]) for row in facts["hosts"]]}


def award_of(listing: Listing, *, week: date) -> dict[str, Any] | None:
    won = [award for award in listing.awards if award["week"] == week.isoformat() and award["code"] in AWARDS]
    return next(iter(won), None)


def _hours(by_hour: Sequence[int], *, is_over: bool) -> Hours | None:
    total, most = sum(by_hour), max(by_hour)
    if not total:
        return None
    day, hour = divmod(by_hour.index(most), HOURS_A_DAY)
    when = "from Monday to Sunday" if is_over else "since Monday"
    label = (
        f"Votes by hour {when}, {total} in all. Most came on {LONG_NAMES[day]} between {hour} and {hour + 1}"
        f" o’clock UTC: {most} in one hour."
    )
    return Hours(by_hour=by_hour, label=label, plot=bars(by_hour, label=label, parted_after=HOURS_A_DAY))


def _sources(listing: Listing, *, hosts: Iterable[Sequence[Any]], site: Site) -> list[Source]:
    """Websites by their names, most visits first; what is called the same is one, the others come last."""
    own, here = listing.host.removeprefix("www."), split_url(on_site("")).hostname or ""
    names = {**NETWORKS, own: f"{own}, your website", here: f"{site.name}, this site"}
    visits: Counter[str] = Counter()
    for row in named_sources(hosts):
        visits[names.get(row["host"], row["host"])] += row["visits"]
    others = visits.pop(VisitSource.OTHERS, 0)
    rows = visits.most_common(SOURCES_LISTED)
    others += visits.total() - sum(number for _, number in rows)
    rows += [(OTHERS, others)] if others else []
    most = max((number for _, number in rows), default=0)
    return [Source(name=name, visits=number, width=round(100 * number / most)) for name, number in rows]


@dataclass(frozen=True, kw_only=True)
class Headline:
    """The launch of a person that runs or comes next, in a line and in two."""

    is_live: bool
    title: str
    line: str
    detail: str
    path: str


def headline(*, user_id: int, at: datetime, site: Site | None = None) -> Headline | None:
    """The one that runs, else the next that comes; nothing for who has none. Two statements."""
    shared = Listing.co_owners.through.objects.filter(user_id=user_id, listing_id=OuterRef("listing"))
    rows = Launch.objects.filter(
        Q(listing__owner=user_id) | Exists(shared),
        week__gte=weeks.week_of(at),
        listing__status__in=(Status.LIVE, Status.SCHEDULED, Status.AWAITING_BADGE),
    )
    rows = rows.filter(listing__site=site) if site else rows
    launch = (
        rows.select_related("listing").order_by(F("launched_at").asc(nulls_last=True), "week", "pk").first()
    )
    if launch is None:
        return None
    return _running(launch) if launch.launched_at else _coming(launch, at=at)


@leads_account
def lead(user_id: int) -> Lead | None:
    """The account's first page begins with the launch that runs or comes."""
    newest = headline(user_id=user_id, at=timezone.now())
    if newest is None:
        return None
    return Lead(title=newest.title, detail=newest.detail, path=newest.path, is_live=newest.is_live)


def room_path(listing_id: int) -> str:
    return f"/account/listings/{listing_id}/launch"


def _running(launch: Launch) -> Headline:
    name, runners = launch.listing.name, runners_around(launch)
    own = next((runner for runner in runners if runner.is_own), None)
    closes = f"Voting closes on Sunday {weeks.sunday(launch.week):%-d %B}, 24:00 UTC."
    if own is None or not own.votes:
        line = f"{name} is live. No votes yet."
        title, detail = f"{name} is live", f"No votes yet. {closes}"
    else:
        gap = gap_in_words(runners)
        line = f"{name} is {ordinal(own.rank)}.{f' {gap}.' if gap else ''}"
        title = f"{name} is {ordinal(own.rank)} of {own.of}"
        votes = f"{own.votes} vote{'' if own.votes == 1 else 's'}"
        detail = f"{votes}{f', {gap}' if gap else ''}. {closes}"
    return Headline(is_live=True, title=title, line=line, detail=detail, path=room_path(launch.listing_id))


def _coming(launch: Launch, *, at: datetime) -> Headline:
    name, start = launch.listing.name, weeks.start(launch.week)
    if start <= at:
        title, detail = f"{name} is about to launch", "Its week has begun. See what it waits for."
    else:
        title = f"{name} launches Monday {launch.week:%-d %B}"
        detail = f"At 00:00 UTC, in {weeks.time_left(start, at=at)}. See what is left to do."
    line = f"{title}. {detail.split('. ')[0].rstrip('.')}."
    return Headline(is_live=False, title=title, line=line, detail=detail, path=room_path(launch.listing_id))
