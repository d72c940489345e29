"""The answers of each method, at each version; what never changes is kept as bytes."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import orjson

from config.mcp import bridge, metadata, protocol
from config.mcp.tools import Tool, catalogue
from config.mcp.wire import SERVER_INFO_META_KEY, as_version_has_it
from core.api.bodies import dumps
from core.api.errors import ApiError

CACHED_MS = 300_000
CAPABILITIES = {"tools": {"listChanged": False}}


def envelope(identifier: str | int, result: Any) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "id": identifier, "result": result})


def failed(identifier: str | int | None, error: Mapping[str, Any]) -> bytes:
    """A JSON-RPC error; an id that could not be read is left out."""
    existing = {} if identifier is None else {"id": identifier}
    return dumps({"jsonrpc": "2.0", **existing, "error": error})


def of_tool(outcome: bridge.Outcome, *, version: str) -> dict[str, Any]:
    result = outcome.as_result()
    if version != protocol.MODERN:
        return result
    return {**result, "resultType": "complete", "_meta": {**result.get("_meta", {}), **_server_meta()}}


def challenged(error: ApiError, *, version: str) -> dict[str, Any]:
    """A challenge as a result, for clients that look for it there and not at the HTTP status."""
    modern = version == protocol.MODERN
    return {
        "content": [{"type": "text", "text": error.detail}],
        "isError": True,
        **({"resultType": "complete"} if modern else {}),
        "_meta": {
            "mcp/www_authenticate": [error.headers["WWW-Authenticate"]],
            **(_server_meta() if modern else {}),
        },
    }


def of_method(message: protocol.Message, *, version: str) -> orjson.Fragment:
    if message.method == "initialize":
        return orjson.Fragment(_initialized(protocol.negotiated(message)))
    return orjson.Fragment(_fixed(message.method, version))


@lru_cache(maxsize=16)
def _initialized(version: str) -> bytes:
    result = {
        "protocolVersion": version,
        "capabilities": CAPABILITIES,
        "serverInfo": metadata.server_info(),
        "instructions": metadata.INSTRUCTIONS,
    }
    return orjson.dumps(as_version_has_it("initialize", result, version=version))


@lru_cache(maxsize=16)
def _fixed(method: str, version: str) -> bytes:
    """What is the same for every caller, so that it is put together once a process."""
    result = FIXED[method]()
    if version == protocol.MODERN:
        result |= {"resultType": "complete", "_meta": _server_meta()}
        result |= {"ttlMs": CACHED_MS, "cacheScope": "public"}
    return orjson.dumps(as_version_has_it(method, result, version=version))


def _listed() -> dict[str, Any]:
    return {"tools": [tool.as_dict() for tool in catalogue().values()]}


def _discovered() -> dict[str, Any]:
    return {
        "supportedVersions": list(protocol.SUPPORTED),
        "capabilities": CAPABILITIES,
        "instructions": metadata.INSTRUCTIONS,
    }


FIXED = {"ping": dict, "tools/list": _listed, "server/discover": _discovered}


def _server_meta() -> dict[str, Any]:
    return {SERVER_INFO_META_KEY: metadata.server_info()}


def tool_of(message: protocol.Message) -> Tool | None:
    return catalogue().get(message.params["name"]) if message.method == "tools/call" else None
