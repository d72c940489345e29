"""What the web server runs: no body stays on a connection that is used again."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.test import RequestFactory

from config import wsgi


def call(path: str, *, sent: bytes, chunked: str = "", kind: str = "application/json") -> tuple[int, BytesIO]:
    """The status of an answer to a body, and what is left of the body."""
    environ: dict[str, Any] = RequestFactory().generic("POST", path, sent, "application/json").environ
    stream = environ["wsgi.input"] = BytesIO(sent)
    environ["CONTENT_TYPE"] = kind
    if chunked:
        del environ["CONTENT_LENGTH"]
        environ["HTTP_TRANSFER_ENCODING"] = chunked
    told: list[str] = []
    answered = wsgi.application(environ, lambda status, _headers, *_: told.append(status))
    list(answered)
    answered.close()  # type: ignore[attr-defined]
    return int(told[0].split()[0]), stream


@pytest.mark.parametrize("chunked", ["", "chunked"])
@pytest.mark.parametrize(("path", "status"), [("site", 405), ("drafts", 401), ("nothing", 404)])
def test_what_a_refusal_did_not_read_is_taken_off_the_connection(
    transactional_db: None, path: str, status: int, chunked: str
) -> None:
    sent = json.dumps({"url": "https://tidewell.example/" + "x" * 100_000}).encode()

    answered, left = call(f"/api/v1/{path}", sent=sent, chunked=chunked)

    assert (answered, left.read()) == (status, b"")


def test_nobody_makes_us_read_without_end(transactional_db: None) -> None:
    sent = b"x" * (wsgi.LARGEST_BODY + 10)

    answered, left = call("/api/v1/site", sent=sent)

    assert (answered, len(left.read())) == (405, 10)


@pytest.mark.parametrize(
    ("sent", "status"), [(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}', 200), (b"x" * 6_000_000, 413)]
)
def test_a_body_that_does_not_tell_its_length_is_read_all_the_same(
    transactional_db: None, sent: bytes, status: int
) -> None:
    answered, _ = call("/mcp", sent=sent, chunked="chunked")

    assert answered == status


@pytest.mark.parametrize("charset", ["hex", "idna", "undefined", "utf-16", "utf8"])
@pytest.mark.parametrize(("path", "status"), [("/api/v1/site?q=t%C3%AFde", 405), ("/oauth/token", 400)])
def test_all_is_utf_8_whatever_codec_is_named(
    transactional_db: None, path: str, status: int, charset: str
) -> None:
    kind = f"application/x-www-form-urlencoded; charset={charset}"

    answered, _ = call(path, sent=b"grant_type=t%C3%AFde", kind=kind)

    assert answered == status
