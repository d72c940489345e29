"""Messages to the MCP endpoint, at any version."""

import json
from dataclasses import dataclass
from typing import Any

from django.test import Client

from config.mcp.protocol import MODERN

LATEST_HANDSHAKE = "2025-11-25"
VERSIONS = ("2025-03-26", "2025-06-18", LATEST_HANDSHAKE, MODERN)
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def message(method: str, params: dict[str, Any] | None = None, *, version: str = MODERN, **extra: Any) -> Any:
    """A request; `id` may be changed or, with None, left out."""
    params = dict(params or {})
    if version == MODERN:
        params["_meta"] = {VERSION_KEY: version, CAPABILITIES_KEY: {}, **params.get("_meta", {})}
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params, **extra}
    return {name: value for name, value in body.items() if value is not None}


def headers_for(body: Any, *, version: str | None) -> dict[str, str]:
    """The headers that go with it."""
    found = {"Accept": "application/json, text/event-stream"}
    if version is not None:
        found["Mcp-Protocol-Version"] = version
    if version == MODERN and isinstance(body, dict) and "method" in body:
        found["Mcp-Method"] = body["method"]
        params = body.get("params", {})
        name = params.get(NAMES.get(body["method"], "")) if isinstance(params, dict) else None
        if isinstance(name, str):
            found["Mcp-Name"] = name
    return found


@dataclass
class Mcp:
    """A client of one version with one credential."""

    token: str | None = None
    version: str | None = MODERN

    def post(self, body: Any, *, path: str = "/mcp", **headers: str | None) -> Any:
        """POST a body as it is. Headers may be changed or, with None, left out."""
        given = headers_for(body, version=self.version)
        if self.token:
            given["Authorization"] = f"Bearer {self.token}"
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in given.items() if value is not None}
        content_type = sent.pop("Content-Type", "application/json")
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return Client(raise_request_exception=False).post(path, raw, content_type=content_type, headers=sent)

    def ask(self, method: str, params: dict[str, Any] | None = None, **extra: Any) -> Any:
        """Send a request and return the HTTP answer."""
        return self.post(message(method, params, version=self.version or "", **extra))

    def call(self, tool: str, arguments: dict[str, Any] | None = None, **params: Any) -> Any:
        """Call a tool and return the HTTP answer."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments or {}, **params})

    def result(self, tool: str, arguments: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
        """Call a tool and return its result."""
        response = self.call(tool, arguments, **params)
        assert response.status_code == 200, response.content
        return response.json()["result"]
