"""The wire: each rule of both eras as a row, with HTTP status, code and id."""

import base64
import json
from typing import Any

import pytest
from mcp_types.methods import parse_server_result

from config.mcp.protocol import MODERN
from tests.factories.mcp import CAPABILITIES_KEY, LATEST_HANDSHAKE, VERSION_KEY, VERSIONS, Mcp, message

pytestmark = pytest.mark.django_db
HANDSHAKE = VERSIONS[:-1]
CALL = {"name": "get_site_info", "arguments": {}}
SUPPORTED = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]


def error(response: Any) -> tuple[int, int, Any]:
    body = response.json()
    assert body["jsonrpc"] == "2.0"
    assert "result" not in body
    return response.status_code, body["error"]["code"], body.get("id", "absent")


def modern(method: str = "tools/list", params: dict[str, Any] | None = None, **extra: Any) -> Any:
    return message(method, params, **extra)


def with_meta(meta: Any, method: str = "tools/list") -> Any:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": {"_meta": meta}}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_lists_tools_at_every_version_and_with_or_without_a_slash(version: str, path: str) -> None:
    body = message("tools/list", version=version)

    response = Mcp(version=version).post(body, path=path)

    result = response.json()["result"]
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    assert response.json()["id"] == 7
    assert "Mcp-Session-Id" not in response
    assert ("resultType" in result, "ttlMs" in result, "_meta" in result) == ((version == MODERN),) * 3
    parse_server_result("tools/list", version, result)


def test_the_modern_list_may_be_kept_by_everybody_for_five_minutes() -> None:
    result = Mcp().ask("tools/list").json()["result"]

    assert (result["ttlMs"], result["cacheScope"], result["resultType"]) == (300_000, "public", "complete")
    assert "nextCursor" not in result
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "launch-directory"


def test_discovers() -> None:
    result = Mcp().ask("server/discover").json()["result"]

    assert result["supportedVersions"] == SUPPORTED
    assert result["capabilities"] == {"tools": {"listChanged": False}}
    assert result["cacheScope"] == "public"
    assert result["resultType"] == "complete"
    assert "paid" in result["instructions"]
    assert "serverInfo" not in result
    parse_server_result("server/discover", MODERN, result)


@pytest.mark.parametrize(
    ("requested", "settled"),
    [
        *((version, version) for version in HANDSHAKE),
        ("2024-11-05", "2025-11-25"),
        (MODERN, "2025-11-25"),
        ("x", "2025-11-25"),
    ],
)
def test_initializes_at_a_version_both_know(requested: str, settled: str) -> None:
    params = {"protocolVersion": requested, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}

    response = Mcp(version=None).ask("initialize", params)

    result = response.json()["result"]
    assert response.status_code == 200
    assert result["protocolVersion"] == settled
    assert result["serverInfo"]["name"] == "launch-directory"
    assert result["capabilities"] == {"tools": {"listChanged": False}}
    assert "resultType" not in result
    parse_server_result("initialize", settled, result)


@pytest.mark.parametrize("version", [None, *HANDSHAKE])
def test_pings_and_calls_without_having_initialized(version: str | None) -> None:
    mcp = Mcp(version=version)

    assert mcp.ask("ping").json() == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert mcp.ask("tools/list").json()["result"]["tools"]


@pytest.mark.parametrize("version", VERSIONS)
def test_notifications_are_taken_and_not_answered(version: str) -> None:
    for method in ("notifications/initialized", "notifications/cancelled", "notifications/unheard"):
        response = Mcp(version=version).post(message(method, version=version, id=None))

        assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("version", HANDSHAKE)
def test_responses_of_the_client_are_taken(version: str) -> None:
    for body in (
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1}},
    ):
        assert Mcp(version=version).post(body).status_code == 202


