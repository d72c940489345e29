"""Strict JSON in: bounded in size and depth, no duplicate keys, no NaN, text that PostgreSQL can hold."""

import codecs
import json
import re
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser

from core.errors import FieldError, InvalidJsonError, InvalidRequestError

MAX_BYTES = 256 * 1024
MAX_DEPTH = 20
MAX_DIGITS = 64
JSON_TYPE = re.compile(r"application/(?:[a-z0-9.+-]+\+)?json\Z")
STRINGS_AND_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def _too_deep(raw: bytes) -> bool:
    depth = 0
    for token in STRINGS_AND_BRACKETS.finditer(raw):
        mark = raw[token.start()]
        if mark in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif mark in b"]}":
            depth -= 1
    return False


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InvalidJsonError(
            f"The property {twice[:80]!r} is given twice.",
            errors=[
                FieldError(
                    code="duplicate_key", pointer=f"/{twice[:80]}", message="This property is given twice."
                )
            ],
        )
    return found


def _constant(name: str) -> float:
    raise InvalidJsonError(f"{name} is not JSON.")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise InvalidJsonError(f"A number has more than {MAX_DIGITS} digits.")
    return int(digits)


def parse(raw: bytes, *, max_bytes: int = MAX_BYTES) -> Any:
    """The JSON value of a body.

    Raises InvalidRequestError for a body that is too large or too deep, InvalidJsonError for one that is not JSON
    (RFC 8259: UTF-8, no byte-order mark, no NaN, each key once).
    """
    if len(raw) > max_bytes:
        raise InvalidRequestError(
            f"The body has more than {max_bytes} bytes.",
            errors=[
                FieldError(code="too_large", pointer="", message="The body is too large.", limit=max_bytes)
            ],
        )
    if raw.startswith(codecs.BOM_UTF8):
        raise InvalidJsonError("The body begins with a byte-order mark.")
    if _too_deep(raw):
        raise InvalidRequestError(
            f"The body is nested more than {MAX_DEPTH} levels deep.",
            errors=[
                FieldError(
                    code="too_deep", pointer="", message="The body is nested too deep.", limit=MAX_DEPTH
                )
            ],
        )
    try:
        return json.loads(
            raw.decode(), object_pairs_hook=_unique, parse_constant=_constant, parse_int=_integer
        )
    except UnicodeDecodeError as error:
        raise InvalidJsonError(f"The body is not UTF-8 (byte {error.start}).") from error
    except json.JSONDecodeError as error:
        raise InvalidJsonError(f"The body is not JSON: {error.msg} at character {error.pos}.") from error


class StrictJSONParser(BaseParser):
    """Reads the request body. No body at all is an empty object."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The body's JSON value; a form or another media type is refused (415)."""
        max_bytes = getattr((parser_context or {}).get("view"), "max_body_bytes", MAX_BYTES)
        raw = stream.read(max_bytes + 1)
        if len(raw) <= max_bytes and not raw.strip():
            return {}
        base = (media_type or "application/json").split(";")[0].strip().lower()
        if not JSON_TYPE.match(base):
            raise UnsupportedMediaType(base, "Send JSON, with Content-Type: application/json.")
        return parse(raw, max_bytes=max_bytes)
