"""Ways of being paid, one file a provider. Settings say which are on; with none of them `TEST_MONEY` may be."""

import logging
from functools import cache
from inspect import isabstract
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from core.parts import load
from orders.payments.base import (
    BadNotificationError,
    GatewayRefusedError,
    GatewayUnclearError,
    Intent,
    KeyRefusedError,
    Kind,
    Method,
    Notification,
    PaymentEvent,
    PaymentRef,
    Provider,
    Redirect,
    RightMissingError,
)

CLOSED = "Checkout is not open yet."  # nobody is there who could be paid
PROVIDERS: dict[
    str, type[Provider]
] = {}  # by code, in the order in which they are offered; filled when the app is ready


def load_providers() -> None:
    """Fill `PROVIDERS` from the files of this folder. Raises ImproperlyConfigured for one that cannot work."""
    for code, provider in load(__name__, Provider).items():  # type: ignore[type-abstract]
        add_provider(code, provider)


def add_provider(code: str, provider: type[Provider]) -> None:
    """Take one in. Raises ImproperlyConfigured for one that leaves out what it has to say or do."""
    if isabstract(provider):
        names = ", ".join(sorted(provider.__abstractmethods__))
        raise ImproperlyConfigured(f"The payment provider {code} lacks: {names}.")
    PROVIDERS[code] = provider
    for name in provider.loggers:
        logging.getLogger(name).setLevel(logging.WARNING)


def enabled() -> dict[str, Provider]:
    chosen = {code: each for code, each in PROVIDERS.items() if getattr(settings, each.needs[0])}
    real = {code: each for code, each in chosen.items() if not each.is_stand_in}
    return {code: _made(each, _config(each)) for code, each in (real or chosen).items()}


def enabled_provider(code: str) -> Provider | None:
    return enabled().get(code)


def offered() -> dict[str, Provider]:
    """The methods that a person may choose from, each with who does it: of two the later provider.

    Beside real money there is no test money: the page would say that nothing is charged.
    """
    live = [each for each in enabled().values() if each.is_live]
    return {method: each for each in live or enabled().values() for method in each.methods}


def page_origins() -> tuple[str, ...]:
    return tuple(dict.fromkeys(origin for each in offered().values() for origin in each.page_origins))


def takes_real_money() -> bool:
    """Whether anybody can pay with more than test money."""
    return any(each.is_live for each in enabled().values())


def lacking() -> list[tuple[type[Provider], str]]:
    """Settings that are empty although another one of their provider is not."""
    return [
        (each, name)
        for each in PROVIDERS.values()
        if any(getattr(settings, name) for name in each.needs)
        for name in each.needs
        if not getattr(settings, name)
    ]


def _config(provider: type[Provider]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, getattr(settings, name)) for name in (*provider.needs, *provider.reads))


@cache
def _made(provider: type[Provider], config: tuple[tuple[str, Any], ...]) -> Provider:
    """One object for the same settings: PayPal's remembers its access token, Stripe's its connections.

    Raises ImproperlyConfigured for one that does not name its pages.
    """
    made = provider(dict(config))
    if not getattr(made, "page_origins", ()):
        raise ImproperlyConfigured(f"The payment provider {provider.code} does not name its page_origins.")
    return made
