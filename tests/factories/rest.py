"""The REST call that a tool stands for."""

from typing import Any

from config.mcp.tools import Tool
from tests.conftest import Caller


def rest_call(tool: Tool, token: str | None, arguments: dict[str, Any] | None = None, **headers: str) -> Any:
    """Call the operation; path parts that are not given are 1."""
    left = dict(arguments or {})
    path = "/api/v1" + tool.path.format(**{name: left.pop(name, "1") for name in tool.path_arguments})
    caller = Caller(token)
    if tool.method == "GET":
        return caller.client.get(path, left, headers={**caller.headers, **headers})
    return getattr(caller, tool.method.lower())(path, left or None, **headers)
