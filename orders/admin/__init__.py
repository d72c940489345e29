"""Staff's door to orders."""

from orders.admin import catalogue, orders, promos, weeks

__all__ = ["catalogue", "orders", "promos", "weeks"]
