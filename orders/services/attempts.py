"""What every service about payments has to know of the attempts to pay an order."""

from core import jobs
from orders.models import Order, Payment
from orders.payments import PaymentRef

Status = Payment.Status
OPEN = (Status.STARTED, Status.PROCESSING)
HAS_MONEY = (Status.PAID, Status.FLAGGED, Status.DISPUTED)


def ref_of(payment: Payment) -> PaymentRef:
    """What a payment is called at its provider."""
    return PaymentRef(
        ref=str(payment.pk),
        provider_ref=payment.provider_reference or "",
        charge_ref=payment.charge_reference,
        amount_cents=payment.amount_cents,
        currency=payment.currency,
    )


def end_payments(*, order: Order, keeping: Payment | None = None) -> None:
    """Attempts that nobody waits for any more; a job tells their providers, and money that comes still counts."""
    for payment in order.payments.filter(status=Status.STARTED):
        if payment == keeping:
            continue
        payment.status, payment.next_check_at = Status.CANCELED, None
        payment.save(update_fields=["status", "next_check_at"])
        jobs.add("orders.cancel_payment", key=str(payment.pk), payment_id=str(payment.pk))
