"""Mail about orders. Each has a key of its own, so that what happens twice is mailed once."""

import zlib
from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.staff import rights
from core import mail
from core.api.links import absolute
from orders import evidence, links
from orders.models import Invoice, Order, OrderLine, Refund, StaffTask
from orders.selectors.orders import describe
from orders.timeline import lines_of
from orders.wording import country_name, price


def send_receipt(*, order: Order, invoice: Invoice | None, again: str = "") -> None:
    """It is paid: to whoever paid, and to the account that made the order if that is somebody else.

    `again` tells one sending from another; without it the mail goes out once.
    """
    lines = [(line.name, describe(line)) for line in lines_of(order)]
    _tell("receipt", order, key=f"order-receipt-{order.pk}", again=again, attached=invoice, lines=lines)


def send_blocked(*, line: OrderLine) -> None:
    """A line could not be done, and its buyer chooses what becomes of it."""
    order = line.order
    to = order.owner.email if order.owner else order.billing_email
    if to:
        key = f"order-blocked-{line.pk}-{line.blocked_reason}-{line.week or ''}"
        _send("blocked", order, to=to, key=key, line=line, detail=describe(line))


def send_refunded(*, refund: Refund) -> None:
    order = refund.payment.order
    note = Invoice.objects.filter(refund=refund).first()
    amount = price(refund.amount_cents, refund.currency)
    key = f"order-refund-{refund.pk}"
    _tell("refunded", order, key=key, attached=note, amount=amount, note=note, refund=refund)


def send_document(*, document: Invoice, again: str = "") -> None:
    """One document by itself; `again` tells one sending from another."""
    order = document.order
    amount = price(document.total_cents, document.currency)
    key = f"order-document-{document.pk}"
    _tell("document", order, key=key, again=again, attached=document, document=document, amount=amount)


def send_where(*, order: Order) -> None:
    """The countries that we know of do not agree: whoever paid is asked where they are."""
    typed, others = country_name(order.place_evidence["typed"]), evidence.others(order)
    _tell("where", order, key=f"order-where-{order.pk}", typed=typed, others=others)


def send_canceled(*, order: Order, reason: str) -> None:
    _tell("canceled", order, key=f"order-canceled-{order.pk}", reason=reason)


def send_worked(*, task: StaffTask) -> None:
    """Staff did, or decided, what a line left to them; the buyer reads what they say of it."""
    line = task.line
    key = f"order-task-{task.pk}-{task.closed_at:%Y%m%d%H%M%S}"
    _tell("worked", line.order, key=key, line=line, result=task.result)


def send_reviewed(*, line: OrderLine, count: int) -> None:
    """The review of a listing is ready, to be read in the account of whoever ordered it."""
    order, name = line.order, line.listing.name if line.listing else ""
    if order.owner:
        url = f"{absolute(f'/account/orders/{order.number}')}#review-{line.pk}"
        key = f"order-review-{line.pk}"
        _send(
            "reviewed", order, to=order.owner.email, key=key, listing_name=name, count=count, review_url=url
        )


def send_review_late(*, line: OrderLine) -> None:
    """The review could not be written: staff have it, and the buyer may have the money back instead."""
    order, name = line.order, line.listing.name if line.listing else ""
    for who, to in _people(order):
        is_owner = order.owner is not None and to == order.owner.email
        page = links.account_url(order) if is_owner else links.checkout_url(order)
        key = f"order-review-late-{line.pk}-{who}"
        _send("review_late", order, to=to, key=key, listing_name=name, refund_url=f"{page}#refund")


def send_refund_request(*, order: Order, cents: int, names: str, at: datetime) -> None:
    amount = price(cents, order.currency)
    _tell(
        "refund_asked",
        order,
        key=f"order-refund-asked-{order.pk}-{at:%Y%m%d%H%M%S}",
        amount=amount,
        names=names,
    )


def send_refund_failed(*, refund: Refund) -> None:
    """Money that went back did not arrive: whoever read that it did reads that it did not."""
    order = refund.payment.order
    note = Invoice.objects.filter(corrects__refund=refund).first()
    amount = price(refund.amount_cents, refund.currency)
    key = f"order-refund-failed-{refund.pk}"
    _tell("refund_failed", order, key=key, attached=note, amount=amount, note=note)


def send_to_staff(*, order: Order, reason: str, about: object) -> None:
    """Somebody has to look at it: those of staff who decide orders, or all where nobody does.

    The same reason is mailed once for what it is `about`.
    """
    url = absolute(f"/admin/orders/order/{order.pk}/change/")
    thing = zlib.crc32(f"{reason}{about}".encode())
    staff = list(User.objects.filter(is_staff=True, is_active=True).prefetch_related("groups").order_by("pk"))
    for person in [person for person in staff if rights.may(person, "orders.decide")] or staff:
        key = f"order-staff-{order.pk}-{thing}-{person.pk}"
        _send("staff", order, to=person.email, key=key, person_id=person.pk, reason=reason, url=url)


def _people(order: Order) -> list[tuple[str, str]]:
    """Whoever pays, and the owner of the order unless that is the same address."""
    payer, owner = order.billing_email, order.owner.email if order.owner else ""
    return [
        (who, to)
        for who, to in (("payer", payer), ("owner", owner))
        if to and (who == "payer" or to.lower() != payer.lower())
    ]


def _tell(template: str, order: Order, *, key: str, again: str = "", **more: Any) -> None:
    for who, to in _people(order):
        _send(template, order, to=to, key=f"{key}-{who}{again}", **more)


def _send(
    template: str,
    order: Order,
    *,
    to: str,
    key: str,
    person_id: int | None = None,
    attached: Invoice | None = None,
    **context: Any,
) -> None:
    mail.send(
        template=f"orders/mail/{template}",
        to=to,
        key=key,
        context={
            "order": order,
            "total": price(order.total_cents, order.currency),
            "receipt_url": links.checkout_url(order),
            "account_url": links.account_url(order) if order.owner and to == order.owner.email else "",
            **context,
        },
        envelope=mail.Envelope(
            person_id=person_id or order.owner_id,
            thing=order,
            attachments=(f"orders.document:{attached.pk}",) if attached is not None else (),
        ),
    )
