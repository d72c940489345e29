"""What is done for a line once it is paid, and how that is taken back. The line's row is the record of it.

A job does one line: work and record are one transaction, with the order locked, so whoever does it again finds it done.
Of a line that could not be done its buyer takes another week, has it tried again, or asks for the money.
"""

from collections.abc import Collection
from datetime import date, datetime

from django.db import transaction
from django.db.models import Prefetch, prefetch_related_objects

from core import events, jobs
from core.api.errors import ApiError, NotFoundError
from directory.wording import in_a_row
from orders import limits, mails, places
from orders.errors import OrderCannotMoveError, WeekUnavailableError
from orders.models import Order, OrderLine, StaffTask
from orders.products import PRODUCTS
from orders.selectors.catalogue import places_left
from orders.timeline import locked, note

Work = OrderLine.Fulfilment
MAY_WORK = (Order.Status.PAID, Order.Status.PARTIALLY_REFUNDED)


def plan_work(*, order: Order, at: datetime) -> None:
    """A job for each line that waits."""
    for line in order.lines.all():
        if line.fulfilment_status == Work.WAITING:
            jobs.add("orders.fulfil_line", key=f"{line.pk}-{at.isoformat()}", line_id=line.pk)


@transaction.atomic
def fulfil_line(*, line_id: int, at: datetime) -> None:
    """Do what a paid line is for, unless it is done; before it, the launch of its listing that the order waits for."""
    line = locked_line(line_id)
    if line.order.status not in MAY_WORK or line.fulfilment_status != Work.WAITING:
        return
    if not PRODUCTS[line.product].is_first_launch:
        for other in line.order.lines.all():
            is_due = other.listing_id == line.listing_id and other.fulfilment_status == Work.WAITING
            if is_due and PRODUCTS[other.product].is_first_launch:
                _do(other, at=at)
    _do(line, at=at)


def _do(line: OrderLine, *, at: datetime) -> None:
    """Do a waiting line of a locked order. A refusal blocks the line, and its buyer has the choice."""
    if PRODUCTS[line.product].needs_listing and line.listing_id is None:
        block(line=line, reason="listing_gone", detail="The listing is not here any more.", at=at)
        return
    for part in parts_of(line):
        if part in line.parts_done:
            continue
        try:
            with transaction.atomic():
                is_done = PRODUCTS[part].do(line, at)
        except ApiError as refusal:
            block(line=line, reason=refusal.code, detail=refusal.detail, at=at)
            return
        if is_done:
            line.parts_done.append(part)
    _record(line, at=at)


@transaction.atomic
def complete(*, line_id: int, part: str, at: datetime) -> None:
    """Work that went on after the job is finished now; a part that the line does not have changes nothing."""
    line = locked_line(line_id)
    if line.fulfilment_status == Work.IN_PROGRESS and part in set(parts_of(line)) - set(line.parts_done):
        line.parts_done.append(part)
        _record(line, at=at)


def _record(line: OrderLine, *, at: datetime) -> None:
    is_done = set(parts_of(line)) <= set(line.parts_done)
    line.fulfilment_status = Work.DONE if is_done else Work.IN_PROGRESS
    line.fulfilled_at = at if is_done else None
    line.blocked_reason = line.blocked_detail = ""
    _save(line)
    filed = line.effect.get("filed", [])
    text = f"{line.name}: {'done' if is_done else 'under way'}."
    text += f" It is filed under {in_a_row(filed)} now, too." if filed else ""
    note(order=line.order, kind="fulfilled" if is_done else "work_began", text=text, by="system", at=at)
    if all(row.fulfilment_status in (Work.DONE, Work.REVERSED) for row in line.order.lines.all()):
        events.emit("order.fulfilled", user_id=line.order.owner_id, thing=line.order_id)


