"""What waits for staff, by `queues.csv`: menu and start page read it in one statement of bounded counts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db import Error, connection, transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone

from claims.models import Claim
from core import mail
from core.models import Job
from core.tables import rows_of
from directory import weeks
from directory.models import Listing, Report, Review, Vote
from directory.moderation import edits
from drafts.models import Draft
from orders.models import Order, OrderLine, StaffTask
from orders.selectors.documents import waiting_documents
from orders.selectors.staff import disputed_orders

BOUND = 100  # more is shown as 99+
SECONDS = 30
CACHED = "staff_queues"
BOUNCED = "state__exact=bounced&is_repeatable__exact=1&closed_at__isnull=True"
DAY = timedelta(days=1)
# What waits, by the key of its queue. The rows must come from a partial index, oldest first.
ROWS: dict[str, Callable[[], QuerySet[Any]]] = {
    "edits": edits.queued,
    "claims": lambda: Claim.objects.filter(status=Claim.Status.CONTESTED, for_staff_since__isnull=False),
    "orders": lambda: Order.objects.exclude(review_reason=""),
    "blocked": lambda: OrderLine.objects.filter(fulfilment_status=OrderLine.Fulfilment.BLOCKED).annotate(
        paid_at=F("order__paid_at")
    ),
    "disputes": disputed_orders,
    "work": lambda: StaffTask.objects.filter(closed_at=None).exclude(kind__in=StaffTask.WISHES),
    "wishes": lambda: StaffTask.objects.filter(closed_at=None, kind__in=StaffTask.WISHES),
    "peppol": waiting_documents,
    "reviews": lambda: Review.objects.filter(status=Review.Status.WAITING),
    "reports": lambda: Report.objects.filter(status=Report.Status.OPEN),
    "votes": lambda: Vote.objects.filter(held_at__isnull=False, released_at=None, voided_at=None),
    "badges": lambda: Listing.objects.filter(
        status=Listing.Status.AWAITING_BADGE, launch_week__lte=weeks.week_of(timezone.now()) + weeks.WEEK
    ),
    "mail": mail.bounced,
    "jobs": lambda: Job.objects.filter(state=Job.State.DEAD),
    "drafts": lambda: Draft.objects.filter(status=Draft.Status.FAILED, created_at__gte=timezone.now() - DAY),
}


@dataclass(frozen=True, kw_only=True)
class Queue:
    """One kind of work. `since` is the column that says how long its rows have waited."""

    key: str
    act: str  # who sees it
    singular: str
    plural: str
    says: str  # a sentence that holds whatever the number
    page: str  # the name of the address in the back office that lists exactly these rows
    query: str  # may hold {next_week}, the coming Monday, and {day_ago}
    since: str
    late_hours: str

    def url(self, *, at: datetime) -> str:
        query = self.query.format(
            next_week=weeks.week_of(at) + weeks.WEEK, day_ago=f"{at - DAY:%Y-%m-%dT%H:%M:%SZ}"
        )
        page = reverse(f"admin:{self.page}")
        return f"{page}?{query}" if query else page


QUEUES = tuple(Queue(**row) for row in rows_of(__file__, "queues.csv"))


@dataclass(frozen=True)
class Waiting:
    number: int
    oldest: datetime | None

    @property
    def number_text(self) -> str:
        return str(self.number) if self.number < BOUND else f"{BOUND - 1}+"


def together(waiting: Iterable[Waiting]) -> Waiting:
    rows = list(waiting)
    since = [row.oldest for row in rows if row.oldest]
    return Waiting(min(BOUND, sum(row.number for row in rows)), min(since, default=None))


def counts() -> dict[str, Waiting]:
    """What waits by the key of its queue, as of the last half minute; empty if it cannot be known now."""
    result: dict[str, Waiting] | None = cache.get(CACHED)
    if result is None:
        try:
            result = _counted()
        except Error:
            return {}
        cache.set(CACHED, result, SECONDS)
    return result


def forget() -> None:
    """A queue has changed: the next page counts anew."""
    cache.delete(CACHED)


def _counted() -> dict[str, Waiting]:
    """One statement: each queue is looked at no further than its bound."""
    parts, values = [], []
    for queue in QUEUES:
        rows = ROWS[queue.key]().order_by(queue.since).values_list(queue.since)[:BOUND]
        statement, params = rows.query.sql_with_params()
        parts.append(f"SELECT %s, count(*), min(since)::timestamptz FROM ({statement}) AS waiting (since)")  # noqa: S608
        values += [queue.key, *params]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), values)
        return {key: Waiting(number, oldest) for key, number, oldest in cursor.fetchall()}
