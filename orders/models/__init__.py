from orders.models.catalogue import (
    LaunchWeek,
    ProductPrice,
    PromoCode,
    PromoUse,
    SlotHold,
    VatArea,
    VatRate,
    VatRegistration,
)
from orders.models.documents import DocumentFile, Invoice, InvoiceCounter
from orders.models.order import (
    AiReview,
    Order,
    OrderEvent,
    OrderInReview,
    OrderLine,
    OrderQuerySet,
    StaffTask,
)
from orders.models.payment import Dispute, Payment, ProviderEvent, Refund
