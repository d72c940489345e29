"""Whatever a stranger sends, at any door, is refused in words: never a fault of ours."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from core.api.routes import all_routes
from directory.models import Site
from tests.conftest import Api, People
from tests.contract.interface import INTERFACE
from tests.contract.test_refusals import url
from tests.factories.listings import make_listing

BODIES = [
    rb'{"\ud800": 1}',
    rb'{"url": "\ud800"}',
    rb'{"fields": {"\udfff": {"\ud800": ["\udc00"]}}}',
    b'{"url": 99999999999999999999}',
    b'{"url": 1e999}',
    b'{"url": "' + b"\\" * 2001,
]
ROWS = [INTERFACE[route.spec.name] for route in all_routes()]
MESSAGES = [
    rb'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_listings","arguments":{"\ud800":"x"}}}',
    rb'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_listings","arguments":{"q":"\ud800"}}}',
    rb'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_listing","arguments":{"slug":"\ud800"}}}',
    rb'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\ud800"}}',
    rb'{"jsonrpc":"2.0","id":1,"method":"\ud800"}',
    rb'{"jsonrpc":"2.0","id":"\ud800","method":"ping"}',
    rb'[{"jsonrpc":"2.0","id":"\ud800","method":"ping"}]',
    b'{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":-9007199254740992,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
]
ORIGINS = ["http://[::1", "http://[", "http://a\u2100b", "http://host:port", "://", "null", "\ud800"]
QUERIES = [
    "q=%ff%fe",
    "q=%00&page=99999999999999999999999999&per_page=-1&sort=%F0%9F%A6%8A"
    "&next=http%3A%2F%2F%5B&resource=http%3A%2F%2F%5B&redirect_uri=http%3A%2F%2F%5B&client_id=%00",
]
VALUES = ["%00", "%ff%fe", "http%3A%2F%2F%5B"]
PARTS = {
    "IntConverter": ["99999999999999999999999999", "0"],
    "PathConverter": ["a%00.png", "..%2F..%2Fetc%2Fpasswd.png", "%ff.png", "x" * 3000 + ".png"],
    "SlugConverter": ["tidewell", "-" * 300],
    "StringConverter": ["%00", "%ff%fe", "9999-W99", "x" * 3000, "99999999999999999999999999"],
    "UUIDConverter": ["00000000-0000-4000-8000-000000000000"],
}
NAME = re.compile(r'<(?:input|textarea|select)[^>]*\bname="([^"]+)"')


@pytest.mark.parametrize("row", [row for row in ROWS if row.body], ids=lambda row: row.id)
@pytest.mark.parametrize("body", BODIES)
def test_bodies_of_operations(api: Api, site: Site, row: Any, body: bytes) -> None:
    caller = api("all" if row.scope else None)
    send = getattr(caller.client, row.method.lower())

    answer = send(url(row), data=body, content_type="application/json", headers=caller.headers)

    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert json.loads(answer.content)["code"] in {"invalid_request", "invalid_json"}


def test_a_query_that_is_not_utf8_is_not_taken_for_another(api: Api, site: Site) -> None:
    make_listing("tidewell")

    answer = api().get("/api/v1/listings?q=%ff%fe&page=1")

    assert answer.status_code == 400
    assert [(error["parameter"], error["code"]) for error in answer.json()["errors"]] == [("q", "not_utf8")]
    assert api().get("/api/v1/listings?utm_source=%ff").status_code == 200
    assert api().get("/api/v1/listings?q=%EF%BF%BD").status_code == 200
    assert Client().get("/search?q=%ff%fe").status_code == 400


@pytest.mark.parametrize("body", MESSAGES)
def test_messages(site: Site, body: bytes) -> None:
    answer = Client().post("/mcp", data=body, content_type="application/json")

    error = json.loads(answer.content)["error"]
    assert (answer.status_code, error["code"]) == (400, -32700)
    assert "id" not in json.loads(answer.content)


def test_a_long_message_of_nobody_is_not_read(site: Site, api: Api) -> None:
    long = b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"' + b"x" * 70_000 + b'"}'

    stranger = Client().post("/mcp", data=long, content_type="application/json")
    known = Client().post("/mcp", data=long, content_type="application/json", headers=api("all").headers)

    assert (stranger.status_code, "WWW-Authenticate" in stranger) == (401, True)
    assert (known.status_code, json.loads(known.content)["error"]["code"]) == (400, -32700)


@pytest.mark.parametrize("origin", ORIGINS)
def test_origins(site: Site, origin: str) -> None:
    answer = Client().post("/mcp", data=b"{}", content_type="application/json", headers={"Origin": origin})

    assert answer.status_code == 403


def _addresses(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern).removeprefix("^").removesuffix("$").removesuffix("\\Z")
        if isinstance(pattern, URLResolver):
            if route != "admin/":
                yield from _addresses(pattern, route)
            continue
        assert isinstance(pattern, URLPattern)
        converters = {name: type(kind).__name__ for name, kind in pattern.pattern.converters.items()}
        for number in range(max((len(PARTS[kind]) for kind in converters.values()), default=1)):
            filled = route
            for name, kind in converters.items():
                value = PARTS[kind][number % len(PARTS[kind])]
                filled = re.sub(rf"<(?:\w+:)?{name}>", lambda _: value, filled)  # noqa: B023
            yield "/" + filled.replace("(?P<rest>.*)", "nothing%ff")


# The health checks close the connection that the test holds.
ADDRESSES = sorted(set(_addresses(get_resolver())) - {"/healthz", "/readyz"})


@pytest.mark.minutes
def test_pages_and_their_forms(people: People, site: Site) -> None:
    """Each address of the service, signed in and not, and each form there with the same nonsense in all of its
    fields; a fault would be raised here."""
    make_listing("tidewell", owner=people.owner)
    signed_in = Client()

    for address in ADDRESSES:
        if SESSION_KEY not in signed_in.session:  # one of the forms signs out
            signed_in.force_login(people.owner)
        for browser in (Client(), signed_in):
            page = browser.get(address)
            assert page.status_code < 500, address
            for query in QUERIES:
                assert browser.get(f"{address}?{query}").status_code < 500, (address, query)
            text = "" if page.streaming else page.content.decode(errors="replace")
            names = sorted({"grant_type", "token", "client_id", *NAME.findall(text)})
            for value in VALUES:
                body = "&".join(f"{name}={value}" for name in names)
                answer = browser.post(address, data=body, content_type="application/x-www-form-urlencoded")
                assert answer.status_code < 500, (address, value)
    assert len(ADDRESSES) > 100
