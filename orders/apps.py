"""Django app of the orders area."""

from importlib import import_module

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    """The orders area."""

    name = "orders"

    def ready(self) -> None:
        """Register the checks of its settings, what is sold, and who is paid."""
        import_module("orders.checks")
        import_module("orders.products").load_products()
        payments = import_module("orders.payments")
        payments.load_providers()
        payments.enabled()  # what cannot work is not started with
