"""A draft has every part of its shape; what is unknown is null and never absent."""

import uuid
from typing import Any

import pytest

from tests.conftest import Api

QUOTE = {"quote", "url", "link", "page_title", "source", "start", "end", "page_sha256", "fetched_at"}
PAGE = {"url", "status", "bytes", "skipped", "reason"}


def test_a_ready_draft_need_not_be_asked_for_again(ready: dict[str, Any]) -> None:
    assert ready["poll_after_seconds"] is None


def test_every_quote_has_all_its_parts(ready: dict[str, Any]) -> None:
    groups = (ready["fields"].values(), ready["company_socials"].values(), ready["faqs"], ready["founders"])
    quotes = [quote for group in groups for entry in group for quote in entry["evidence"]]

    assert {frozenset(quote) for quote in quotes} == {frozenset(QUOTE)}
    assert {quote["start"] is None for quote in quotes} == {True, False}


def test_every_page_says_whether_it_was_left_out(ready: dict[str, Any]) -> None:
    pages = ready["crawl"]["pages"]

    assert {frozenset(page) for page in pages} == {frozenset(PAGE)}
    assert {page["skipped"] for page in pages} >= {None, "robots"}


@pytest.mark.parametrize(
    ("form", "status"),
    [("{}", 200), ("{{{}}}", 404), ("urn:uuid:{}", 404), ("({})", 404), ("{}-", 404), ("{0.hex}", 404)],
)
def test_an_id_is_what_we_gave_in_any_case(api: Api, ready: dict[str, Any], form: str, status: int) -> None:
    path = f"/api/v1/drafts/{form.format(uuid.UUID(ready['id']))}"

    answers = [
        api("account:read").get(path),
        api("account:read").get(path.replace(ready["id"], ready["id"].upper())),
    ]

    assert [answer.status_code for answer in answers] == [status, status]
