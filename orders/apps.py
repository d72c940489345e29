"""Django app of the orders area."""

from importlib import import_module

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    """The orders area."""

    name = "orders"

    def ready(self) -> None:
        """Register the checks of its settings, and what is sold."""
        import_module("orders.checks")
        import_module("orders.products").load_products()
