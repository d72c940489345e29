"""All operations of the service, found through its addresses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from core.operations import Operation

PART = re.compile(r"{([^}]*)}")
PREFIX = "api/v1/"  # left out of `Route.path`, as in the OpenAPI file


@dataclass(frozen=True, kw_only=True)
class Route:
    """Where an operation is reached. `path` is written as OpenAPI writes it."""

    method: str
    path: str
    spec: Operation
    view: Any


def _patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        here = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern, here)
        else:
            yield here, pattern


def _as_openapi(route: str) -> str:
    pieces = [
        "{" + piece.strip("<>").rpartition(":")[2] + "}" if piece.startswith("<") else piece
        for piece in route.split("/")
    ]
    return "/" + "/".join(pieces).removeprefix(PREFIX)


@lru_cache(maxsize=1)
def all_routes() -> tuple[Route, ...]:
    """Every operation with its method and path, in the order of the addresses."""
    found = []
    for route, pattern in _patterns(get_resolver()):
        actions = getattr(pattern.callback, "actions", None) if route.startswith(PREFIX) else None
        for method, name in (actions or {}).items():
            if method == "head":
                continue
            view = pattern.callback.cls  # type: ignore[union-attr, attr-defined]
            spec = getattr(view, name).operation
            found.append(
                Route(method=method.upper(), path=_as_openapi(route), spec=spec, view=pattern.callback)
            )
    return tuple(found)


@lru_cache(maxsize=1)
def all_operations() -> tuple[Operation, ...]:
    return tuple(route.spec for route in all_routes())


@dataclass(frozen=True, kw_only=True)
class Address:
    """What is offered at an address by method, and the names of its variable parts."""

    offered: dict[str, Route]
    parts: list[str]


@lru_cache(maxsize=1)
def _addresses() -> tuple[re.Pattern[str], dict[int, Address]]:
    """One pattern with a group for each address, in their order, and the addresses by the number of their group."""
    offered: dict[str, dict[str, Route]] = {}
    for route in all_routes():
        offered.setdefault(route.path, {})[route.method] = route
    groups, found, number = [], {}, 1
    for path, routes in offered.items():
        parts = PART.findall(path)
        groups.append(f"({PART.sub('([^/]+)', path)})")
        found[number] = Address(offered=routes, parts=parts)
        number += 1 + len(parts)
    return re.compile(f"/{PREFIX[:-1]}(?:{'|'.join(groups)})"), found


def route_at(path: str, *, method: str) -> tuple[Route, dict[str, str]] | None:
    """The operation at an address and the variable parts, all of them texts, sooner than Django finds them."""
    pattern, addresses = _addresses()
    found = pattern.fullmatch(path)
    if found is None or found.lastindex is None:
        return None
    address = addresses[found.lastindex]
    route = address.offered.get(method)
    values = found.groups()[found.lastindex :]
    return (route, dict(zip(address.parts, values, strict=False))) if route else None
