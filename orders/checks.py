"""What the operator has to be told before the service starts."""

from typing import Any

from django.core.checks import Error, register

from orders.payments import lacking


@register()
def payment_settings(**_: Any) -> list[Error]:
    """A provider that is half configured would take money and never tell us."""
    return [
        Error(f"{name} is needed beside the provider's other settings.", id="orders.E001")
        for name in lacking()
    ]