def block(*, line: OrderLine, reason: str, detail: str, at: datetime) -> None:
    """Stop a line of a locked order: its buyer reads why and chooses."""
    line.fulfilment_status, line.fulfilled_at = Work.BLOCKED, None
    line.blocked_reason, line.blocked_detail = reason[:40], detail[: limits.NOTE]
    _save(line)
    note(order=line.order, kind="blocked", text=f"{line.name}: {detail}"[: limits.NOTE], by="system", at=at)
    mails.send_blocked(line=line)


def reverse(*, line: OrderLine, at: datetime) -> None:
    """Take back what can be taken back of a line of a locked order."""
    _take_back(line, parts=line.parts_done, frozen="", at=at)
    note(order=line.order, kind="reversed", text=f"{line.name}: taken back.", by="system", at=at)
    places.free(line=line)
    line.tasks.filter(closed_at=None).update(closed_at=at, result="Taken back.")


def suspend(*, line: OrderLine, parts: Collection[str], reason: str, at: datetime) -> None:
    """Take these parts of a line of a locked order back until `requeue`; what else a bundle did stays."""
    _take_back(line, parts=parts, frozen=reason, at=at)
    text = f"{line.name}: what the site shows for it is taken off, for now."
    note(order=line.order, kind="reversed", text=text, by="system", at=at)


def _take_back(line: OrderLine, *, parts: Collection[str], frozen: str, at: datetime) -> None:
    for part in parts:
        if line.listing_id is not None:
            PRODUCTS[part].undo(line, at)
    line.parts_done = [part for part in line.parts_done if part not in parts]
    line.fulfilment_status, line.fulfilled_at = Work.IN_PROGRESS if line.parts_done else Work.REVERSED, None
    line.effect = {**line.effect, "turn": line.effect.get("turn", 0) + 1, "frozen": frozen}
    _save(line)


def requeue(*, line: OrderLine) -> None:
    """Put a blocked or frozen line of a locked order back to work; `plan_work` adds its job."""
    line.fulfilment_status, line.blocked_reason, line.blocked_detail = Work.WAITING, "", ""
    line.effect = {**line.effect, "frozen": ""}
    _save(line)


def locked_line(line_id: int) -> OrderLine:
    """A line, its order held first, as everywhere; the order's other lines are held with it."""
    order = locked(OrderLine.objects.filter(pk=line_id).values("order_id")[:1])
    prefetch_related_objects([order], Prefetch("lines", queryset=OrderLine.objects.select_for_update()))
    return next(line for line in order.lines.all() if line.pk == line_id)


def parts_of(line: OrderLine) -> tuple[str, ...]:
    """What a line consists of: a bundle of the parts it was sold with, everything else of itself."""
    parts = line.effect.get("parts") or PRODUCTS[line.product].parts
    return tuple(parts) or (line.product,)


def _save(line: OrderLine) -> None:
    status = ("fulfilment_status", "fulfilled_at", "blocked_reason", "blocked_detail")
    line.save(update_fields=[*status, "parts_done", "effect"])


@transaction.atomic
def close_task(*, task_id: int, result: str, staff_id: int, at: datetime) -> StaffTask:
    """A task is done; its part of the line is fulfilled with it. Closed already is success."""
    locked(StaffTask.objects.filter(pk=task_id).values("line__order")[:1])
    rows = StaffTask.objects.select_for_update(of=("self",)).select_related("line__order__owner")
    task = rows.get(pk=task_id)
    if task.closed_at is None:
        task.closed_at, task.closed_by_id, task.result = at, staff_id, result[: limits.NOTE]
        task.save(update_fields=["closed_at", "closed_by", "result"])
        text, by = f"{task.line.name}: {result}", f"staff:{staff_id}"
        note(order=task.line.order, kind="task_closed", text=text, by=by, at=at)
        mails.send_worked(task=task)
        complete(line_id=task.line_id, part=task.kind, at=at)
    return task


BLOCKED = OrderLine.Fulfilment.BLOCKED


@transaction.atomic
def choose_week(*, line_id: int, owner_id: int, week: date, at: datetime) -> OrderLine:
    """Give a blocked line another week and do its work. Raises WeekUnavailableError for one not on sale, or full."""
    line = _own_blocked(line_id, owner_id=owner_id)
    return _move(line, week=week, text=f"Chose the week of {week:%-d %B %Y}.", by=f"user:{owner_id}", at=at)


