"""Staff's door to orders."""

from orders.admin import areas, catalogue, documents, orders, payments, promos, registrations, weeks

__all__ = ["areas", "catalogue", "documents", "orders", "payments", "promos", "registrations", "weeks"]
