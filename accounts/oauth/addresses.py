"""Redirect addresses: which may be registered, and which registered one a request means."""

import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, unquote, urlencode

from accounts import limits
from core.fetch import split_url

LOOPBACK = re.compile(
    r"http://(?P<host>127\.0\.0\.1|\[::1\]|localhost)(?::(?P<port>\d{1,5}))?(?P<rest>[/?].*)?\Z"
)
WRITTEN = re.compile(r"[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+\Z")
HOST = re.compile(r"(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?\Z")
# Apps that take their answer at an address of their own scheme, each as it registers it. Any app on the computer could
# take such an address for itself; PKCE keeps the code useless to it.
APPS = {"cursor://anysphere.cursor-mcp/oauth/callback": "Cursor"}
SCHEMES = ["http", "https", *(uri.partition(":")[0] for uri in APPS)]
OURS = {"code", "state", "iss", "error", "error_description", "error_uri"}


class RedirectRefusedError(Exception):
    """An address that may not be registered; the message says why."""


def check(uri: str) -> str:
    """The address, if it may be registered: https, http on the caller's own machine (RFC 8252), or a known app's."""
    if uri in APPS:
        return uri
    if len(uri) > limits.REDIRECT_URI:
        raise RedirectRefusedError(f"A redirect_uri has at most {limits.REDIRECT_URI} characters.")
    if not WRITTEN.match(uri):
        raise RedirectRefusedError("A redirect_uri holds a character that no address has, or a fragment.")
    if not LOOPBACK.match(uri):
        if not uri.startswith("https://"):
            raise RedirectRefusedError(
                "A redirect_uri must be https, http on 127.0.0.1, [::1] or localhost, or that of a known app."
            )
        if not HOST.match(uri.removeprefix("https://").partition("/")[0].partition("?")[0]):
            raise RedirectRefusedError(
                "A redirect_uri needs a plain host name in lower case, without user name."
            )
    _check_port_path_and_query(uri)
    return uri


def _check_port_path_and_query(uri: str) -> None:
    parts = split_url(uri)
    if not parts.hostname:
        raise RedirectRefusedError("A redirect_uri has a host or port that cannot be.")
    if any(step in {".", ".."} for step in unquote(parts.path).split("/")):
        raise RedirectRefusedError("A redirect_uri must not hold . or .. as a part of its path.")
    if OURS & {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}:
        raise RedirectRefusedError("A redirect_uri must not hold parameters that our answer uses.")


def is_registered(uri: str, registered: Sequence[str]) -> bool:
    """Whether the address is one of those, letter by letter; on loopback with any port (RFC 8252 7.3)."""
    if uri in registered:
        return True
    here = LOOPBACK.match(uri)
    if here is None or int(here["port"] or 80) > 65535:
        return False
    there = [result for result in map(LOOPBACK.match, registered) if result]
    return any((result["host"], result["rest"]) == (here["host"], here["rest"]) for result in there)


def is_local(uri: str) -> bool:
    return uri in APPS or bool(LOOPBACK.match(uri))


def host(uri: str) -> str:
    """Whom the address belongs to: its host, or the app that has it."""
    return APPS.get(uri) or split_url(uri).hostname or ""


def origin(uri: str) -> str:
    """Scheme and authority, as a content security policy names them; it cannot name an IPv6 address or an app."""
    parts = split_url(uri)
    if uri in APPS:
        return f"{parts.scheme}:"
    return "http:" if parts.netloc.startswith("[") else f"{parts.scheme}://{parts.netloc}"


def with_parameters(uri: str, parameters: dict[str, str]) -> str:
    """The address with these query parameters instead of any it has of the same name."""
    parts = split_url(uri)
    remaining = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in parameters]
    return parts._replace(query=urlencode([*remaining, *parameters.items()])).geturl()
