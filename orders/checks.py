"""What the operator has to be told before the service starts."""

from typing import Any

from django.core import checks

from orders.payments import lacking


@checks.register()
def payment_settings(**_: Any) -> list[checks.CheckMessage]:
    """A provider that is half configured; without its webhooks it still works, by asking it every ten minutes."""
    return [
        (checks.Warning if "WEBHOOK" in name else checks.Error)(
            f"{name} is needed beside the provider's other settings.", id="orders.E001"
        )
        for name in lacking()
    ]
