"""Facts and constraints of orders."""

from orders.models.catalogue import ProductPrice, PromoCode, PromoUse, VatArea, VatRate, VatRegistration
from orders.models.documents import DocumentFile, Invoice, InvoiceCounter
from orders.models.order import Order, OrderEvent, OrderInReview, OrderLine, OrderQuerySet
from orders.models.payment import Dispute, Payment, ProviderEvent, Refund
from orders.models.slots import LaunchWeek, SlotHold
from orders.models.work import AiReview, StaffTask
