"""The official SDK's client against the running service, in both eras, with a person at the pages."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import anyio
import httpx2
import lxml.html
import pytest
from mcp.client import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.oauth2 import AuthorizationCodeResult
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from mcp.shared.exceptions import MCPError

from accounts import services
from accounts.models import ConnectedApp
from config.mcp.tools import catalogue
from directory.sites.catalogue import ensure_default_site
from tests.factories.listings import make_listing
from tests.servers.website import Website, html

PASSWORD = "correct horse battery staple"
ERAS = ["legacy", "2026-07-28"]


@dataclass
class Store:
    """What a client keeps between two starts."""

    tokens: OAuthToken | None = None
    client_info: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client_info

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client_info = client_info


@dataclass
class Person:
    """A browser that signs in and allows what it is asked, by the forms of the pages."""

    service: str
    http: httpx2.AsyncClient = field(default_factory=lambda: httpx2.AsyncClient(follow_redirects=False))
    asked: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    came_back: str = ""

    async def open(self, url: str) -> None:
        self.asked.append(url)
        response = await self.http.get(url)
        for _ in range(8):
            if response.is_redirect:
                target = str(httpx2.URL(str(response.url)).join(response.headers["location"]))
                if not target.startswith(self.service):
                    self.came_back = target
                    return
                response = await self.http.get(target)
            else:
                self.pages.append(response.text)
                response = await self._submit(response)
        raise AssertionError("The pages lead nowhere.")

    async def _submit(self, response: httpx2.Response) -> httpx2.Response:
        page = lxml.html.fromstring(response.text, base_url=str(response.url))
        forms = [
            form for form in page.forms if form.method == "POST" and "csrfmiddlewaretoken" in form.fields
        ]
        form = next((form for form in forms if "login" in form.fields), forms[0])
        if "login" in form.fields:
            form.fields["login"], form.fields["password"] = "ines@people.example", PASSWORD
            data = dict(form.form_values())
        else:
            data = {**dict(form.form_values()), "decision": "allow"}
        target = httpx2.URL(str(response.url)).join(form.action or str(response.url))
        return await self.http.post(target, data=data, headers={"Referer": str(response.url)})

    async def answer(self) -> AuthorizationCodeResult:
        found = dict(parse_qsl(urlsplit(self.came_back).query))
        return AuthorizationCodeResult(code=found["code"], state=found["state"], iss=found["iss"])


@dataclass
class App:
    """An MCP client with its own HTTP client; `seen` holds what it asked of us and how that was answered."""

    service: str
    era: str
    person: Person
    store: Store = field(default_factory=Store)
    document: str | None = None
    auth: OAuthClientProvider | None = None
    seen: list[tuple[str, str, int]] = field(default_factory=list)

    @asynccontextmanager
    async def connected(self, *, signing_in: bool = True) -> AsyncIterator[Client]:
        url = f"{self.service}/mcp"
        metadata = OAuthClientMetadata(
            client_name="SDK test",
            redirect_uris=["http://127.0.0.1:41999/callback"],
            token_endpoint_auth_method="none",
        )
        self.auth = OAuthClientProvider(
            url, metadata, self.store, self.person.open, self.person.answer, client_metadata_url=self.document
        )
        http = httpx2.AsyncClient(
            auth=self.auth if signing_in else None, event_hooks={"response": [self._note]}, timeout=30
        )
        async with http, Client(streamable_http_client(url, http_client=http), mode=self.era) as client:
            yield client

    async def _note(self, response: httpx2.Response) -> None:
        self.seen.append((response.request.method, response.request.url.path, response.status_code))


@pytest.fixture
def person(service: str) -> Person:
    ensure_default_site()
    services.create_user(email="ines@people.example", password=PASSWORD)
    return Person(service)


@pytest.mark.parametrize("era", [*ERAS, "auto"])
def test_reads_without_signing_in(service: str, person: Person, era: str) -> None:
    make_listing("tidewell", votes=3)

    async def scenario() -> None:
        async with App(service, era, person).connected(signing_in=False) as client:
            listed = await client.list_tools()
            assert [tool.name for tool in listed.tools] == list(catalogue())
            found = await client.call_tool("search_listings", {"q": "tidewell"})
            assert found.is_error is False
            assert [item["slug"] for item in found.structured_content["items"]] == ["tidewell"]
            missing = await client.call_tool("get_listing", {"slug": "nobody"})
            assert (missing.is_error, missing.structured_content["code"]) == (True, "not_found")
            with pytest.raises(MCPError):
                await client.call_tool("get_account", {})
            with pytest.raises(MCPError):
                await client.call_tool("no_such_tool", {})

    anyio.run(scenario)


async def token_request(app: App, http: httpx2.AsyncClient, **form: str) -> httpx2.Response:
    form = {"client_id": app.store.client_info.client_id, **form}
    return await http.post(f"{app.service}/oauth/{form.pop('to')}", data=form)


@pytest.mark.parametrize("era", ERAS)
def test_registers_signs_in_and_steps_up(service: str, person: Person, era: str) -> None:
    app = App(service, era, person)

    async def scenario() -> None:
        async with app.connected() as client:
            account = await client.call_tool("get_account", {})
            assert account.structured_content["email"] == "ines@people.example"
            assert account.structured_content["client"] == "SDK test"
            assert account.structured_content["scopes"] == ["account:read"]
            started = await client.call_tool("submit_listing", {"url": "https://tidewell.com"})
            assert (started.is_error, started.structured_content["status"]) == (False, "crawling")
            assert app.store.tokens.scope.split() == ["account:read", "listings:write"]

    anyio.run(scenario)
    ways = [way for way in app.seen if way[1] != "/mcp"]
    assert ways == [
        ("GET", "/.well-known/oauth-protected-resource/mcp", 200),
        ("GET", "/.well-known/oauth-authorization-server", 200),
        ("POST", "/oauth/register", 201),
        ("POST", "/oauth/token", 200),
        ("POST", "/oauth/token", 200),
    ]
    assert {status for _, path, status in app.seen if path == "/mcp"} >= {200, 401, 403}
    asked = [dict(parse_qsl(urlsplit(url).query)) for url in person.asked]
    assert [query["resource"] for query in asked] == [f"{service}/mcp"] * 2
    assert [query["scope"] for query in asked] == ["account:read", "account:read listings:write"]
    assert ["Sign in" in page and "act for you?" not in page for page in person.pages] == [True, False, False]


@pytest.mark.parametrize("era", ERAS)
def test_refreshes_and_revokes(service: str, person: Person, era: str) -> None:
    app = App(service, era, person)

    async def scenario() -> None:
        async with app.connected() as client:
            await client.call_tool("get_account", {})
            issued = app.store.tokens
            app.auth.context.token_expiry_time = 1
            assert (await client.call_tool("get_account", {})).is_error is False
        first = app.store.tokens
        assert first.refresh_token not in {None, issued.refresh_token}
        assert [path for _, path, _ in app.seen if path != "/mcp"][-2:] == ["/oauth/token"] * 2
        assert len(person.asked) == 1
        async with httpx2.AsyncClient() as http:
            refreshing = {"grant_type": "refresh_token", "refresh_token": first.refresh_token}
            answer = await token_request(app, http, to="token", resource=f"{service}/mcp", **refreshing)
            app.store.tokens = OAuthToken.model_validate(answer.json())
            async with app.connected() as client:
                assert (await client.call_tool("list_my_drafts", {})).structured_content["total"] == 0
            revoked = await token_request(app, http, to="revoke", token=app.store.tokens.refresh_token)
            assert revoked.status_code == 200
            for token in (issued, first, app.store.tokens):
                headers = {"Authorization": f"Bearer {token.access_token}"}
                assert (await http.post(f"{service}/mcp", json=PING, headers=headers)).status_code == 401

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
def test_signs_in_with_a_published_document(
    service: str, person: Person, era: str, website: Website, settings: Any
) -> None:
    address = "https://client.example/agent.json"
    settings.CRAWL_RESOLVE = website.at("client.example")
    website.pages["/agent.json"] = html(
        json.dumps(
            {
                "client_id": address,
                "client_name": "Published",
                "redirect_uris": ["http://127.0.0.1:1/callback"],
                "token_endpoint_auth_method": "none",
            }
        ),
        content_type="application/json",
    )
    app = App(service, era, person, document=address)

    async def scenario() -> None:
        async with app.connected() as client:
            account = await client.call_tool("get_account", {})
            assert account.structured_content["client"] == "Published"

    anyio.run(scenario)
    assert app.store.client_info.client_id == address
    assert "/oauth/register" not in [path for _, path, _ in app.seen]
    assert ConnectedApp.objects.get().application.client_id == address


@pytest.mark.parametrize("era", ERAS)
def test_an_api_key_is_the_other_way_in(service: str, person: Person, era: str) -> None:
    user = services.create_user(email="ines@people.example")
    _, key = services.create_api_key(user=user, name="SDK", at=user.date_joined)

    async def scenario() -> None:
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=30)
        async with (
            http,
            Client(streamable_http_client(f"{service}/mcp", http_client=http), mode=era) as client,
        ):
            account = await client.call_tool("get_account", {})
            assert account.structured_content["authentication"] == "api_key"

    anyio.run(scenario)


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
