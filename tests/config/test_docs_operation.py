"""The page of each operation, and the calls that it shows."""

import json
import shlex
from typing import Any
from urllib.parse import urlsplit

from django.test import Client

from config.docs_operation import as_curl, as_tool_call, example_of, operations

SHOWN = ("curl ", "httpx.request", "tools/call", "Example answer", "rate_limited")


def test_each_operation_has_a_page_with_its_answer_and_calls(client: Client, site: Any) -> None:
    pages = {name: client.get(f"/docs/operations/{name}").content.decode() for name in operations()}
    index = client.get("/docs").content.decode()

    assert {name: [words for words in SHOWN if words not in text] for name, text in pages.items()} == {
        name: [] for name in operations()
    }
    assert [name for name in operations() if f'href="/docs/operations/{name}"' not in index] == []
    assert [name for name, text in pages.items() if "`" in text.split("<aside")[0]] == []
    assert client.get("/docs/operations/none").status_code == 404


def test_the_shown_calls_of_reads_are_understood(api: Any, site: Any) -> None:
    caller, refused = api("all"), {}
    for name, (method, _, _) in operations().items():
        words = shlex.split(as_curl(example_of(name), needs_key=False).replace("\\\n", " "))
        address = urlsplit(words[1])
        if method == "GET":
            answer = caller.get(f"{address.path}?{address.query}" if address.query else address.path)
            if answer.status_code not in {200, 404} and answer.json()["code"] != "listing_unknown":
                refused[name] = answer.json()

    assert refused == {}


def test_the_tool_calls_have_every_value_of_the_path() -> None:
    for name in operations():
        call = json.loads(as_tool_call(name, example_of(name)))

        assert call["params"]["name"] == name
        assert "{" not in example_of(name).url