@transaction.atomic
def give_week(*, line_id: int, staff_id: int, week: date, at: datetime) -> OrderLine:
    """As `choose_week`, by staff for the buyer."""
    line = _blocked(line_id)
    return _move(line, week=week, text=f"Given the week of {week:%-d %B %Y}.", by=f"staff:{staff_id}", at=at)


@transaction.atomic
def try_again(*, line_id: int, owner_id: int, at: datetime) -> OrderLine:
    """Do a blocked line's work once more, for instance after its listing was completed."""
    line = _own_blocked(line_id, owner_id=owner_id)
    return _try(line, text="Asked to try again.", by=f"user:{owner_id}", at=at)


@transaction.atomic
def ask_refund(*, line_id: int, owner_id: int, at: datetime) -> None:
    """Ask staff for the money of a blocked line; asked twice is asked once."""
    line = _own_blocked(line_id, owner_id=owner_id)
    if not StaffTask.objects.filter(line=line, kind__in=StaffTask.WISHES, closed_at=None).exists():
        StaffTask.objects.update_or_create(
            line=line,
            kind=StaffTask.BLOCKED,
            defaults={"detail": line.blocked_detail, "opened_at": at, "closed_at": None, "result": ""},
        )
        text = f"{line.name} could not be done, and the buyer asks for the money."
        note(order=line.order, kind="refund_asked", text=text, by=f"user:{owner_id}", at=at)
        mails.send_to_staff(order=line.order, reason=text, about=at)


@transaction.atomic
def work_again(*, line_id: int, staff_id: int, at: datetime) -> OrderLine:
    """Do a line's work anew that was taken back, while its money is here; one for a week waits for another week.

    Raises OrderCannotMoveError for a line that was not taken back, or whose money is gone or disputed.
    """
    line = locked_line(line_id)
    is_back = line.fulfilment_status == OrderLine.Fulfilment.REVERSED and not line.effect.get("frozen")
    is_paid = line.order.status in MAY_WORK and line.refunded_cents < line.gross_cents
    if not is_back or not is_paid:
        raise OrderCannotMoveError(
            "Only work that was taken back, and whose money is here, is done again.",
            current=line.fulfilment_status,
        )
    if line.week is not None:
        block(line=line, reason="week_full", detail="Its place was given back: choose another week.", at=at)
        return line
    return _try(line, text=f"{line.name}: its work is done again.", by=f"staff:{staff_id}", at=at)


def _own_blocked(line_id: int, *, owner_id: int) -> OrderLine:
    if not OrderLine.objects.filter(pk=line_id, order__owner=owner_id).exists():
        raise NotFoundError("There is no such line.")
    return _blocked(line_id)


def _blocked(line_id: int) -> OrderLine:
    line = locked_line(line_id)
    if line.fulfilment_status != BLOCKED:
        raise OrderCannotMoveError("This line is not blocked.", current=line.fulfilment_status)
    return line


def _move(line: OrderLine, *, week: date, text: str, by: str, at: datetime) -> OrderLine:
    if line.week is None or line.listing is None:
        raise OrderCannotMoveError("This line is not for a week.", current=line.fulfilment_status)
    if week not in places_left(site_id=line.listing.site_id, at=at):
        raise WeekUnavailableError(f"The week of {week:%-d %B %Y} isn’t on sale. Choose another one.")
    places.move_to_week(line=line, week=week, at=at)
    return _try(line, text=text, by=by, at=at)


def _try(line: OrderLine, *, text: str, by: str, at: datetime) -> OrderLine:
    requeue(line=line)
    wishes = line.tasks.filter(kind__in=StaffTask.WISHES, closed_at=None)
    wishes.update(closed_at=at, result="Another way was chosen.")
    note(order=line.order, kind="tried_again", text=text, by=by, at=at)
    plan_work(order=line.order, at=at)
    return line
