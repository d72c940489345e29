"""Staff's door to orders."""

from orders.admin import catalogue, orders, payments, promos, weeks

__all__ = ["catalogue", "orders", "payments", "promos", "weeks"]
