"""All operations of the service, found through its addresses."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from core.api.operations import Operation

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
    rows = []
    for route, pattern in _patterns(get_resolver()):
        actions = getattr(pattern.callback, "actions", None) if route.startswith(PREFIX) else None
        for method, name in (actions or {}).items():
            if method == "head":
                continue
            view = pattern.callback.cls  # type: ignore[union-attr, attr-defined]
            spec = getattr(view, name).operation
            rows.append(
                Route(method=method.upper(), path=_as_openapi(route), spec=spec, view=pattern.callback)
            )
    return tuple(rows)


@lru_cache(maxsize=1)
def all_operations() -> tuple[Operation, ...]:
    return tuple(route.spec for route in all_routes())
