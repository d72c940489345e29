"""Launch weeks as staff plan them: places by kind, what takes them, and who is in. A constant number of statements."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, F, Q, Window
from django.db.models.functions import RowNumber

from directory import weeks
from directory.models import Launch, Listing, Site, SiteSettings
from orders.models import LaunchWeek, SlotHold

SITES, NAMED = 20, 8
Place = tuple[int, date]  # a site and a week


@dataclass(frozen=True, kw_only=True)
class Week:
    site: Site
    week: date
    free_places: int
    paid_places: int
    own_places: int | None  # paid places that staff gave this week alone
    booked: Counter[str]  # paid, free, and free ones that wait for their badge
    reserved: int  # paid places that orders hold or have taken, with no launch yet
    who: list[Launch]
    is_current: bool
    is_over: bool

    @property
    def last_day(self) -> date:
        return self.week + timedelta(days=6)

    @property
    def free_booked(self) -> int:
        """Free launches, those that still wait for their badge too."""
        return self.booked["free"] + self.booked["waiting"]

    @property
    def paid_left(self) -> int:
        return max(0, self.paid_places - self.booked["paid"] - self.reserved)

    @property
    def unnamed(self) -> int:
        return self.booked.total() - len(self.who)


def booked_in(*, sites: Sequence[int], mondays: Sequence[date]) -> dict[Place, Counter[str]]:
    """How many launches of each part a week of a site has, as far as there are any: one statement."""
    rows = (
        Launch.objects.filter(site__in=sites, week__in=mondays)
        .annotate(
            is_free=Q(kind=Launch.Kind.FREE), is_waiting=Q(listing__status=Listing.Status.AWAITING_BADGE)
        )
        .values_list("site", "week", "is_free", "is_waiting")
        .annotate(Count("pk"))
        .order_by()
    )
    by_place: dict[Place, Counter[str]] = {}
    for site, week, is_free, is_waiting, number in rows:
        part = "paid" if not is_free else "waiting" if is_waiting else "free"
        by_place.setdefault((site, week), Counter())[part] += number
    return by_place


def newest_rules() -> dict[int, SiteSettings]:
    """The settings of each site that hold now, with the site."""
    rows = SiteSettings.objects.select_related("site").order_by("site_id", "-changed_at", "-id")
    return {row.site_id: row for row in rows.distinct("site_id")[:SITES]}


def own_capacities(*, sites: Sequence[int], mondays: Sequence[date]) -> dict[Place, int]:
    rows = LaunchWeek.objects.filter(site__in=sites, week__in=mondays, capacity__isnull=False)
    return {
        (site, week): capacity or 0 for site, week, capacity in rows.values_list("site", "week", "capacity")
    }


def calendar(*, first: date, number: int, at: datetime) -> list[Week]:
    """So many weeks from one on, of every site: five statements."""
    mondays = [first + index * weeks.WEEK for index in range(number)]
    rules, current = newest_rules(), weeks.week_of(at)
    ids = list(rules)
    own, booked = own_capacities(sites=ids, mondays=mondays), booked_in(sites=ids, mondays=mondays)
    who, reserved = _who(ids, mondays), _reserved(ids, mondays, at=at)
    return [
        Week(
            site=rule.site,
            week=week,
            free_places=rule.free_slots_per_week,
            paid_places=own.get((site, week), rule.paid_slots_per_week),
            own_places=own.get((site, week)),
            booked=booked.get((site, week), Counter()),
            reserved=reserved.get((site, week), 0),
            who=who.get((site, week), []),
            is_current=week == current,
            is_over=week < current,
        )
        for week in mondays
        for site, rule in rules.items()
    ]


def _who(sites: Sequence[int], mondays: Sequence[date]) -> dict[Place, list[Launch]]:
    """The first launches of each week, in the order in which they were booked."""
    place = Window(
        RowNumber(), partition_by=[F("site"), F("week")], order_by=[F("booked_at").asc(), F("pk").asc()]
    )
    rows = Launch.objects.filter(site__in=sites, week__in=mondays).annotate(place=place)
    by_place: dict[Place, list[Launch]] = {}
    for row in rows.filter(place__lte=NAMED).select_related("listing").order_by("week", "place"):
        by_place.setdefault((row.site_id, row.week), []).append(row)
    return by_place


def _reserved(sites: Sequence[int], mondays: Sequence[date], *, at: datetime) -> dict[Place, int]:
    counting = Q(state=SlotHold.State.TAKEN) | Q(state=SlotHold.State.RESERVED, held_until__gt=at)
    rows = SlotHold.objects.filter(counting, site__in=sites, week__in=mondays)
    counted = rows.values_list("site", "week").annotate(Count("pk")).order_by()
    return {(site, week): number for site, week, number in counted}
