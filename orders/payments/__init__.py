"""Ways of being paid. Settings say which are on; with none of them test money is, where `TEST_MONEY` allows it."""

from functools import cache

from django.conf import settings

from orders.payments.btcpay import BTCPay
from orders.payments.paypal import PayPal
from orders.payments.port import (
    BadNotificationError,
    Fact,
    Gateway,
    GatewayRefusedError,
    GatewayUnclearError,
    Intent,
    Kind,
    Known,
    Notification,
    Started,
)
from orders.payments.sandbox import Sandbox
from orders.payments.stripe_checkout import Stripe

__all__ = [
    "CLOSED",
    "BadNotificationError",
    "Fact",
    "Gateway",
    "GatewayRefusedError",
    "GatewayUnclearError",
    "Intent",
    "Kind",
    "Known",
    "Notification",
    "Started",
    "gateway",
    "gateways",
    "offered",
]

CLOSED = "Checkout is not open yet."  # nobody is there who could be paid

# What each needs, by setting; the first says that it is wanted.
NEEDED = {
    "stripe": ("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"),
    "paypal": ("PAYPAL_CLIENT_ID", "PAYPAL_CLIENT_SECRET", "PAYPAL_WEBHOOK_ID"),
    "btcpay": ("BTCPAY_URL", "BTCPAY_API_KEY", "BTCPAY_STORE_ID", "BTCPAY_WEBHOOK_SECRET"),
}


def gateways() -> dict[str, Gateway]:
    """Those that are on, by code, in the order in which they are offered."""
    found: dict[str, Gateway] = {}
    values = {code: tuple(str(getattr(settings, name)) for name in names) for code, names in NEEDED.items()}
    if values["stripe"][0]:
        has_paypal = settings.STRIPE_PAYPAL and not values["paypal"][0]
        methods = ("card", "paypal") if has_paypal else ("card",)
        found["stripe"] = _stripe(*values["stripe"], settings.STRIPE_API_BASE, methods)
    if values["paypal"][0]:
        found["paypal"] = _paypal(*values["paypal"], settings.PAYPAL_API_BASE)
    if values["btcpay"][0]:
        found["btcpay"] = _btcpay(*values["btcpay"])
    return found or ({"sandbox": _sandbox()} if settings.TEST_MONEY else {})


def gateway(code: str) -> Gateway | None:
    """One that is on, or None."""
    return gateways().get(code)


def offered() -> dict[str, Gateway]:
    """The methods that a person may choose from, each with who does it."""
    return {method: one for one in gateways().values() for method in one.methods}


def lacking() -> list[str]:
    """Settings that are empty although another one says that they are needed."""
    return [
        name
        for names in NEEDED.values()
        if any(getattr(settings, name) for name in names)
        for name in names
        if not getattr(settings, name)
    ]


# One object for the same settings: PayPal's remembers its access token, Stripe's its connections.
@cache
def _stripe(secret_key: str, webhook_secret: str, api_base: str, methods: tuple[str, ...]) -> Stripe:
    return Stripe(secret_key=secret_key, webhook_secret=webhook_secret, api_base=api_base, methods=methods)


@cache
def _paypal(client_id: str, client_secret: str, webhook_id: str, api_base: str) -> PayPal:
    return PayPal(client_id=client_id, client_secret=client_secret, webhook_id=webhook_id, api_base=api_base)


@cache
def _btcpay(url: str, api_key: str, store_id: str, webhook_secret: str) -> BTCPay:
    return BTCPay(url=url, api_key=api_key, store_id=store_id, webhook_secret=webhook_secret)


@cache
def _sandbox() -> Sandbox:
    return Sandbox()