@pytest.mark.parametrize(
    ("body", "headers", "expected"),
    [
        # what is not one request
        (b"{", {}, (400, -32700, "absent")),
        (b"\xff", {}, (400, -32700, "absent")),
        (b'{"a": 1, "a": 2}', {}, (400, -32700, "absent")),
        (b"[" * 100, {}, (400, -32700, "absent")),
        ([modern()], {}, (400, -32600, "absent")),
        ([], {}, (400, -32600, "absent")),
        ("text", {}, (400, -32600, "absent")),
        ({**modern(), "jsonrpc": "1.0"}, {}, (400, -32600, 7)),
        ({**modern(), "id": None}, {}, (400, -32600, "absent")),
        ({**modern(), "id": 1.5}, {}, (400, -32600, "absent")),
        ({**modern(), "id": True}, {}, (400, -32600, "absent")),
        ({**modern(), "id": {}}, {}, (400, -32600, "absent")),
        ({**modern(), "method": 7}, {}, (400, -32600, 7)),
        ({**modern(), "method": ""}, {}, (400, -32600, 7)),
        ({**modern(), "params": []}, {}, (400, -32600, 7)),
        ({"jsonrpc": "2.0", "id": 7}, {}, (400, -32600, 7)),
        ({"jsonrpc": "2.0", "id": 7, "result": {}}, {}, (400, -32600, 7)),
        # what _meta must hold
        (with_meta({}), {}, (400, -32602, 7)),
        (with_meta({VERSION_KEY: MODERN}), {}, (400, -32602, 7)),
        (with_meta({CAPABILITIES_KEY: {}}), {}, (400, -32602, 7)),
        (with_meta({VERSION_KEY: 7, CAPABILITIES_KEY: {}}), {}, (400, -32602, 7)),
        (with_meta({VERSION_KEY: MODERN, CAPABILITIES_KEY: []}), {}, (400, -32602, 7)),
        (with_meta("x"), {}, (400, -32602, 7)),
        ({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}, {}, (400, -32602, 7)),
        # headers repeat the body
        (modern(), {"Mcp_Protocol_Version": None}, (400, -32020, 7)),
        (modern(), {"Mcp_Protocol_Version": LATEST_HANDSHAKE}, (400, -32020, 7)),
        (modern(), {"Mcp_Method": None}, (400, -32020, 7)),
        (modern(), {"Mcp_Method": "tools/call"}, (400, -32020, 7)),
        (modern(), {"Mcp_Method": "Tools/List"}, (400, -32020, 7)),
        (modern("tools/call", CALL), {"Mcp_Name": None}, (400, -32020, 7)),
        (modern("tools/call", {"name": ""}), {"Mcp_Name": None}, (400, -32020, 7)),
        (modern("tools/call", CALL), {"Mcp_Name": "get_listing"}, (400, -32020, 7)),
        (modern("tools/call", CALL), {"Mcp_Name": "GET_SITE_INFO"}, (400, -32020, 7)),
        (modern("tools/call", CALL), {"Mcp_Name": "=?base64?!!!?="}, (400, -32020, 7)),
        (modern("tools/call", CALL), {"Mcp_Name": "=?base64?/w==?="}, (400, -32020, 7)),
        (modern("resources/read", {"uri": "a:b"}), {"Mcp_Name": "a:c"}, (400, -32020, 7)),
        # the version
        (
            with_meta({VERSION_KEY: "2099-01-01", CAPABILITIES_KEY: {}}),
            {"Mcp_Protocol_Version": "2099-01-01"},
            (400, -32022, 7),
        ),
        (
            with_meta({VERSION_KEY: LATEST_HANDSHAKE, CAPABILITIES_KEY: {}}),
            {"Mcp_Protocol_Version": LATEST_HANDSHAKE},
            (400, -32022, 7),
        ),
        # the method
        (modern("initialize"), {}, (404, -32601, 7)),
        (modern("ping"), {}, (404, -32601, 7)),
        (modern("logging/setLevel", {"level": "info"}), {}, (404, -32601, 7)),
        (modern("resources/list"), {}, (404, -32601, 7)),
        (modern("prompts/list"), {}, (404, -32601, 7)),
        (modern("completion/complete"), {}, (404, -32601, 7)),
        (modern("subscriptions/listen"), {}, (404, -32601, 7)),
        (modern("tools/unheard"), {}, (404, -32601, 7)),
        # its parameters
        (modern("tools/list", {"cursor": "x"}), {}, (400, -32602, 7)),
        (modern("tools/list", {"cursor": 7}), {}, (400, -32602, 7)),
        (modern("tools/call", {"name": "no_such_tool"}), {}, (400, -32602, 7)),
        (modern("tools/call", {"name": "get_site_info", "arguments": []}), {}, (400, -32602, 7)),
        (modern("tools/call", {"name": "get_site_info", "arguments": "x"}), {}, (400, -32602, 7)),
        (modern("tools/call", {**CALL, "_meta": {"progressToken": []}}), {}, (400, -32602, 7)),
        (modern("tools/call", {"arguments": {}}), {"Mcp_Name": "x"}, (400, -32020, 7)),
        (modern("tools/list", id="text"), {"Mcp_Method": "x"}, (400, -32020, "text")),
    ],
)
def test_the_modern_ladder(body: Any, headers: dict[str, str | None], expected: tuple[int, int, Any]) -> None:
    given = {"Mcp_Method": "tools/list", **headers} if not isinstance(body, dict) else headers

    assert error(Mcp().post(body, **given)) == expected


