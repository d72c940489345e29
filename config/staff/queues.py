"""What waits for staff: one table, read by the menu and the start page in one statement of bounded counts.

Whoever builds another queue adds a row here. Its rows must come from a partial index, oldest first.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone

from claims.models import Claim
from core import mail
from core.models import Job
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
OPEN_WORK = "closed_at__isempty=1"
DONE_FOR_BUYERS = f"{OPEN_WORK}&work=jobs"
WISHES = f"{OPEN_WORK}&work=wishes"
AT_ONCE, DAY = timedelta(0), timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class Queue:
    """One kind of work. `rows` are those that wait; `since` is the column that says how long."""

    key: str
    act: str  # who sees it
    singular: str
    plural: str
    says: str  # a sentence that holds whatever the number
    page: str  # the name of the address that lists exactly these rows
    query: str  # may hold {next_week}, the coming Monday, and {day_ago}
    since: str
    rows: Callable[[], QuerySet[Any]]
    late: timedelta

    def url(self, *, at: datetime) -> str:
        query = self.query.format(
            next_week=weeks.week_of(at) + weeks.WEEK, day_ago=f"{at - DAY:%Y-%m-%dT%H:%M:%SZ}"
        )
        return f"{reverse(self.page)}?{query}" if query else reverse(self.page)


QUEUES: tuple[Queue, ...] = (
    Queue(
        key="edits",
        act="edits.decide",
        singular="Edit to review",
        plural="Edits to review",
        says="Edits are live already; accept them or put them back.",
        page="admin:directory_listingrevision_queue",
        query="",
        since="at",
        rows=edits.queued,
        late=timedelta(hours=24),
    ),
    Queue(
        key="claims",
        act="claims.decide",
        singular="Contested claim",
        plural="Contested claims",
        says="Two people proved the same listing. Decide whose it is.",
        page="admin:claims_claim_changelist",
        query="inbox=staff",
        since="for_staff_since",
        rows=lambda: Claim.objects.filter(status=Claim.Status.CONTESTED, for_staff_since__isnull=False),
        late=timedelta(hours=48),
    ),
    Queue(
        key="orders",
        act="orders.decide",
        singular="Order in review",
        plural="Orders in review",
        says="The money does not fit the order, or a refund failed.",
        page="admin:orders_orderinreview_changelist",
        query="",
        since="created_at",
        rows=lambda: Order.objects.exclude(review_reason=""),
        late=timedelta(hours=24),
    ),
    Queue(
        key="blocked",
        act="orders.decide",
        singular="Paid line that is blocked",
        plural="Paid lines that are blocked",
        says="Paid, and could not be done. Give another week, or refund.",
        page="admin:orders_order_changelist",
        query="work=blocked",
        since="paid_at",
        rows=lambda: OrderLine.objects.filter(fulfilment_status=OrderLine.Fulfilment.BLOCKED).annotate(
            paid_at=F("order__paid_at")
        ),
        late=timedelta(hours=24),
    ),
    Queue(
        key="disputes",
        act="orders.decide",
        singular="Disputed payment",
        plural="Disputed payments",
        says="The buyer’s bank wants the money back. Answer on the provider’s page in time.",
        page="admin:orders_order_changelist",
        query="status__exact=disputed",
        since="answer_by",
        rows=disputed_orders,
        late=AT_ONCE,
    ),
    Queue(
        key="work",
        act="orders.decide",
        singular="Paid job for us",
        plural="Paid jobs for us",
        says="Done for you, or a review that could not be written by itself. The buyer waits.",
        page="admin:orders_stafftask_changelist",
        query=DONE_FOR_BUYERS,
        since="opened_at",
        rows=lambda: StaffTask.objects.filter(closed_at=None).exclude(kind__in=StaffTask.WISHES),
        late=2 * DAY,
    ),
    Queue(
        key="wishes",
        act="orders.decide",
        singular="Refund request",
        plural="Refund requests",
        says="A buyer asks for money back. Refund the line, or close it.",
        page="admin:orders_stafftask_changelist",
        query=WISHES,
        since="opened_at",
        rows=lambda: StaffTask.objects.filter(closed_at=None, kind__in=StaffTask.WISHES),
        late=DAY,
    ),
    Queue(
        key="peppol",
        act="orders.send",
        singular="Invoice to send by Peppol",
        plural="Invoices to send by Peppol",
        says="Businesses of your own country: give the file to your access point, or set PEPPOL_URL.",
        page="admin:orders_invoice_changelist",
        query="network=waits",
        since="waits_since",
        rows=waiting_documents,
        late=2 * DAY,
    ),
    Queue(
        key="reviews",
        act="reviews.decide",
        singular="Review to read",
        plural="Reviews to read",
        says="First reviews, and what looks like a burst or like the makers. Publish or refuse them.",
        page="admin:directory_review_changelist",
        query="status__exact=waiting",
        since="waits_since",
        rows=lambda: Review.objects.filter(status=Review.Status.WAITING),
        late=timedelta(hours=24),
    ),
    Queue(
        key="reports",
        act="reports.close",
        singular="Report",
        plural="Reports",
        says="A reader says that something on a listing is wrong.",
        page="admin:directory_report_changelist",
        query="status__exact=open",
        since="created_at",
        rows=lambda: Report.objects.filter(status=Report.Status.OPEN),
        late=timedelta(hours=48),
    ),
    Queue(
        key="votes",
        act="votes.void",
        singular="Vote at risk",
        plural="Votes at risk",
        says="Held because they look like a burst. Void or release them.",
        page="admin:directory_vote_risks",
        query="",
        since="held_at",
        rows=lambda: Vote.objects.filter(held_at__isnull=False, released_at=None, voided_at=None),
        late=timedelta(hours=24),
    ),
    Queue(
        key="badges",
        act="listings.check",
        singular="Free launch about to miss its week",
        plural="Free launches about to miss their week",
        says="Badge not found yet; their week begins on Monday 00:00 UTC.",
        page="admin:directory_listing_changelist",
        query="status__exact=awaiting_badge&launch_week__lte={next_week}",
        since="launch_week",
        rows=lambda: Listing.objects.filter(
            status=Listing.Status.AWAITING_BADGE, launch_week__lte=weeks.week_of(timezone.now()) + weeks.WEEK
        ),
        late=AT_ONCE,
    ),
    Queue(
        key="mail",
        act="mail.resend",
        singular="Mail that bounced",
        plural="Mails that bounced",
        says="An address refused it. Send it again, or close it.",
        page="admin:core_mail_changelist",
        query=BOUNCED,
        since="settled_at",
        rows=mail.bounced,
        late=timedelta(hours=24),
    ),
    Queue(
        key="jobs",
        act="jobs.see",
        singular="Dead job",
        plural="Dead jobs",
        says="Failed for good. Read why, and run it again.",
        page="admin:core_job_changelist",
        query="state__exact=dead",
        since="finished_at",
        rows=lambda: Job.objects.filter(state=Job.State.DEAD),
        late=AT_ONCE,
    ),
    Queue(
        key="drafts",
        act="drafts.edit",
        singular="Draft that failed",
        plural="Drafts that failed",
        says="Within the last 24 h. Read why, and try again.",
        page="admin:drafts_draft_changelist",
        query="status__exact=failed&created_at__gte={day_ago}",
        since="created_at",
        rows=lambda: Draft.objects.filter(status=Draft.Status.FAILED, created_at__gte=timezone.now() - DAY),
        late=DAY,
    ),
)


@dataclass(frozen=True)
class Waiting:
    """How many wait, bounded, and since when the oldest does."""

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
        except DatabaseError:
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
        rows = queue.rows().order_by(queue.since).values_list(queue.since)[:BOUND]
        statement, params = rows.query.sql_with_params()
        parts.append(f"SELECT %s, count(*), min(since)::timestamptz FROM ({statement}) AS waiting (since)")  # noqa: S608
        values += [queue.key, *params]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), values)
        return {key: Waiting(number, oldest) for key, number, oldest in cursor.fetchall()}
