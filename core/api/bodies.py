"""Bodies. JSON in, strict: bounded in size and depth, read in a time that grows with the size alone.

What programs read differently is refused (RFC 7493): duplicate keys, NaN, half surrogate pairs, integers that a double
cannot hold. JSON out, fast and always the same: one renderer for every answer.
"""

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any
from urllib.parse import unquote_to_bytes

import orjson
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from core.api.errors import MAX_ERRORS, FieldError, InvalidJsonError, InvalidRequestError, needs_fix, pointer

OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_OMIT_MICROSECONDS | orjson.OPT_NON_STR_KEYS
MAX_BYTES = 256 * 1024
MAX_DEPTH = 20
MAX_DIGITS = 64
MAX_INTEGER = 2**53 - 1
JSON_TYPE = re.compile(r"application/(?:[a-z0-9.+-]+\+)?json\Z")
# A string that never ends is read once: trying again from each quote in it would cost the square of its length.
STRINGS_AND_BRACKETS = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
# Few bodies hold a surrogate's escape, so many digits or an exponent; only those are walked through.
SUSPECT = re.compile(rb"\\u[dD][89a-fA-F]|[0-9]{16}|[0-9][eE]\+?[0-9]")
SURROGATE = re.compile(r"[\ud800-\udfff]")


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


def _repeated(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths of properties given twice in a value whose objects are tuples of pairs."""
    if isinstance(value, tuple):
        names = set()
        for name, inner in value:
            inside = (*path, _readable(name[:80]))
            if name in names:
                yield inside
            names.add(name)
            yield from _repeated(inner, inside)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _repeated(inner, (*path, str(index)))


def _duplicate_name(text: str) -> InvalidJsonError:
    """An object is read before what it is in, so where it stands is looked for afterwards."""
    paths = list(islice(_repeated(json.loads(text, object_pairs_hook=tuple)), MAX_ERRORS))
    message = "This property is given twice."
    errors = [FieldError(code="duplicate_key", pointer=pointer(path), message=message) for path in paths]
    return InvalidJsonError(f"The property {paths[0][-1]!r} is given twice.", errors=errors)


def _constant(name: str) -> float:
    raise InvalidJsonError(f"{name} is not JSON.")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise InvalidJsonError(f"A number has more than {MAX_DIGITS} digits.")
    return int(digits)


def _float(digits: str) -> float:
    """A number with a fraction or an exponent; without a fractional part it is an integer, however it is written."""
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise InvalidJsonError("A number is larger than a double can be.")
    return int(number) if number.is_integer() and _is_whole(digits) else number


def _is_whole(digits: str) -> bool:
    """Whether nothing but zeros stands behind the point, which a double may have rounded away."""
    mantissa, _, exponent = digits.lower().partition("e")
    if len(exponent) > MAX_DIGITS:
        raise InvalidJsonError(f"A number has more than {MAX_DIGITS} digits.")
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0")
    if not (whole + fraction).strip("-0"):
        return True
    shift = int(exponent or 0) - len(fraction)
    return shift >= 0 or not (whole + fraction)[shift:].strip("0")


def _readable(text: str) -> str:
    return SURROGATE.sub("\ufffd", text)


def _unsafe(value: Any, path: tuple[str, ...] = ()) -> Iterator[FieldError]:
    """What is JSON but not safe to pass on. Goes as deep as the body, whose depth is bounded."""
    if isinstance(value, dict):
        for name, inner in value.items():
            inside = (*path, _readable(name[:80]))
            yield from _unsafe(name, inside)
            yield from _unsafe(inner, inside)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _unsafe(inner, (*path, str(index)))
    elif error := _unsafe_scalar(value, path):
        yield error


def _unsafe_scalar(value: Any, path: tuple[str, ...]) -> FieldError | None:
    if isinstance(value, str) and SURROGATE.search(value):
        message = "This holds half of a surrogate pair."
        return FieldError(code="surrogate", pointer=pointer(path), message=message)
    if type(value) is int and abs(value) > MAX_INTEGER:
        code, limit = ("max_value", MAX_INTEGER) if value > 0 else ("min_value", -MAX_INTEGER)
        message = f"This is beyond {limit}, the last integer that all programs read alike."
        return FieldError(code=code, pointer=pointer(path), message=message, limit=limit)
    return None


def parse(raw: bytes, *, max_bytes: int = MAX_BYTES) -> Any:
    """The JSON value of a body.

    Raises InvalidJsonError for what is not JSON (RFC 8259: UTF-8, no byte-order mark, no NaN, each key once), and
    InvalidRequestError for a body that is too large or too deep, or holds half a surrogate pair or an integer beyond
    2^53 - 1.
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
    value = _loaded(raw)
    if SUSPECT.search(raw) and (errors := list(islice(_unsafe(value), MAX_ERRORS))):
        raise InvalidRequestError(needs_fix(errors), errors=errors)
    return value


def _loaded(raw: bytes) -> Any:
    is_unique = True

    def as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal is_unique
        result = dict(pairs)
        is_unique = is_unique and len(result) == len(pairs)
        return result

    try:
        text = raw.decode()
        value = json.loads(
            text,
            object_pairs_hook=as_object,
            parse_constant=_constant,
            parse_int=_integer,
            parse_float=_float,
        )
    except UnicodeDecodeError as error:
        raise InvalidJsonError(f"The body is not UTF-8 (byte {error.start}).") from error
    except json.JSONDecodeError as error:
        raise InvalidJsonError(f"The body is not JSON: {error.msg} at character {error.pos}.") from error
    if not is_unique:
        raise _duplicate_name(text)
    return value


def unreadable_parameters(query: str) -> list[str]:
    """The names of the parameters in a query string that are not UTF-8, which Django would read as U+FFFD."""
    if query.isascii() and "%" not in query:
        return []
    rows = []
    for pair in query.encode("latin-1", errors="replace").split(b"&"):
        try:
            unquote_to_bytes(pair).decode()
        except UnicodeDecodeError:
            rows.append(unquote_to_bytes(pair.partition(b"=")[0]).decode(errors="replace")[:80])
    return rows


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
        max_bytes = getattr((parser_context or {}).get("view"), "body_limit", MAX_BYTES)
        raw = stream.read(max_bytes + 1)
        if len(raw) <= max_bytes and not raw.strip():
            return {}
        base = (media_type or "application/json").split(";")[0].strip().lower()
        if not JSON_TYPE.match(base):
            raise UnsupportedMediaType(base, "Send JSON, with Content-Type: application/json.")
        return parse(raw, max_bytes=max_bytes)


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
