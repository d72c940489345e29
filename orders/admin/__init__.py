"""Staff's door to orders."""

from orders.admin import catalogue, documents, orders, payments, promos, weeks

__all__ = ["catalogue", "documents", "orders", "payments", "promos", "weeks"]
