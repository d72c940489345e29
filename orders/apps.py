from importlib import import_module

from django.apps import AppConfig

from core import event_types


class OrdersConfig(AppConfig):
    name = "orders"

    def ready(self) -> None:
        """Register the checks of its settings, what is sold, who is paid, and what orders tell of."""
        import_module("orders.checks")
        import_module("orders.products").load_products()
        payments = import_module("orders.payments")
        payments.load_providers()
        payments.enabled()  # what cannot work is not started with
        event_types.declare(
            "orders.views.order_item",
            order__paid="An order was paid",
            order__fulfilled="Everything in an order is done",
            order__refunded="Money of an order went back",
            order__disputed="The payment of an order is disputed",
        )
