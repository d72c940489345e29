"""How to connect, and each tool on a page of its own."""

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from config.docs import pages as docs
from config.mcp.tools import Tool, catalogue
from core.api.links import absolute
from core.methods import require_safe

SERVER = "launch-directory"
KEY, VARIABLE = "plk_…", "DIRECTORY_KEY"


def clients(url: str) -> list[dict[str, str]]:
    """What to do in common clients: with a sign-in, and with a key where the client takes one."""
    header = f"Authorization: Bearer {KEY}"
    headers = {"headers": {"Authorization": f"Bearer {KEY}"}}
    return [
        {
            "name": "Claude Code",
            "sign_in": f"claude mcp add --transport http {SERVER} {url}",
            "then": "Start claude, type /mcp and choose “Authenticate”.",
            "key": f'claude mcp add --transport http {SERVER} {url} --header "{header}"',
        },
        {
            "name": "Claude on the web and on the desktop",
            "words": "Settings, Connectors, “Add custom connector”. Paste the address; you are sent here to sign in.",
        },
        {
            "name": "ChatGPT",
            "words": "Settings, Apps and connectors, developer mode, “Create”. Paste the address and choose OAuth.",
        },
        {
            "name": "VS Code",
            "file": ".vscode/mcp.json",
            "sign_in": written({"servers": {SERVER: {"type": "http", "url": url}}}),
            "then": "Start the server from the file; VS Code opens the sign-in.",
            "key": written({"servers": {SERVER: {"type": "http", "url": url, **headers}}}),
        },
        {
            "name": "Cursor",
            "file": "~/.cursor/mcp.json",
            "sign_in": written({"mcpServers": {SERVER: {"url": url}}}),
            "then": "Open Settings, MCP, and press “Needs login”.",
            "key": written({"mcpServers": {SERVER: {"url": url, **headers}}}),
        },
        {
            "name": "Codex",
            "sign_in": f"codex mcp add {SERVER} --url {url}\ncodex mcp login {SERVER}",
            "then": "Your browser opens for the sign-in.",
            "key": f"export {VARIABLE}={KEY}\ncodex mcp add {SERVER} --url {url} --bearer-token-env-var {VARIABLE}",
        },
    ]


def written(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


@require_safe
def connect(request: HttpRequest) -> HttpResponse:
    url = absolute("/mcp")
    scopes = settings.OAUTH2_PROVIDER["SCOPES"]
    groups = [("Without signing in", "", [tool for tool in catalogue().values() if not tool.scopes])]
    for scope, words in scopes.items():
        groups.append((words, scope, [tool for tool in catalogue().values() if tool.scopes[:1] == (scope,)]))
    context = {"mcp_url": url, "clients": clients(url), "groups": [group for group in groups if group[2]]}
    return render(request, "docs/mcp.html", context)


@require_safe
def tool_page(request: HttpRequest, name: str) -> HttpResponse:
    tool = catalogue().get(name)
    if tool is None:
        raise Http404
    required = tool.input_schema.get("required", [])
    inputs = [
        (values, docs.kind_of(schema), values in required, schema.get("description", ""))
        for values, schema in tool.input_schema["properties"].items()
    ]
    context = {"tool": tool, "inputs": inputs, "call": example(tool), "mcp_url": absolute("/mcp")}
    return render(request, "docs/mcp_tool.html", context)


def example(tool: Tool) -> str:
    """A call with what the tool cannot do without."""
    properties = tool.input_schema["properties"]
    arguments = {name: placeholder(properties[name]) for name in tool.input_schema.get("required", [])}
    call = {"name": tool.name, "arguments": arguments}
    return written({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})


def placeholder(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    first = kind[0] if isinstance(kind, list) else kind
    if first == "array":
        return [placeholder(schema.get("items", {}))]
    if first == "object":
        properties = schema.get("properties", {})
        return {name: placeholder(properties[name]) for name in schema.get("required", [])}
    return {"integer": 1, "number": 1, "boolean": True}.get(first, "…")
