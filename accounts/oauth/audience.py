"""Resource indicators (RFC 8707): which of our two protected resources a token is for."""

from collections.abc import Iterable

from core.api.links import absolute
from core.fetch import split_url

RESOURCES = ("mcp", "api/v1")


class UnknownResourceError(Exception):
    """A resource indicator that covers nothing of ours."""


def identifier(resource: str) -> str:
    return absolute(f"/{resource}")


def identifiers(values: Iterable[str]) -> list[str]:
    """What the given indicators cover, as identifiers of ours; none given means everything.

    Clients write the same thing in several ways: with a slash at the end, or only our origin, which covers
    both. Raises UnknownResourceError for an indicator of something else.
    """
    items: set[str] = set()
    for value in values:
        items |= _covered(value)
    return [identifier(name) for name in RESOURCES if not items or name in items]


def _covered(value: str) -> set[str]:
    ours, other = split_url(absolute("")), split_url(value)
    origin = f"{other.scheme.lower()}://{other.netloc.lower()}"
    if origin != f"{ours.scheme}://{ours.netloc}" or "?" in value or "#" in value:
        raise UnknownResourceError(value)
    path = other.path.strip("/")
    if path == "":
        return set(RESOURCES)
    if path not in RESOURCES or other.path not in {f"/{path}", f"/{path}/"}:
        raise UnknownResourceError(value)
    return {path}
