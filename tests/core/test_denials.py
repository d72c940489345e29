"""Wrong credentials: a flood of them ends in 429, at no more than one look-up each, and harms no neighbour."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from directory.models import Site
from tests.conftest import Api
from tests.factories.mcp import Mcp

SITE = "/api/v1/site"
WRONG = "Bearer plk_wrong"


@pytest.fixture
def three(settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 3 / 600


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        (SITE, {"Authorization": WRONG}, 401),
        (SITE, {"Authorization": "Bearer " + "x" * 43}, 401),
        ("/api/v1/me", {}, 401),
        ("/api/v1/drafts", {"Authorization": "Basic abc"}, 401),
    ],
)
def test_too_many_wrong_credentials_are_429_at_one_query_at_most(
    api: Api, site: Site, three: None, path: str, headers: dict[str, str], status: int
) -> None:
    caller = api()
    answers = [caller.get(path, **headers) for _ in range(3)]
    with CaptureQueriesContext(connection) as statements:
        refused = caller.get(path, **headers)

    assert [one.status_code for one in answers] == [status] * 3
    assert [one["RateLimit"].split(";")[:2] for one in answers] == [['"denied"', f"r={n}"] for n in (2, 1, 0)]
    assert answers[0]["RateLimit-Policy"] == '"denied";q=3;w=60'
    assert refused.status_code == 429
    assert len(statements) <= 1
    assert (refused.json()["policy"], refused.json()["limit"]) == ("denied", 3)
    assert refused["Retry-After"] == str(refused.json()["retry_after"])
    assert refused["RateLimit"].startswith('"denied";r=0;')


def test_a_missing_scope_counts_and_a_good_call_does_not(api: Api, site: Site, three: None) -> None:
    reader = api("account:read")
    body = {"url": "https://example.com"}
    answers = [reader.get("/api/v1/me")] + [reader.post("/api/v1/drafts", body) for _ in range(4)]

    assert [one.status_code for one in answers] == [200, 403, 403, 403, 429]
    assert answers[0]["RateLimit"].startswith('"read";')


def test_public_reads_without_a_credential_go_on(api: Api, site: Site, three: None) -> None:
    for _ in range(4):
        api().get(SITE, Authorization=WRONG)

    assert api().get(SITE).status_code == 200


def test_a_good_credential_goes_on_beside_a_neighbours_flood(api: Api, site: Site, three: None) -> None:
    neighbour = api("account:read")
    key = neighbour.headers["Authorization"].removeprefix("Bearer ")
    flood = [api().get("/api/v1/me", Authorization=WRONG).status_code for _ in range(5)]

    assert flood == [401, 401, 401, 429, 429]
    assert neighbour.get("/api/v1/me").status_code == 200
    assert Mcp(key).ask("tools/list").status_code == 200


def test_who_comes_by_ipv4_is_counted_alone_where_the_server_writes_it_as_ipv6(
    client: Client, site: Site, three: None
) -> None:
    flood, neighbour = ([f"::ffff:198.51.100.{n}"] * many for n, many in ((7, 4), (9, 1)))
    answers = [client.get("/api/v1/me", REMOTE_ADDR=address).status_code for address in (*flood, *neighbour)]

    assert answers == [401, 401, 401, 429, 401]


def test_mcp_counts_them_too(site: Site, three: None) -> None:
    denied = [Mcp(WRONG.removeprefix("Bearer ")).ask("tools/list").status_code for _ in range(4)]

    assert denied == [401, 401, 401, 429]


def test_what_does_not_exist_ends_in_429_as_well(client: Client, db: None, settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 2 / 1200
    answers = [client.get("/api/v1/nothing") for _ in range(3)]

    assert [one.status_code for one in answers] == [404, 404, 429]
    assert [one["RateLimit"].split(";")[1] for one in answers] == ["r=1", "r=0", "r=0"]
    assert (answers[2].json()["policy"], answers[2]["Content-Type"]) == ("read", "application/json")
    assert answers[2]["Content-Length"] == str(len(answers[2].content))