def test_an_unsupported_version_is_told_which_there_are() -> None:
    body = with_meta({VERSION_KEY: "2099-01-01", CAPABILITIES_KEY: {}})

    response = Mcp(version="2099-01-01").post(body, Mcp_Method="tools/list")

    assert response.json()["error"]["data"] == {"supported": SUPPORTED, "requested": "2099-01-01"}


@pytest.mark.parametrize("version", [None, *HANDSHAKE])
@pytest.mark.parametrize(
    ("method", "params", "expected"),
    [
        ("server/discover", {}, (200, -32601, 7)),
        ("resources/list", {}, (200, -32601, 7)),
        ("tools/unheard", {}, (200, -32601, 7)),
        ("tools/list", {"cursor": "x"}, (200, -32602, 7)),
        ("tools/call", {"name": "no_such_tool"}, (200, -32602, 7)),
        ("tools/call", {"name": "get_site_info", "arguments": []}, (200, -32602, 7)),
        ("tools/call", {}, (200, -32602, 7)),
        ("tools/call", {**CALL, "_meta": []}, (200, -32602, 7)),
        ("initialize", {}, (200, -32602, 7)),
        ("initialize", {"protocolVersion": 7, "capabilities": {}, "clientInfo": {}}, (200, -32602, 7)),
    ],
)
def test_the_ladder_of_old(
    version: str | None, method: str, params: Any, expected: tuple[int, int, int]
) -> None:
    assert error(Mcp(version=version).ask(method, params)) == expected


@pytest.mark.parametrize("version", [None, *HANDSHAKE])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"{", (400, -32700, "absent")),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, (400, -32600, "absent")),
        ({"id": 7, "method": "ping"}, (400, -32600, 7)),
    ],
)
def test_what_is_no_message_is_refused_at_every_version(
    version: str | None, body: Any, expected: Any
) -> None:
    assert error(Mcp(version=version).post(body)) == expected


@pytest.mark.parametrize("version", ["2024-11-05", "2099-01-01", "", "latest"])
def test_other_versions_in_the_header_are_refused(version: str) -> None:
    status, code, _ = error(Mcp(version=version).ask("tools/list"))

    assert (status, code in {-32022, -32602}) == (400, True)


def test_modern_meta_makes_a_request_modern_whatever_the_header_says() -> None:
    body = modern()

    assert error(Mcp(version=None).post(body)) == (400, -32020, 7)
    assert error(Mcp(version="2025-06-18").post(body)) == (400, -32020, 7)


@pytest.mark.parametrize("name", ["get_site_info", "gét"])
def test_names_in_headers_may_be_packed(name: str) -> None:
    packed = f"=?base64?{base64.b64encode(name.encode()).decode()}?="

    response = Mcp().post(modern("tools/call", {"name": name}), Mcp_Name=packed)

    assert response.status_code == 200 if name == "get_site_info" else error(response) == (400, -32602, 7)


