"""Which answers scripts of other origins may read."""

import pytest

from directory.models import Site
from tests.conftest import Api
from tests.factories.listings import make_listing

ORIGIN = {"Origin": "https://elsewhere.example"}
ASKING = {**ORIGIN, "Access-Control-Request-Method": "GET"}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/listings/tidewell", 200),
        ("/api/v1/listings/nobody", 404),
        ("/api/v1/listings?page=0", 400),
        ("/api/v1/leaderboards/community-weekly", 200),
    ],
)
def test_public_reads_are_open_to_every_origin_whatever_the_answer(
    api: Api, site: Site, path: str, status: int
) -> None:
    make_listing()

    answer = api().get(path, **ORIGIN)

    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (status, "*")
    assert set(answer["Access-Control-Expose-Headers"].split(", ")) == {
        "ETag",
        "Idempotent-Replayed",
        "Link",
        "Location",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
        "WWW-Authenticate",
        "X-Request-Id",
    }
    assert not answer.has_header("Access-Control-Allow-Credentials")


def test_a_304_is_open_too(api: Api, site: Site) -> None:
    etag = api().get("/api/v1/site")["ETag"]

    answer = api().get("/api/v1/site", If_None_Match=etag, **ORIGIN)

    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (304, "*")


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/api/v1/listings", "GET, HEAD"),
        ("/api/v1/drafts", "GET, HEAD, POST"),
        ("/api/v1/me", "GET, HEAD"),
        ("/api/v1/openapi.json", "GET, HEAD"),
        ("/api/v1/nothing", "DELETE, GET, HEAD, PATCH, POST"),
    ],
)
def test_a_preflight_allows_what_is_offered_with_a_token_and_without_cookies(
    api: Api, site: Site, path: str, methods: str
) -> None:
    answer = api().client.options(path, headers=ASKING)

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer["Access-Control-Allow-Methods"] == methods
    assert (
        answer["Access-Control-Allow-Headers"]
        == "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id"
    )
    assert not answer.has_header("Access-Control-Allow-Credentials")


@pytest.mark.parametrize(
    ("scope", "path", "status"),
    [
        ("all", "/api/v1/me", 200),
        (None, "/api/v1/me", 401),
        ("listings:write", "/api/v1/me", 403),
        ("all", "/api/v1/drafts/00000000-0000-4000-8000-000000000000", 404),
        (None, "/api/v1/nothing", 404),
        (None, "/api/v2", 404),
    ],
)
def test_every_answer_of_the_api_may_be_read_and_none_takes_cookies(
    api: Api, site: Site, scope: str | None, path: str, status: int
) -> None:
    answer = api(scope).client.get(path, headers={**ORIGIN, **api(scope).headers})

    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (status, "*")
    assert not answer.has_header("Access-Control-Allow-Credentials")


def test_changes_and_their_refusals_are_open(api: Api, site: Site) -> None:
    answer = api("all").post("/api/v1/drafts", {"url": ""}, **ORIGIN)

    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (400, "*")


@pytest.mark.parametrize("path", ["/", "/account", "/accounts/login/"])
def test_pages_are_closed(api: Api, site: Site, path: str) -> None:
    assert not api().client.get(path, headers=ORIGIN).has_header("Access-Control-Allow-Origin")


def test_a_head_request_has_the_headers_and_no_body(api: Api, site: Site) -> None:
    make_listing()
    get = api().get("/api/v1/listings/tidewell")

    head = api().client.head("/api/v1/listings/tidewell")

    assert (head.status_code, head.content) == (200, b"")
    assert (head["ETag"], head["Access-Control-Allow-Origin"]) == (get["ETag"], "*")
