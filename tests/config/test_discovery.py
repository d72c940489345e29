"""What programs find at fixed addresses, and the pages that say how to connect."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from protego import Protego

from config.docs import pages as docs
from config.mcp.tools import catalogue
from core.api import throttling
from tests.factories.oauth import site

pytestmark = pytest.mark.django_db


def test_llms_txt_names_every_operation(client: Client) -> None:
    response = client.get("/llms.txt")

    text = response.content.decode()
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert text.startswith("# Launch Directory\n\n> ")
    assert f"]({site('/mcp')})" in text
    assert "The billboard is a paid\nranking and has to be shown as paid." in text
    assert [name for name in catalogue() if f"- [{name}]({site(f'/docs/mcp/{name}')}): " not in text] == []
    assert "- [submit_listing]" in text
    assert " Needs listings:write.\n" in text


def test_security_txt_is_valid_for_half_a_year(client: Client, settings: Any) -> None:
    settings.SECURITY_CONTACT = "mailto:safety@site.example"

    fields = dict(
        line.split(": ", 1) for line in client.get("/.well-known/security.txt").content.decode().splitlines()
    )

    assert fields["Contact"] == "mailto:safety@site.example"
    assert fields["Canonical"] == site("/.well-known/security.txt")
    expires = datetime.fromisoformat(fields["Expires"])
    assert timedelta(days=178) < expires - datetime.now(UTC) <= timedelta(days=180)


def test_the_registry_manifest_is_named_by_our_host(client: Client, settings: Any) -> None:
    settings.SITE_URL = "https://launch.site.example"

    assert client.get("/.well-known/mcp/server.json").json() == {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "example.site.launch/launch-directory",
        "title": "Launch Directory",
        "description": "Search, submit, edit, claim and order listings of a product launch directory.",
        "version": "1.0.0",
        "websiteUrl": "https://launch.site.example/docs/mcp",
        "remotes": [{"type": "streamable-http", "url": "https://launch.site.example/mcp"}],
    }


def test_the_connect_page_shows_both_ways_in_and_every_tool(client: Client) -> None:
    page = client.get("/docs/mcp").content.decode()

    assert f"claude mcp add --transport http launch-directory {site('/mcp')}" in page
    assert "Authorization: Bearer plk_…" in page
    assert "With an API key" in page
    assert [name for name in catalogue() if f'href="/docs/mcp/{name}"' not in page] == []


@pytest.mark.parametrize("name", list(catalogue()))
def test_each_tool_has_a_page(client: Client, name: str) -> None:
    response = client.get(f"/docs/mcp/{name}")

    page = response.content.decode()
    assert response.status_code == 200
    assert f"&quot;name&quot;: &quot;{name}&quot;" in page
    assert [
        given for given in catalogue()[name].input_schema["properties"] if f"<code>{given}</code>" not in page
    ] == []


def test_a_tools_page_says_what_its_objects_hold(client: Client) -> None:
    page = client.get("/docs/mcp/update_draft").content.decode()

    assert "object with name, tagline, short_description, description, stage" in page
    assert "array of object with question, answer, at most 10 items" in page
    assert "UUID" in page


def test_the_docs_show_recipes_of_operations_that_there_are(client: Client) -> None:
    page = client.get("/docs").content.decode()

    steps = {title: {name for name, _ in steps} for title, steps in docs.RECIPES}
    shown = {title for title in steps if f"<h3>{title}</h3>" in page}
    assert shown == {title for title, names in steps.items() if names <= catalogue().keys()}
    assert "Submit a product and launch it free" in shown
    assert 'href="#submit_listing"><code>submit_listing</code></a>' in page


def test_the_docs_explain_every_limit(client: Client) -> None:
    page = client.get("/docs").content.decode()

    for name, policy in throttling.POLICIES.items():
        assert f"<code>{name}</code>" in page
        assert f'<td data-label="How many">{policy.limit}</td>' in page
        assert policy.counts in page


def test_there_are_no_pages_of_other_tools(client: Client) -> None:
    assert client.get("/docs/mcp/no_such_tool").status_code == 404


def test_the_openapi_file_names_where_to_sign_in(client: Client) -> None:
    schemes = client.get("/api/v1/openapi.json").json()["components"]["securitySchemes"]

    assert schemes["apiKey"] | {"description": ""} == {"type": "http", "scheme": "bearer", "description": ""}
    flow = schemes["oauth2"]["flows"]["authorizationCode"]
    assert (flow["authorizationUrl"], flow["tokenUrl"]) == (site("/oauth/authorize"), site("/oauth/token"))
    assert set(flow["scopes"]) == {"account:read", "listings:write", "orders:write"}


def test_the_openapi_file_has_one_tag_and_no_status_that_the_api_lacks(client: Client) -> None:
    path = "/api/v1/openapi.json"
    tag = client.get(path)["ETag"]

    assert client.head(path)["ETag"] == tag
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(path, headers={"If-Match": '"another"'}).status_code == 200


@pytest.mark.django_db
def test_robots_may_read_what_llms_txt_names(client: Client) -> None:
    rules = Protego.parse(client.get("/robots.txt").content.decode())
    named = re.findall(r"\]\(([^)]+)\)", client.get("/llms.txt").content.decode())

    assert [url for url in named if not rules.can_fetch(url, "AnyBot")] == []
    assert not rules.can_fetch("/api/v1/listings", "AnyBot")


def test_an_unknown_address_of_the_api_is_a_problem(client: Client) -> None:
    answer = client.get("/api/v1/nothing")

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    "path",
    [
        "/healthz",
        "/readyz",
        "/metrics",
        "/llms.txt",
        "/robots.txt",
        "/sitemap.xml",
        "/.well-known/security.txt",
        "/.well-known/jwks.json",
        "/.well-known/mcp/server.json",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource/mcp",
        "/docs",
        "/data",
        "/data/index.json",
        "/data/listings.ndjson.gz",
        "/weeks/2026-11-16/ballots.ndjson.gz",
        "/awards/1",
        "/awards/1.json",
        "/awards/1.png",
        "/awards/1.svg",
        "/awards/1/qr.svg",
        "/awards/revoked.json",
        "/awards/achievements/launch_of_the_week_1.json",
        "/listings/tidewell/trophies.svg",
        "/badges/tidewell/listed.svg",
        "/feeds/launches.ics",
        "/feeds/launches.atom",
        "/feeds/categories/invoicing.atom",
        "/feeds/blog.atom",
        "/feeds/awards.atom",
        "/feeds/listings/tidewell/updates.atom",
    ],
)
def test_a_program_is_told_which_methods_there_are_and_not_of_cookies(path: str, method: str) -> None:
    response = Client(enforce_csrf_checks=True).generic(method, path, b"{}", "application/json")

    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")
