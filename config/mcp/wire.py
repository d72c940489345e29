"""The protocol's names, numbers and schemas: what we take from `mcp_types`, and the only module that imports it.

It brings pydantic and models of every version, 17 MB and 0.7 s of processor time in each web process, so those that are
not asked over MCP do without. The names and numbers stand here again; a test holds them against the library's.
"""

from collections.abc import Mapping
from typing import Any

PROTOCOL_VERSION_META_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES_META_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_META_KEY = "io.modelcontextprotocol/serverInfo"
HANDSHAKE_PROTOCOL_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
HEADER_MISMATCH = -32020
UNSUPPORTED_PROTOCOL_VERSION = -32022


def fault_of(method: str, params: Mapping[str, Any], *, version: str) -> str | None:
    """Where the parameters of a method break the version's schema, as a path with dots; None when they do not."""
    import pydantic  # noqa: PLC0415
    from mcp_types.methods import validate_client_request  # noqa: PLC0415

    try:
        validate_client_request(method, version, dict(params))
    except pydantic.ValidationError as error:
        return ".".join(str(step) for step in error.errors()[0]["loc"])[:120]
    return None


def as_version_has_it(method: str, result: Mapping[str, Any], *, version: str) -> dict[str, Any]:
    """The result of a method, with what the version's schema knows."""
    from mcp_types.methods import serialize_server_result  # noqa: PLC0415

    return serialize_server_result(method, version, result)
