"""JSON-RPC as MCP speaks it, in both eras; pure, so that each rule is a row of a test table.

Until 2025-11-25 a client begins with `initialize` and names the version in a header. From 2026-07-28 on there
is no handshake: each request carries its version in `_meta`, and headers must repeat what the body says.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from config.mcp.wire import (
    CLIENT_CAPABILITIES_META_KEY,
    HANDSHAKE_PROTOCOL_VERSIONS,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    PROTOCOL_VERSION_META_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
    fault_of,
)

HANDSHAKE = ("2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
SUPPORTED = (*HANDSHAKE, MODERN)
BATCHED = "2025-03-26"
BATCH = 20
METHODS = {
    **dict.fromkeys(HANDSHAKE, ("initialize", "ping", "tools/list", "tools/call")),
    MODERN: ("server/discover", "tools/list", "tools/call"),
}
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
ENCODED = re.compile(r"=\?base64\?(.*)\?=\Z")
PLAIN_META: tuple[Mapping[str, Any], ...] = (
    {},
    {PROTOCOL_VERSION_META_KEY: MODERN, CLIENT_CAPABILITIES_META_KEY: {}},
)
STATUS = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    METHOD_NOT_FOUND: 404,
    HEADER_MISMATCH: 400,
    UNSUPPORTED_PROTOCOL_VERSION: 400,
}


class ProtocolError(Exception):
    """A message that breaks the protocol. Refusals of a tool are results instead."""

    def __init__(self, code: int, message: str, *, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def as_dict(self) -> dict[str, Any]:
        error = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message. Without a method it is a response of the client's; without an id a notification."""

    method: str = ""
    params: Mapping[str, Any]
    id: str | int | None = None

    @property
    def meta(self) -> Mapping[str, Any]:
        meta = self.params.get("_meta")
        return meta if isinstance(meta, Mapping) else {}

    @property
    def wants_answer(self) -> bool:
        return bool(self.method) and self.id is not None


def readable_id(value: Any) -> str | int | None:
    """The id of a message, if it is one. The parser lets no integer through that is too large to say back."""
    result = value.get("id") if isinstance(value, Mapping) else None
    return result if isinstance(result, str) or type(result) is int else None


def read(value: Any) -> Message:
    """A message of the wire. Raises ProtocolError."""
    if not isinstance(value, Mapping) or value.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, "The body must be one JSON-RPC 2.0 message.")
    identifier, params = readable_id(value), value.get("params", {})
    if "id" in value and identifier is None:
        raise ProtocolError(INVALID_REQUEST, "The id must be a string or an integer.")
    if "method" not in value and ("result" in value or "error" in value):
        return Message(params={}, id=identifier)
    if not isinstance(value.get("method"), str) or not value["method"] or not isinstance(params, Mapping):
        raise ProtocolError(INVALID_REQUEST, "A message needs a method, and params must be an object.")
    return Message(method=value["method"], params=params, id=identifier)


def is_modern(message: Message, *, header: str | None) -> bool:
    """Which era a message is of: its `_meta` says so, or a version header that no handshake ever named."""
    return PROTOCOL_VERSION_META_KEY in message.meta or (
        header is not None and header not in HANDSHAKE_PROTOCOL_VERSIONS
    )


def version_of(message: Message, headers: Mapping[str, str]) -> str:
    """The version to handle a message at, if all that its era demands is there. Raises ProtocolError."""
    header = headers.get("Mcp-Protocol-Version")
    if is_modern(message, header=header):
        version = _modern_version(message, headers)
    elif message.method == "initialize":
        return HANDSHAKE[-1]
    else:
        version = BATCHED if header is None else header
        if version not in HANDSHAKE:
            raise unsupported(version)
    if message.wants_answer and message.method not in METHODS[version]:
        raise ProtocolError(METHOD_NOT_FOUND, f"There is no method {message.method[:80]}.")
    return version


def read_member(value: Any, headers: Mapping[str, str]) -> Message:
    """A message of a batch. Raises ProtocolError."""
    message = read(value)
    if version_of(message, headers) != BATCHED or message.method == "initialize":
        raise ProtocolError(INVALID_REQUEST, "This message cannot be part of a batch.")
    return message


def _modern_version(message: Message, headers: Mapping[str, str]) -> str:
    if not message.wants_answer:
        requested = headers.get("Mcp-Protocol-Version", MODERN)
        if requested != MODERN:
            raise unsupported(requested)
        if not message.method:
            raise ProtocolError(INVALID_REQUEST, "This version takes no responses.")
        return MODERN
    stated = message.meta.get(PROTOCOL_VERSION_META_KEY)
    if not isinstance(stated, str) or not isinstance(message.meta.get(CLIENT_CAPABILITIES_META_KEY), Mapping):
        raise ProtocolError(
            INVALID_PARAMS,
            f"params._meta must hold {PROTOCOL_VERSION_META_KEY} and {CLIENT_CAPABILITIES_META_KEY}.",
        )
    _check_headers(message, headers, stated=stated)
    if stated != MODERN:
        raise unsupported(stated)
    return MODERN


def _check_headers(message: Message, headers: Mapping[str, str], *, stated: str) -> None:
    expected = {"Mcp-Protocol-Version": stated, "Mcp-Method": message.method}
    for name, value in expected.items():
        if headers.get(name, "").strip() != value:
            raise ProtocolError(HEADER_MISMATCH, f"The header {name} is missing or does not match the body.")
    if field := NAMED.get(message.method):
        named = headers.get("Mcp-Name")
        if named is None or decoded(named.strip()) != message.params.get(field):
            raise ProtocolError(HEADER_MISMATCH, f"The header Mcp-Name is missing or is not params.{field}.")


def decoded(value: str) -> str | None:
    """A header's value; one that is packed and broken is no value."""
    packed = ENCODED.match(value)
    if packed is None:
        return value
    try:
        raw = base64.b64decode(packed[1], validate=True)
        return raw.decode() if base64.b64encode(raw).decode() == packed[1] else None
    except (binascii.Error, UnicodeDecodeError):
        return None


def unsupported(requested: str) -> ProtocolError:
    return ProtocolError(
        UNSUPPORTED_PROTOCOL_VERSION,
        "This protocol version is not supported.",
        data={"supported": list(SUPPORTED), "requested": requested[:80]},
    )


def is_plain_call(message: Message) -> bool:
    """Whether it is a tool's call of the commonest form, which every version's schema takes as it is."""
    name, arguments = message.params.get("name"), message.params.get("arguments", {})
    return (
        message.method == "tools/call"
        and isinstance(name, str)
        and isinstance(arguments, dict)
        and message.params.keys() <= {"name", "arguments", "_meta"}
        and message.params.get("_meta", {}) in PLAIN_META
    )


def check_params(message: Message, *, version: str) -> None:
    """Hold the parameters against the version's own schema. Raises ProtocolError."""
    if is_plain_call(message):
        return
    where = fault_of(message.method, message.params, version=version)
    if where is not None:
        raise ProtocolError(INVALID_PARAMS, f"{message.method}: {where} is missing or wrong.")
    if message.method == "tools/list" and message.params.get("cursor") is not None:
        raise ProtocolError(INVALID_PARAMS, "There is no such page; all tools are on the first.")


def negotiated(message: Message) -> str:
    """What `initialize` settles on: the version asked for, or our latest with a handshake."""
    requested = message.params.get("protocolVersion")
    return requested if requested in HANDSHAKE else HANDSHAKE[-1]
