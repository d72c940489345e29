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


def test_a_preflight_allows_reading_and_no_credential(api: Api, site: Site) -> None:
    answer = api().client.options("/api/v1/listings", headers=ASKING)

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert "authorization" not in answer["Access-Control-Allow-Headers"].lower()
    assert not answer.has_header("Access-Control-Allow-Credentials")


@pytest.mark.parametrize("path", ["/api/v1/me", "/api/v1/drafts", "/api/v1/me/listings"])
def test_what_needs_a_credential_is_closed(api: Api, site: Site, path: str) -> None:
    caller = api("all")

    assert not caller.get(path, **ORIGIN).has_header("Access-Control-Allow-Origin")
    assert not caller.client.options(path, headers=ASKING).has_header("Access-Control-Allow-Origin")


def test_changes_are_closed(api: Api, site: Site) -> None:
    answer = api("all").post("/api/v1/drafts", {"url": ""}, **ORIGIN)

    assert answer.status_code == 400
    assert not answer.has_header("Access-Control-Allow-Origin")


def test_a_head_request_has_the_headers_and_no_body(api: Api, site: Site) -> None:
    make_listing()
    get = api().get("/api/v1/listings/tidewell")

    head = api().client.head("/api/v1/listings/tidewell")

    assert (head.status_code, head.content) == (200, b"")
    assert (head["ETag"], head["Access-Control-Allow-Origin"]) == (get["ETag"], "*")
