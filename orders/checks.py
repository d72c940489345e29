"""What the operator has to know of money: `manage.py check`, `manage.py doctor` and staff's start page read it.

What nothing may start with is refused by the settings themselves (config/refusals.py).
"""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core import checks

from orders import evidence
from orders.payments import CLOSED, enabled, lacking, takes_real_money

TAG = "installation"


@checks.register(TAG)
def payment_settings(**_: Any) -> list[checks.CheckMessage]:
    return [
        (checks.Warning if name in provider.works_without else checks.Error)(
            f"{name} is needed beside the provider's other settings.", id="orders.E001"
        )
        for provider, name in lacking()
    ]


@checks.register(TAG)
def who_sells(**_: Any) -> list[checks.CheckMessage]:
    """Real money without what an invoice has to say of its seller."""
    missing = [
        name for name in ("SELLER_VAT_NUMBER", "SELLER_ADDRESS") if not getattr(settings, name).strip()
    ]
    if not takes_real_money() or not missing:
        return []
    words = (
        f"Real money is taken, and {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not set."
    )
    return [
        checks.Warning(
            f"{words} Invoices have to say who sells, where, and under which VAT number.", id="orders.W002"
        )
    ]


@checks.register(TAG)
def table_of_networks(**_: Any) -> list[checks.CheckMessage]:
    """A table of networks that says nothing."""
    problem = evidence.problem()
    return [checks.Error(f"NETWORK_COUNTRIES: {problem}.", id="orders.E005")] if problem else []


@checks.register(TAG)
def money_of_a_public_site(**_: Any) -> list[checks.CheckMessage]:
    """A site that others reach, where nothing real can be paid."""
    return list(_of_a_public_site()) if not settings.ON_LOOPBACK else []


def _of_a_public_site() -> Iterator[checks.CheckMessage]:
    providers = enabled().values()
    if any(not provider.is_live for provider in providers):
        yield checks.Warning(
            "This site is public and takes test money: whoever likes buys for nothing."
            " Set a payment provider's live keys, and TEST_MONEY=off.",
            id="orders.W003",
        )
    if not providers:
        yield checks.Info(
            f"{CLOSED} Nothing can be bought before a payment provider is set up"
            " (STRIPE_…, PAYPAL_… or BTCPAY_…); TEST_MONEY=on lets people try it.",
            id="orders.I004",
        )
