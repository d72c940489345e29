"""The start page: what waits, launches, health, money and what staff did, as far as the role sees it.

A part that cannot be read just now says so; the others stand.
"""

from collections import Counter
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.core import checks
from django.db import Error, transaction
from django.db.models import Count, Q, Sum
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.models import StaffAct, User
from accounts.staff import audit, rights
from config.staff import queues
from core import jobs
from core.models import Job
from directory import weeks
from orders.checks import TAG
from orders.models import Invoice
from orders.payments import takes_real_money
from orders.selectors import calendar
from orders.seller import local

ACTS_LISTED = 20
Part = dict[str, Any] | None
BOUND = 1000  # more than this waiting is told as so many
LATE = timedelta(minutes=5)
SLOW = 3600  # periodic work that runs more seldom than each hour is worth a line
NAMES = {"backup": "Last backup", "restore": "Last tried restore"}
WEEKS_LISTED = 3
PARTS = ("free", "paid", "waiting")
MONEY_DAYS = 30
BARS_HEIGHT, BELOW, STEP = 62, 10, 10  # of the drawing
SOLD = Q(kind=Invoice.Kind.INVOICE, corrects=None)
# What an invoice in another's place takes back was not refunded
BACK = Q(kind=Invoice.Kind.CORRECTION) | Q(kind=Invoice.Kind.CREDIT_NOTE, refund__isnull=False)


def start(request: HttpRequest) -> dict[str, Any]:
    now, user = timezone.now(), cast(User, request.user)
    return {
        "title": f"{_greeting(now.hour)}, {user.get_short_name()}",
        "subtitle": f"{now:%A %-d %B %Y, %H:%M} UTC",
        "looked_at": now,
        "is_test_money": settings.ON_LOOPBACK and not takes_real_money(),
        "warnings": [message.msg for message in checks.run_checks(tags=[TAG])],
        "waits": [_row(queue, at=now) for queue in queues.QUEUES if rights.may(user, queue.act)],
        "launches": _part(user, "weeks.see", lambda: three_weeks(at=now)),
        "health": _part(user, "jobs.see", lambda: health(at=now)),
        "money": _part(user, "orders.see", lambda: last_thirty_days(at=now)),
        "done": _part(user, "start.see", lambda: _done(user, at=now)),
    }


def _part(user: User, act: str, read: Callable[[], dict[str, Any]]) -> Part:
    """One part of the page, None for who may not see it."""
    if not rights.may(user, act):
        return None
    try:
        with transaction.atomic():
            return {"is_known": True, **read()}
    except Error:
        return {"is_known": False}


def _row(queue: queues.Queue, *, at: datetime) -> dict[str, Any]:
    waiting = queues.counts().get(queue.key)
    oldest = waiting.oldest if waiting else None
    return {
        "name": queue.singular if waiting and waiting.number == 1 else queue.plural,
        "says": queue.says,
        "url": queue.url(at=at),
        "waiting": waiting,
        "is_ahead": oldest is not None and oldest > at,
        "is_late": oldest is not None and at - oldest > timedelta(hours=int(queue.late_hours)),
    }


def _done(user: User, *, at: datetime) -> dict[str, Any]:
    """What staff did today, newest first; whoever may not see all of it sees their own."""
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    rows = StaffAct.objects.filter(at__gte=midnight).select_related("by", "undone_by").order_by("-at", "-id")
    sees_all = rights.may(user, "audit.all")
    own_rows = rows if sees_all else rows.filter(by=user)
    lines = [
        {"row": row, "can_undo": audit.can_undo(row, at=at), "is_undone": hasattr(row, "undone_by")}
        for row in own_rows[:ACTS_LISTED]
    ]
    log = reverse("admin:accounts_staffact_changelist") if rights.may(user, "audit.see") else ""
    return {"lines": lines, "sees_all": sees_all, "log": log, "undoes": audit.UNDOES}


def _greeting(hour: int) -> str:
    if hour < 12:
        return "Good morning"
    return "Good afternoon" if hour < 18 else "Good evening"


def health(*, at: datetime) -> dict[str, Any]:
    """Each queue, when what is periodic last ended, and whether anything needs a look."""
    waiting = Job.objects.filter(state=Job.State.QUEUED, run_after__lte=at).order_by("run_after")
    due = list(waiting.values_list("queue", "run_after")[:BOUND])
    dead = Counter(Job.objects.filter(state=Job.State.DEAD).values_list("queue", flat=True)[:BOUND])
    number = Counter(queue for queue, _ in due)
    oldest = dict(reversed(due))
    queues = [
        {
            "name": name,
            "waits": number[name],
            "oldest": oldest.get(name),
            "dead": dead[name],
            "is_bad": bool(dead[name]),
            "is_late": name in oldest and at - oldest[name] > LATE,
        }
        for name in sorted({kind.queue for kind in jobs.KINDS.values()} | set(dead) | set(number))
    ]
    beats = jobs.heartbeats()
    return {
        "queues": queues,
        "is_full": len(due) == BOUND,
        "periodic": _periodic(),
        "beats": [{"name": words, "at": beats.get(key)} for key, words in NAMES.items()],
        "to_look_at": sum(row["is_bad"] or row["is_late"] for row in queues),
    }