class TestBatches:
    """Only 2025-03-26 knows them."""

    ping = message("ping", version="2025-03-26", id=1)
    note = message("notifications/initialized", version="2025-03-26", id=None)

    @pytest.mark.parametrize("version", [None, "2025-03-26"])
    def test_answers_each_request_and_nothing_else(self, version: str | None) -> None:
        bad = message("tools/call", {"name": "no_such_tool"}, version="", id="b")
        listed = message("tools/list", version="", id=3)
        body = [self.ping, self.note, bad, 7, {"jsonrpc": "2.0", "id": 9, "result": {}}, listed]

        response = Mcp(version=version).post(body)

        answers = response.json()
        assert response.status_code == 200
        assert [answer.get("id") for answer in answers] == [1, "b", None, 3]
        assert [answer.get("error", {}).get("code") for answer in answers] == [None, -32602, -32600, None]
        assert answers[0] == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert answers[3]["result"]["tools"]

    def test_only_notifications_and_responses_get_no_answer(self) -> None:
        response = Mcp(version="2025-03-26").post([self.note, {"jsonrpc": "2.0", "id": 9, "result": {}}])

        assert (response.status_code, response.content) == (202, b"")

    @pytest.mark.parametrize("size", [0, 21])
    def test_has_one_to_twenty_members(self, size: int) -> None:
        assert error(Mcp(version="2025-03-26").post([self.ping] * size)) == (400, -32600, "absent")

    @pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25", MODERN])
    def test_later_versions_take_none(self, version: str) -> None:
        assert error(Mcp(version=version).post([self.ping])) == (400, -32600, "absent")

    def test_a_handshake_cannot_be_part_of_one(self) -> None:
        params = {
            "protocolVersion": "2025-03-26",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        }

        response = Mcp(version=None).post([message("initialize", params, version="", id=1), self.ping])

        first, second = response.json()
        assert (first["id"], first["error"]["code"]) == (1, -32600)
        assert second["result"] == {}

    def test_one_challenge_names_all_that_its_members_need(self) -> None:
        calls = [
            message("tools/call", {"name": name}, version="", id=n)
            for n, name in enumerate(["get_site_info", "get_account", "submit_listing"])
        ]

        response = Mcp(version=None).post(calls)

        assert response.status_code == 401
        assert 'scope="account:read listings:write"' in response["WWW-Authenticate"]


@pytest.mark.parametrize("method", ["get", "delete", "put", "patch", "head"])
def test_other_methods_are_not_taken(client: Any, method: str) -> None:
    response = getattr(client, method)("/mcp")

    assert (response.status_code, response["Allow"]) == (405, "POST, OPTIONS")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": "application/json; charset=utf-8"}, 200),
        ({"Accept": "text/event-stream"}, 406),
        ({"Accept": "text/html"}, 406),
        ({"Accept": "application/json"}, 200),
        ({"Accept": "*/*"}, 200),
        ({"Accept": None}, 200),
        ({"Mcp_Session_Id": "x", "Last_Event_Id": "y"}, 200),
    ],
)
def test_media_types(headers: dict[str, str | None], status: int) -> None:
    assert Mcp().post(modern(), **headers).status_code == status


def test_the_body_has_a_limit() -> None:
    padded = modern(params={"padding": "x" * 5 * 1024 * 1024})

    assert error(Mcp().post(padded)) == (413, -32600, "absent")


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:8000", 200),
        ("http://localhost:6274", 200),
        ("http://[::1]:6274", 200),
        ("https://allowed.example", 200),
        ("https://evil.example", 403),
        ("http://127.0.0.1.evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("null", 403),
        ("file://localhost", 403),
    ],
)
def test_origins(settings: Any, origin: str, status: int) -> None:
    settings.MCP_ALLOWED_ORIGINS = ["https://allowed.example"]

    response = Mcp().post(modern(), Origin=origin)

    assert response.status_code == status
    assert response.get("Access-Control-Allow-Origin") == (origin if status == 200 else None)


def test_other_hosts_are_refused() -> None:
    assert Mcp().post(modern(), Host="evil.example").status_code == 400


def test_a_browser_may_ask_first(client: Any) -> None:
    response = client.options("/mcp", headers={"Origin": "http://localhost:6274"})

    assert response.status_code == 204
    assert response["Access-Control-Allow-Methods"] == "POST, OPTIONS"
    assert response["Access-Control-Allow-Origin"] == "http://localhost:6274"
    assert "Mcp-Protocol-Version" in response["Access-Control-Allow-Headers"]


def test_the_session_cookie_opens_nothing(client: Any, people: Any) -> None:
    client.force_login(people.owner)
    body = message("tools/call", {"name": "get_account"}, version="2025-11-25")

    response = client.post("/mcp", json.dumps(body), content_type="application/json")

    assert response.status_code == 401
