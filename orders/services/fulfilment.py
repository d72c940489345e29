"""What is done for each product once it is paid, and how that is taken back. The line's row is the record of it.

A job does one line: work and record are one transaction, with the order held, so whoever does it again finds it done.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Sum

from core import jobs
from core.errors import ApiError
from directory.models import Listing
from directory.services import filing, paid
from directory.wording import in_a_row
from leaderboards.models import Contribution
from leaderboards.services import rank_contributions, record_contribution
from orders import limits
from orders.catalogue import PRODUCTS
from orders.models import AiReview, Order, OrderLine, Product, StaffTask
from orders.services import books, mails, slots
from orders.services.featured_dates import LENGTH, chosen_start
from orders.services.timeline import locked, note

Work = OrderLine.Fulfilment
MAY_WORK = (Order.Status.PAID, Order.Status.PARTIALLY_REFUNDED)


def plan_work(*, order: Order, at: datetime) -> None:
    """A job for each line that waits."""
    for line_id in order.lines.filter(fulfilment_status=Work.WAITING).values_list("pk", flat=True):
        jobs.add("orders.fulfil_line", key=f"{line_id}-{at.isoformat()}", line_id=line_id)


@transaction.atomic
def fulfil_line(*, line_id: int, at: datetime) -> None:
    """Do what a paid line is for, unless it is done. A refusal blocks the line, and its buyer has the choice."""
    line = locked_line(line_id)
    if line.order.status not in MAY_WORK or line.fulfilment_status != Work.WAITING:
        return
    if PRODUCTS[line.product].needs_listing and line.listing_id is None:
        block(line=line, reason="listing_gone", detail="The listing is not here any more.", at=at)
        return
    for product in products_of(line):
        if product in line.parts_done:
            continue
        try:
            with transaction.atomic():
                is_done = EFFECTS[product].do(line, at)
        except ApiError as refusal:
            block(line=line, reason=refusal.code, detail=refusal.detail, at=at)
            return
        if is_done:
            line.parts_done.append(product)
    _record(line, at=at)


@transaction.atomic
def complete_part(*, line_id: int, product: str, at: datetime) -> None:
    """Work that went on after the job is finished now: by staff, or by the writer of reviews."""
    line = locked_line(line_id)
    if line.fulfilment_status == Work.IN_PROGRESS and product not in line.parts_done:
        line.parts_done.append(product)
        _record(line, at=at)


def _record(line: OrderLine, *, at: datetime) -> None:
    is_done = set(products_of(line)) <= set(line.parts_done)
    line.fulfilment_status = Work.DONE if is_done else Work.IN_PROGRESS
    line.fulfilled_at = at if is_done else None
    line.blocked_reason = line.blocked_detail = ""
    _save(line)
    filed = line.effect.get("filed", [])
    text = f"{line.name}: {'done' if is_done else 'under way'}."
    text += f" It is filed under {in_a_row(filed)} now, too." if filed else ""
    note(order=line.order, kind="fulfilled" if is_done else "work_began", text=text, by="system", at=at)


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
    slots.free(line=line)
    line.tasks.filter(closed_at=None).update(closed_at=at, result="Taken back.")


def freeze(*, line: OrderLine, parts: Collection[str], why: str, at: datetime) -> None:
    """Take these parts of a line of a locked order back until `wait_again`; what else a bundle did stays."""
    _take_back(line, parts=parts, frozen=why, at=at)
    text = f"{line.name}: what the site shows for it is taken off, for now."
    note(order=line.order, kind="reversed", text=text, by="system", at=at)


def _take_back(line: OrderLine, *, parts: Collection[str], frozen: str, at: datetime) -> None:
    for product in parts:
        undo = EFFECTS[product].undo
        if undo is not None and line.listing_id is not None:
            undo(line, at)
    line.parts_done = [product for product in line.parts_done if product not in parts]
    line.fulfilment_status, line.fulfilled_at = Work.IN_PROGRESS if line.parts_done else Work.REVERSED, None
    line.effect = {**line.effect, "turn": line.effect.get("turn", 0) + 1, "frozen": frozen}
    _save(line)


def wait_again(*, line: OrderLine) -> None:
    """Put a blocked or frozen line of a locked order back to work; `plan_work` adds its job."""
    line.fulfilment_status, line.blocked_reason, line.blocked_detail = Work.WAITING, "", ""
    line.effect = {**line.effect, "frozen": ""}
    _save(line)


def locked_line(line_id: int) -> OrderLine:
    """A line, its order held first, as everywhere."""
    order = locked(OrderLine.objects.values_list("order_id", flat=True).get(pk=line_id))
    line = OrderLine.objects.select_for_update().get(pk=line_id)
    line.order = order
    return line


def products_of(line: OrderLine) -> tuple[str, ...]:
    """What a line consists of: a bundle of the parts it was sold with, everything else of itself."""
    parts = line.effect.get("parts") or PRODUCTS[line.product].parts
    return tuple(parts) or (line.product,)


def _save(line: OrderLine) -> None:
    line.save(
        update_fields=[
            "fulfilment_status",
            "fulfilled_at",
            "blocked_reason",
            "blocked_detail",
            "parts_done",
            "effect",
        ]
    )


# -- one function a product -------------------------------------------------------------------------------


def _listing(line: OrderLine) -> int:
    if line.listing_id is None:
        raise ValueError(f"line {line.pk} has no listing")
    return line.listing_id


def _by(line: OrderLine) -> str:
    return f"order:{line.order.number}"


def _launch(line: OrderLine, at: datetime) -> bool:
    waited = filing.waiting(Listing.objects.get(pk=_listing(line)))
    listing = paid.launch_paid(listing_id=_listing(line), week=line.week, by=_by(line), at=at)
    still = filing.waiting(listing)
    line.effect["filed"] = [category.name for category in waited if category not in still]
    rank_contributions(listing_id=_listing(line), at=at)
    slots.place(line=line)
    return True


def _unlaunch(line: OrderLine, at: datetime) -> None:
    paid.take_launch_back(listing_id=_listing(line), at=at)


def _skip_queue(line: OrderLine, at: datetime) -> bool:
    if line.week is not None:
        paid.skip_queue(listing_id=_listing(line), week=line.week, by=_by(line), at=at)
    slots.place(line=line)
    return True


def _relaunch(line: OrderLine, at: datetime) -> bool:
    if line.week is not None:
        paid.relaunch(listing_id=_listing(line), week=line.week, at=at)
    slots.place(line=line)
    return True


def _give_week_back(line: OrderLine, at: datetime) -> None:
    if line.week is not None:
        paid.take_place_back(listing_id=_listing(line), week=line.week, at=at)


def _feature(line: OrderLine, at: datetime) -> bool:
    start, length = chosen_start(line.options), LENGTH * line.quantity
    paid.feature(listing_id=_listing(line), line_id=line.pk, start=start, length=length, at=at)
    return True


def _unfeature(line: OrderLine, at: datetime) -> None:
    paid.feature_no_longer(listing_id=_listing(line), line_id=line.pk, at=at)


def _add_categories(line: OrderLine, _at: datetime) -> bool:
    slugs = line.options.get("categories", [])
    line.effect["categories"] = paid.add_extra_categories(listing_id=_listing(line), slugs=slugs)
    return True


def _remove_categories(line: OrderLine, _at: datetime) -> None:
    paid.remove_extra_categories(listing_id=_listing(line), slugs=line.effect.get("categories", []))


def _contribute(line: OrderLine, at: datetime) -> bool:
    cents = books.left_of_line(line).net_cents - _ranked(line)
    _move_money(line, cents=cents, about=f"turn-{line.effect.get('turn', 0)}", at=at)
    return True


def _uncontribute(line: OrderLine, at: datetime) -> None:
    _move_money(line, cents=-_ranked(line), about=f"back-{line.effect.get('turn', 0)}", at=at)


def _ranked(line: OrderLine) -> int:
    """What of a line counts on the billboard now."""
    there = Contribution.objects.filter(reference__startswith=f"line-{line.pk}-")
    return there.aggregate(sum=Sum("amount_cents"))["sum"] or 0


def contribute_less(*, line: OrderLine, refund_id: str, at: datetime) -> None:
    """Part of a billboard line was refunded: what its documents leave of it, before VAT, is what ranks."""
    if line.product == Product.BILLBOARD_MIN and line.fulfilment_status == Work.DONE:
        too_much = _ranked(line) - books.left_of_line(line).net_cents
        _move_money(line, cents=-max(0, too_much), about=f"refund-{refund_id}", at=at)


def _move_money(line: OrderLine, *, cents: int, about: str, at: datetime) -> None:
    if cents:
        record_contribution(
            listing_id=_listing(line),
            reference=f"line-{line.pk}-{about}",
            amount_cents=cents,
            currency=line.order.currency,
            is_test=bool(line.order.test_money),
            at=at,
        )


def _done_for_you(line: OrderLine, at: datetime) -> bool:
    """What staff did once stays done; a task that a refund closed is open again."""
    task, is_new = StaffTask.objects.get_or_create(
        line=line,
        kind=StaffTask.Kind.DONE_FOR_YOU,
        defaults={
            "detail": "\n".join(f"{name}: {value}" for name, value in line.options.items()),
            "opened_at": at,
        },
    )
    if task.closed_by_id is not None:
        return True
    if not is_new and task.closed_at is not None:
        task.opened_at, task.closed_at, task.result = at, None, ""
        task.save(update_fields=["opened_at", "closed_at", "result"])
    mails.send_to_staff(order=line.order, reason=f"{line.name}: somebody waits for you.", about=str(at))
    return False


def _review(line: OrderLine, _at: datetime) -> bool:
    if AiReview.objects.filter(line=line).exists():
        return True
    jobs.add("orders.write_review", key=str(line.pk), line_id=line.pk)
    return False


@dataclass(frozen=True, kw_only=True)
class Effect:
    """What a product does: True when that is all, False when somebody finishes it later."""

    do: Callable[[OrderLine, datetime], bool]
    undo: Callable[[OrderLine, datetime], None] | None = None


EFFECTS: dict[str, Effect] = {
    Product.LAUNCH: Effect(do=_launch, undo=_unlaunch),
    Product.SKIP_QUEUE: Effect(do=_skip_queue, undo=_give_week_back),
    Product.FEATURED: Effect(do=_feature, undo=_unfeature),
    Product.DONE_FOR_YOU: Effect(do=_done_for_you),
    Product.EXTRA_CATEGORIES: Effect(do=_add_categories, undo=_remove_categories),
    Product.RELAUNCH: Effect(do=_relaunch, undo=_give_week_back),
    Product.AI_REVIEW: Effect(do=_review),
    Product.BILLBOARD_MIN: Effect(do=_contribute, undo=_uncontribute),
}
"""A bundle consists of others of these."""
