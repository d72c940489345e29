"""A line that could not be done: its buyer takes another week, has it tried again, or asks for the money."""

from datetime import date, datetime

from django.db import transaction

from orders.errors import OrderCannotMoveError, OrderNotFoundError, WeekUnavailableError
from orders.models import OrderLine, StaffTask
from orders.selectors.catalogue import places_left
from orders.services import mails, slots
from orders.services.fulfilment import MAY_WORK, block, locked_line, plan_work, wait_again
from orders.services.timeline import note

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
    wishes = StaffTask.objects.filter(line=line, kind__in=StaffTask.WISHES)
    if not wishes.filter(closed_at=None).exists():
        StaffTask.objects.update_or_create(
            line=line,
            kind=StaffTask.BLOCKED,
            defaults={"detail": line.blocked_detail, "opened_at": at, "closed_at": None, "result": ""},
        )
        text = f"{line.name} could not be done, and the buyer asks for the money."
        note(order=line.order, kind="refund_asked", text=text, by=f"user:{owner_id}", at=at)
        mails.send_to_staff(order=line.order, reason=text)


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
        raise OrderNotFoundError("There is no such line.")
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
    slots.move_to_week(line=line, week=week, at=at)
    return _try(line, text=text, by=by, at=at)


def _try(line: OrderLine, *, text: str, by: str, at: datetime) -> OrderLine:
    wait_again(line=line)
    wishes = line.tasks.filter(kind__in=StaffTask.WISHES, closed_at=None)
    wishes.update(closed_at=at, result="Another way was chosen.")
    note(order=line.order, kind="tried_again", text=text, by=by, at=at)
    plan_work(order=line.order, at=at)
    return line
