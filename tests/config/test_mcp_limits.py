"""What counts against which limit: a tool's call as over REST, all else against the endpoint's own."""

from typing import Any

import pytest

from config.mcp.tools import catalogue
from directory.models import Site
from tests.factories.mcp import Mcp, message
from tests.factories.rest import rest_call

pytestmark = pytest.mark.django_db


PING = message("ping", version="2025-03-26", id=1)


def test_the_operations_own_limit_counts_too(site: Site, settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 2 / 600

    results = [Mcp().call("search_listings", {}) for _ in range(4)]

    assert [response.status_code for response in results] == [200] * 4
    refused = results[-1].json()["result"]
    assert refused["isError"] is True
    assert refused["structuredContent"]["error"] == "rate_limited"
    assert refused["structuredContent"]["policy"] == "search"
    assert refused["content"][0]["text"].startswith("429 rate_limited: ")


def test_a_call_counts_once_where_rest_counts_it(site: Site) -> None:
    tool, arguments = catalogue()["search_listings"], {"q": "tidewell"}

    told = [
        rest_call(tool, None, arguments)["RateLimit"],
        Mcp().call(tool.name, arguments)["RateLimit"],
        Mcp().call(tool.name, {"no_such_argument": 1})["RateLimit"],
    ]

    assert [entry.partition(";t=")[0] for entry in told] == [
        '"search";r=599',
        '"search";r=598',
        '"mcp";r=1199',
    ]


def test_the_limit_is_the_callers_own(settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 3 / 1200

    statuses = [Mcp().ask("tools/list").status_code for _ in range(4)]
    refused = Mcp().ask("tools/list")

    assert statuses == [200, 200, 200, 429]
    assert int(refused["Retry-After"]) > 0
    assert refused["RateLimit-Policy"].startswith('"mcp"')
    assert refused.json()["id"] == 7
    assert refused.json()["error"]["data"]["error"] == "rate_limited"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        ([], 400),
        (message("tools/unheard"), 404),
        (message("tools/call", {"name": "get_account"}), 401),
        (message("tools/call", {"name": "get_site_info", "arguments": {"x": 1}}), 200),
        (message("notifications/cancelled", id=None), 202),
    ],
)
def test_what_reaches_no_operation_is_limited_too(settings: Any, body: Any, status: int) -> None:
    settings.RATE_LIMIT_FACTOR = 1 / 1200

    assert [Mcp().post(body).status_code for _ in range(2)] == [status, 429]


def test_every_member_of_a_batch_counts(settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 3 / 1200

    assert Mcp(version=None).post([PING] * 4).status_code == 429
