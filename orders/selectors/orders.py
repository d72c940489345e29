"""Looking at orders, with everything that their answers say of them, and dates of bought featured places."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from django.db.models import Exists, F, Max, Min, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Now

from accounts.selectors import LISTED_OF_EACH, Waiting, count_for_account, tells_what_waits
from directory.launches.featuring import WAITING, Stay, stays
from directory.listings.back_office import tells_staff
from directory.listings.own import tells_owners
from directory.listings.timeline import Event, newest, tells_timeline
from directory.models import Category, FeaturedPlace, Listing
from directory.moderation.edits import tells_of_people
from directory.wording import who
from orders import limits
from orders.models import Invoice, Order, OrderEvent, OrderLine, Payment, Refund, StaffTask
from orders.products import NOW, PRODUCTS, PUBLIC, Effect
from orders.wording import price

Work = OrderLine.Fulfilment
DATES = ("from", "until")
NUMBER = re.compile(limits.NUMBER, re.ASCII)


def with_dates(lines: QuerySet[OrderLine]) -> QuerySet[OrderLine]:
    """Lines with `begins_at` and `ends_at` of what they bought, in the same statement; none of what waits."""
    places = FeaturedPlace.objects.filter(order_line=OuterRef("pk")).order_by().values("order_line")
    dated = places.exclude(WAITING)
    return lines.annotate(
        begins_at=Subquery(dated.annotate(moment=Min("begins_at")).values("moment")),
        ends_at=Subquery(dated.annotate(moment=Max("ends_at")).values("moment")),
        is_waiting=Exists(places.filter(WAITING)),
        is_with_launch=Subquery(
            places.filter(with_launch=True).annotate(row=F("with_launch")).values("row")[:1]
        ),
    )


def dated_options(line: OrderLine) -> Mapping[str, Any]:
    """The options of a line with its dates: those of its place once there is one, none when it never began."""
    begins, ends = getattr(line, "begins_at", None), getattr(line, "ends_at", None)
    if begins and ends:
        stated = {"from": f"{begins:%Y-%m-%dT%H:%M:%SZ}", "until": f"{ends:%Y-%m-%dT%H:%M:%SZ}"}
        return {**line.options, **stated}
    if line.fulfilment_status in (Work.REVERSED, Work.DONE):
        return {name: value for name, value in line.options.items() if name not in DATES}
    return line.options


def span_of(line: OrderLine) -> tuple[datetime, datetime] | None:
    """From and until when its place is, or would be if it were paid now; nothing for a line without one."""
    options = dated_options(line)
    if not options.get("from") or not options.get("until"):
        return None
    begins, ends = (datetime.fromisoformat(options[name]).astimezone(UTC) for name in DATES)
    return begins, ends


def begins_when_paid(line: OrderLine, *, begins: datetime) -> bool:
    """Whether its dates move until somebody pays."""
    is_open = line.fulfilment_status == Work.WAITING and getattr(line, "begins_at", None) is None
    return is_open and line.options.get("start", NOW) == NOW and begins <= line.order.created_at


def dates_in_words(line: OrderLine) -> str:
    """From and until when, for a person; nothing for a line without a place."""
    span = span_of(line)
    if span is None:
        return "featured from its launch on" if getattr(line, "is_waiting", False) else ""
    begins, ends = span
    if begins_when_paid(line, begins=begins):
        return f"featured as soon as it is paid, for {(ends - begins).days} days"
    words = f"featured from {_moment(begins)} to {_moment(ends)} UTC"
    return f"{words}, beginning with its launch" if getattr(line, "is_with_launch", None) else words


def _moment(at: datetime) -> str:
    return f"{at:%-d %B %Y, %H:%M}"


def stays_of(lines: Iterable[OrderLine], *, at: datetime) -> dict[int, list[Stay]]:
    """The places that lines brought, with their figures, by line; where a place has not begun its figures are none."""
    places = FeaturedPlace.objects.filter(order_line__in=[line.pk for line in lines]).select_related(
        "listing"
    )
    by_key: dict[int, list[Stay]] = defaultdict(list)
    for stay in stays(places.order_by("begins_at", "pk"), at=at):
        by_key[stay.place.order_line or 0].append(stay)
    return by_key


def beside(*, listing: Listing, begins: datetime, ends: datetime) -> int:
    """How many other products of the site stand in the marked places within that time."""
    others = FeaturedPlace.objects.filter(
        listing__site=listing.site_id, begins_at__lt=ends, ends_at__gt=begins
    )
    return others.exclude(WAITING).exclude(listing=listing).values("listing").distinct().count()


def orders_with_everything() -> QuerySet[Order]:
    """Orders with lines, payments, refunds and invoices, in a constant number of statements."""
    return Order.objects.select_related("promo").prefetch_related(
        Prefetch("lines", queryset=with_dates(OrderLine.objects.order_by("position"))),
        Prefetch("payments", queryset=Payment.objects.order_by("created_at", "pk")),
        Prefetch("payments__refunds", queryset=Refund.objects.order_by("created_at", "pk")),
        Prefetch("invoices", queryset=Invoice.objects.order_by("issued_at", "pk")),
    )


def my_orders(*, owner_id: int) -> QuerySet[Order]:
    return orders_with_everything().filter(owner_id=owner_id).order_by("-created_at", "-pk")


def my_order(*, owner_id: int, number: str) -> Order | None:
    return my_orders(owner_id=owner_id).filter(number=plain_number(number)).first()


def order_by_number(number: str) -> Order | None:
    """An order, whoever asks: for those who hold its link, and for staff."""
    return orders_with_everything().filter(number=plain_number(number)).first()


def plain_number(number: str) -> str:
    """A number as it is stored; nothing for what cannot be one."""
    return number.upper() if NUMBER.fullmatch(number.upper()) else ""


def what_came(payment: Payment) -> str:
    came = price(payment.paid_cents or 0, payment.paid_currency)
    missing = payment.amount_cents - (payment.paid_cents or 0)
    if missing <= 0 or payment.paid_currency != payment.currency:
        return f"{came} came, after the time to pay was over."
    due = price(payment.amount_cents, payment.currency)
    return f"{came} of {due} came: {price(missing, payment.currency)} is missing."


def what_came_short(order: Order) -> str:
    """The same of an order in review for money that came in part, for whoever pays; nothing of any other."""
    if order.status != Order.Status.REVIEW:
        return ""
    flagged = (row for row in order.payments.all() if row.status == Payment.Status.FLAGGED)
    return next((what_came(row) for row in flagged if 0 < (row.paid_cents or 0) < row.amount_cents), "")


@count_for_account("orders")
def counted_orders(user_id: int) -> list[QuerySet[Order]]:
    return [Order.objects.owned_by(user_id)]


@tells_what_waits
def orders_waiting(user_id: int) -> list[Waiting]:
    unpaid = Q(status=Order.Status.PENDING, expires_at__gt=Now())
    is_blocked = Exists(
        OrderLine.objects.filter(order=OuterRef("pk"), fulfilment_status=OrderLine.Fulfilment.BLOCKED)
    )
    rows = Order.objects.owned_by(user_id).annotate(is_blocked=is_blocked)
    return [
        Waiting(
            title=f"Order {order.number} needs your decision",
            detail="We couldn’t do one part of it. Choose another week, another try or your money back.",
            path=f"/account/orders/{order.number}",
            act="Choose",
        )
        if order.is_blocked
        else Waiting(
            title=f"Order {order.number} isn’t paid yet",
            detail=f"You can pay until {order.expires_at:%-d %B %Y, %H:%M} UTC.",
            path=f"/account/orders/{order.number}",
            act="Look",
        )
        for order in rows.filter(unpaid | Q(is_blocked=True)).order_by("-created_at", "-pk")[:LISTED_OF_EACH]
    ]


@tells_owners("orders")
def numbers_by_listing(listing_ids: Sequence[int]) -> dict[int, list[str]]:
    """The numbers of the orders of listings, newest first, as far as their present owners made them."""
    rows = OrderLine.objects.filter(listing__in=listing_ids, order__owner=F("listing__owner"))
    numbers: dict[int, list[str]] = defaultdict(list)
    for listing_id, number in rows.order_by("-order_id").values_list("listing", "order__number"):
        if number not in numbers[listing_id]:
            numbers[listing_id].append(number)
    return numbers


@dataclass(frozen=True, kw_only=True)
class LineInWords:
    """A line, what it is for, and how far its work is."""

    line: OrderLine
    detail: str
    state: str
    tone: str
    result: str = ""  # what staff say they did

    @property
    def page(self) -> str:
        """Where to see what was bought; nothing while nobody but its owner sees the listing."""
        listing = self.line.listing
        is_public = listing is not None and listing.status in PUBLIC
        return f"/listings/{listing.slug}" if listing is not None and is_public else ""

    @property
    def card(self) -> dict[str, Any] | None:
        """What its logo is drawn from."""
        listing = self.line.listing
        logo = listing.logo.url if listing and listing.logo else ""
        return {"slug": listing.slug, "name": listing.name, "logo_url": logo} if listing else None

    @property
    def span(self) -> tuple[datetime, datetime] | None:
        """The dates of a place that do not move until it is paid."""
        span = span_of(self.line)
        return span if span and not begins_when_paid(self.line, begins=span[0]) else None

    @cached_property
    def effects(self) -> list[Effect]:
        """Where else the parts that are done are seen, each page once."""
        effects = (row for code in self.line.parts_done for row in PRODUCTS[code].effects(self.line))
        return list({row.page: row for row in effects if row.page != self.page}.values())


STATES = {
    OrderLine.Fulfilment.WAITING: ("Not started yet", ""),
    OrderLine.Fulfilment.IN_PROGRESS: ("In progress", "info"),
    OrderLine.Fulfilment.DONE: ("Done", "good"),
    OrderLine.Fulfilment.BLOCKED: ("Waiting for you", "warn"),
    OrderLine.Fulfilment.REVERSED: ("Ended", "bad"),
}


def lines_in_words(order: Order) -> list[LineInWords]:
    closed = StaffTask.objects.filter(line=OuterRef("pk"), closed_at__isnull=False).order_by("-closed_at")
    lines = with_dates(order.lines.select_related("listing", "review", "order").order_by("position"))
    return [
        LineInWords(line=line, detail=describe(line), state=state, tone=style, result=line.result or "")
        for line in lines.annotate(result=Subquery(closed.values("result")[:1]))
        for state, style in [STATES[OrderLine.Fulfilment(line.fulfilment_status)]]
    ]


def describe(line: OrderLine) -> str:
    """What a line is for: the listing, the week, the categories, the dates of a featured place."""
    week = f"week of {line.week:%-d %B %Y}" if line.week else ""
    slugs = line.options.get("categories", ())
    names = dict(Category.objects.filter(slug__in=slugs).values_list("slug", "name")) if slugs else {}
    categories = ", ".join(names.get(slug, slug) for slug in slugs)
    name = line.listing.name if line.listing else ""
    details = [PRODUCTS[part].detail(line) for part in line.parts_done]
    return ", ".join(filter(None, (name, week, categories, dates_in_words(line), *details)))


@tells_timeline("money")
def orders_on_timeline(listing_id: int, before: datetime | None, limit: int) -> list[Event]:
    mine = OrderLine.objects.filter(listing=listing_id).values("order")
    rows = OrderEvent.objects.filter(order__in=mine).select_related("order")
    return [
        Event(
            at=row.at,
            kind="money",
            icon="card",
            says=f"Order {row.order.number}: {row.text}",
            by=who(row.by),
            tone="money",
            page="admin:orders_order_change",
            key=row.order_id,
        )
        for row in newest(rows, before=before, limit=limit)
    ]


@tells_staff("orders")
def last_orders(listing_id: int) -> list[tuple[str, int, str, str]]:
    """The newest orders with lines for a listing: number, key, total, status."""
    mine = OrderLine.objects.filter(listing=listing_id).values("order")
    rows = Order.objects.filter(pk__in=mine).order_by("-created_at", "-pk")[:5]
    return [
        (row.number, row.pk, f"{row.currency} {row.total_cents / 100:,.2f}", row.get_status_display())
        for row in rows
    ]


@tells_of_people("Paid")
def paid_by(user_id: int) -> str:
    """What a person has paid in all, by currency, without test money."""
    mine = Order.objects.filter(owner=user_id, paid_at__isnull=False).exclude(test_money=True)
    sums = mine.order_by("currency").values_list("currency").annotate(Sum("total_cents"))
    return ", ".join(f"{currency} {cents / 100:,.2f}" for currency, cents in sums) or "nothing"
