"""The page of each operation, and the calls that it shows."""

import json
import shlex
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from config.docs_operation import as_curl, as_tool_call, example_of, operations

NAMES = sorted(operations())
OF_NOBODY = 404  # an example names a listing that this site does not have


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_each_operation_has_a_page_with_its_answer_and_calls(client: Client, site: Any, name: str) -> None:
    text = client.get(f"/docs/operations/{name}").content.decode()

    assert "curl " in text
    assert "httpx.request" in text
    assert "tools/call" in text
    assert "Example answer" in text
    assert "rate_limited" in text
    assert f'href="/docs/operations/{name}"' in client.get("/docs").content.decode()


def test_an_unknown_operation_is_a_404_page(client: Client, site: Any) -> None:
    assert client.get("/docs/operations/none").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name in NAMES if operations()[name][0] == "GET"])
def test_the_shown_call_of_a_read_is_understood(api: Any, site: Any, name: str) -> None:
    words = shlex.split(as_curl(example_of(name), needs_key=False).replace("\\\n", " "))
    address = urlsplit(words[1])
    answer = api("all").get(f"{address.path}?{address.query}" if address.query else address.path)

    assert answer.status_code in {200, OF_NOBODY} or answer.json()["code"] == "listing_unknown"


@pytest.mark.parametrize("name", NAMES)
def test_the_tool_call_has_every_value_once(name: str) -> None:
    call = json.loads(as_tool_call(name, example_of(name)))

    assert call["params"]["name"] == name
    assert "{" not in example_of(name).url