def _periodic() -> list[dict[str, Any]]:
    """The last run that ended of each kind of slow periodic work."""
    kinds = [kind.name for kind in jobs.periodic() if (kind.every or 0) >= SLOW]
    ended = Job.objects.filter(kind__in=kinds, state=Job.State.DONE).order_by("kind", "-finished_at")
    last = dict(ended.distinct("kind").values_list("kind", "finished_at"))
    return [
        {"name": name.partition(".")[2].replace("_", " ").capitalize(), "at": last.get(name)}
        for name in sorted(kinds)
    ]


def three_weeks(*, at: datetime) -> dict[str, Any]:
    """Each week with its bar: free, paid, waiting for the badge, and places left on all sites together."""
    first = weeks.week_of(at)
    mondays = [first + number * weeks.WEEK for number in range(WEEKS_LISTED)]
    rules = calendar.newest_rules()
    own = calendar.own_capacities(sites=list(rules), mondays=mondays)
    booked = calendar.booked_in(sites=list(rules), mondays=mondays)
    return {
        "weeks": [
            _week(
                week,
                sum((booked.get((site, week), Counter()) for site in rules), Counter[str]()),
                sum(
                    entry.free_slots_per_week + own.get((site, week), entry.paid_slots_per_week)
                    for site, entry in rules.items()
                ),
                at=at,
            )
            for week in mondays
        ]
    }


def _week(week: date, booked: Counter[str], places: int, *, at: datetime) -> dict[str, Any]:
    whole = max(places, booked.total(), 1)
    bars, edge = [], 0.0
    for part in PARTS:
        width = 100 * booked[part] / whole
        bars.append({"part": part, "x": f"{edge:.1f}", "width": f"{width:.1f}"})
        edge += width
    return {
        "week": week,
        "last_day": week + timedelta(days=6),
        "is_current": week == weeks.week_of(at),
        "closes_in": weeks.end(week) - at,
        "booked": booked,
        "total": booked.total(),
        "places": places,
        "left": max(0, places - booked.total()),
        "bars": bars,
    }


def last_thirty_days(*, at: datetime) -> dict[str, Any]:
    """Figures and one bar a day, by the dates of documents."""
    until = local(at).date()
    since = until - timedelta(days=MONEY_DAYS - 1)
    days = list(
        Invoice.objects.filter(issued_on__range=(since, until))
        .values("issued_on", "test_money")
        .annotate(
            net=Sum("net_cents", filter=SOLD, default=0),
            number=Count("pk", filter=SOLD),
            back=Sum("net_cents", filter=BACK, default=0),
            vat=Sum("vat_cents"),
        )
        .order_by("issued_on")
    )
    real = [row for row in days if not row["test_money"]]
    test = [row for row in days if row["test_money"]]
    sold = {row["issued_on"]: row["net"] for row in real}
    refunded = {row["issued_on"]: max(0, -row["back"]) for row in real}
    return {
        "since": since,
        "until": until,
        "currency": settings.CURRENCY,
        "net": sum(sold.values()),
        "vat": sum(row["vat"] for row in real),
        "orders": sum(row["number"] for row in real),
        "refunded": -sum(row["back"] for row in real),
        "test": sum(row["net"] for row in test),
        "test_orders": sum(row["number"] for row in test),
        "highest": _highest(sold, refunded),
        "bars": _bars(sold, refunded, first=since),
    }


def _highest(sold: dict[date, int], refunded: dict[date, int]) -> int:
    return max([0, *sold.values(), *refunded.values()])


def _bars(sold: dict[date, int], refunded: dict[date, int], *, first: date) -> list[dict[str, str]]:
    highest = max(1, _highest(sold, refunded))
    bars = []
    for number in range(MONEY_DAYS):
        day = first + timedelta(days=number)
        up, down = BARS_HEIGHT * sold.get(day, 0) / highest, BELOW * refunded.get(day, 0) / highest
        bars.append(
            {
                "x": str(number * STEP + 1),
                "y": f"{BARS_HEIGHT - up:.1f}",
                "up": f"{up:.1f}",
                "down": f"{down:.1f}",
                "below": str(BARS_HEIGHT + 1),
            }
        )
    return bars
