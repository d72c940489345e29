"""Absolute addresses of this service, made from settings and never from the request's Host header."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.conf import settings

_origin: ContextVar[Callable[[], str] | str | None] = ContextVar("origin", default=None)


def absolute(path: str) -> str:
    """The public address of a path of this service, whatever site is asked: what settings say."""
    return f"{settings.SITE_URL}{path}"


@contextmanager
def addresses_of(origin: Callable[[], str]) -> Iterator[None]:
    """Within it, `on_site` gives addresses of the site at this origin, such as https://eu.launch.example.

    The origin is asked for once, when the first address is: a list's answer holds dozens.
    """
    token = _origin.set(origin)
    try:
        yield
    finally:
        _origin.reset(token)


def on_site(path: str) -> str:
    """The public address of a path of the site that is asked, or that a listing is on."""
    origin = _origin.get()
    if callable(origin):
        origin = origin()
        _origin.set(origin)
    return f"{settings.SITE_URL if origin is None else origin}{path}"


def challenge(*, resource: str = "api/v1", **parameters: str) -> str:
    """A `WWW-Authenticate` value (RFC 6750, RFC 9728) that points to the protected-resource metadata."""
    parameters = {
        "resource_metadata": absolute(f"/.well-known/oauth-protected-resource/{resource}"),
        **parameters,
    }
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in parameters.items())
