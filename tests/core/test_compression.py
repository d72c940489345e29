"""Answers are compressed for who takes gzip, and stay what they are."""

import gzip

import pytest
from django.test import Client

from directory.models import Site
from tests.factories.listings import make_listing

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/openapi.json", "/api/v1/listings", "/accounts/login/", "/docs"]
)
def test_large_texts_are_compressed_and_hold_the_same(client: Client, site: Site, path: str) -> None:
    for number in range(3):
        make_listing(slug=f"tidewell-{number}")
    plain = client.get(path)

    packed = client.get(path, headers=GZIP)

    assert (plain.get("Content-Encoding"), packed["Content-Encoding"]) == (None, "gzip")
    assert len(packed.content) == int(packed["Content-Length"]) < len(plain.content) / 2
    assert len(gzip.decompress(packed.content)) == len(plain.content)
    assert "Accept-Encoding" in plain["Vary"]
    assert "Accept-Encoding" in packed["Vary"]


def test_mcp_answers_are_compressed(client: Client, site: Site) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    packed = client.post("/mcp", body, content_type="application/json", headers={"Accept": "*/*", **GZIP})

    assert packed["Content-Encoding"] == "gzip"
    assert b"search_listings" in gzip.decompress(packed.content)


@pytest.mark.parametrize("path", ["/api/v1/openapi.json", "/sitemap.xml", "/api/v1/site"])
@pytest.mark.parametrize("taken", [{}, GZIP])
def test_a_caller_who_has_the_answer_gets_304(
    client: Client, site: Site, path: str, taken: dict[str, str]
) -> None:
    etag = client.get(path, headers=taken)["ETag"]

    again = client.get(path, headers={"If-None-Match": etag, **taken})

    assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
    assert "Accept-Encoding" in again["Vary"]


@pytest.mark.parametrize("path", ["/api/v1/openapi.json", "/sitemap.xml", "/api/v1/listings", "/api/v1/site"])
@pytest.mark.parametrize("taken", [{}, GZIP])
def test_any_answer_that_a_caller_has_is_304_with_the_tag_of_that_answer(
    client: Client, site: Site, path: str, taken: dict[str, str]
) -> None:
    for number in range(3):
        make_listing(slug=f"tidewell-{number}")
    whole = client.get(path, headers=taken)

    again = client.get(path, headers={"If-None-Match": "*", **taken})

    assert whole["ETag"].startswith("W/") is whole.has_header("Content-Encoding")
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", whole["ETag"])


@pytest.mark.parametrize(("etag", "status"), [("", 200), ("*", 304)])
@pytest.mark.parametrize("path", ["/sitemap.xml", "/api/v1/site"])
def test_an_answer_without_a_day_of_its_own_is_not_too_new(
    client: Client, site: Site, path: str, etag: str, status: int
) -> None:
    """Such a condition is ignored where there is no Last-Modified (RFC 9110 section 13.1.4)."""
    asked = {"If-Unmodified-Since": "Sat, 29 Oct 1994 19:43:31 GMT", "If-None-Match": etag}

    assert client.get(path, headers=asked).status_code == status


@pytest.mark.parametrize("taken", ["", "br", "gzip;q=0", "identity, gzip; q=0.0, br"])
def test_who_does_not_take_gzip_gets_none(client: Client, site: Site, taken: str) -> None:
    answer = client.get("/api/v1/openapi.json", headers={"Accept-Encoding": taken})

    assert not answer.has_header("Content-Encoding")


def test_small_answers_are_left_alone(client: Client, site: Site) -> None:
    assert not client.get("/healthz", headers=GZIP).has_header("Content-Encoding")


def test_a_page_with_a_token_never_has_the_same_length_for_long(client: Client, site: Site) -> None:
    lengths = {len(client.get("/accounts/login/", headers=GZIP).content) for _ in range(12)}

    assert len(lengths) > 1
