"""Django app of the orders area."""

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    """The orders area."""

    name = "orders"
