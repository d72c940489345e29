"""JSON out, fast and always the same: one renderer for every answer."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_OMIT_MICROSECONDS | orjson.OPT_NON_STR_KEYS


def dumps(value: Any) -> bytes:
    """JSON bytes. Aware datetimes become RFC 3339 UTC with `Z`, UUIDs their text, str subclasses their text."""
    return orjson.dumps(value, default=str, option=OPTIONS)


class JSONRenderer(BaseRenderer):
    """Renders prepared dicts with orjson; bytes are passed through as they are."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return data if isinstance(data, bytes) else dumps(data)


class Negotiation(BaseContentNegotiation):
    """There is one format; only an Accept header that excludes JSON is refused, by the view."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


def accepts_json(accept: str) -> bool:
    """Whether an Accept header leaves room for a JSON answer (RFC 9110 section 12.5.1)."""
    if not accept:
        return True
    for entry in accept.split(","):
        media, *parameters = (piece.strip().lower() for piece in entry.split(";"))
        if media in {"*/*", "application/*", "application/json", "application/problem+json"} and not any(
            piece.replace(" ", "") in {"q=0", "q=0.0", "q=0.00", "q=0.000"} for piece in parameters
        ):
            return True
    return False
