"""The page of each operation, and the calls that it shows."""

import json
import shlex
from typing import Any
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from django.test import Client

from config.docs.errors import DRAFT_FAILURES, error_codes
from config.docs.operation import as_curl, as_tool_call, example_of, operations
from config.docs.pages import schema

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


def table_of(client: Client, name: str) -> dict[str, str]:
    """The refusals on an operation's page, with their meanings."""
    page = BeautifulSoup(client.get(f"/docs/operations/{name}").content, "lxml")
    rows = page.select("section[aria-labelledby=fails] tbody tr")
    return {row.code.text: row.select("td")[-1].text for row in rows if row.code}


def test_a_code_means_what_it_means_to_the_operation(client: Client, site: Any) -> None:
    tables = {name: table_of(client, name) for name in ("create_checkout", "update_draft", "get_leaderboard")}

    checkout = tables["create_checkout"]
    assert (checkout["invalid_state"], checkout["week_unavailable"]) == (
        "Not in this state",
        "This week isn’t available",
    )
    assert (checkout["authentication_required"], checkout["account_suspended"]) == (
        "Sign-in needed",
        "The account is suspended",
    )
    assert tables["update_draft"]["category_unknown"] == "Unknown category"
    assert "authentication_required" not in tables["get_leaderboard"]


def test_staffs_own_codes_are_on_no_public_page(client: Client, site: Any) -> None:
    page = BeautifulSoup(client.get("/docs/errors").content, "lxml")
    shown = [row["id"] for row in page.select("tr[id]")]

    assert {"cannot_ban", "cannot_undo", "category_cannot_move", "edit_decided", "refund_refused"} & {
        *shown
    } == set()
    assert {"invalid_request", "duplicate_listing", "promo_used_up", "authentication_required"} <= {*shown}
    assert {*shown} - {*DRAFT_FAILURES} <= {*error_codes()}


def test_the_twin_of_a_page_has_names_and_types_apart(client: Client, site: Any) -> None:
    lines = client.get("/docs/operations/update_draft.md").content.decode().splitlines()

    assert "id UUID, in the path, required" in lines
    assert "status string" in lines


def test_a_checkout_is_shown_with_a_key_and_a_cart_that_the_answer_is_of(client: Client, site: Any) -> None:
    call, quoted = example_of("create_checkout"), example_of("quote_order")
    answer = schema()["components"]["examples"]["quote_order"]["value"]
    item, line = quoted.body["items"][0], answer["lines"][0]

    assert '-H "Idempotency-Key: my-create-checkout"' in as_curl(call, needs_key=True)
    assert (
        json.loads(as_tool_call("create_checkout", call))["params"]["arguments"]["idempotency_key"]
        == call.key
    )
    assert "Idempotency-Key" not in as_curl(quoted, needs_key=True)
    assert {name: line[name] for name in item} == item
    assert (answer["vat"]["country"], answer["promo"]) == (quoted.body["billing_country"], None)


def test_copied_carts_cost_no_try_of_promo_codes(api: Any, site: Any) -> None:
    """After five codes that cannot be used a person waits a quarter of an hour for the next."""
    buyer, body = api("all"), example_of("quote_order").body
    answers = [buyer.post("/api/v1/orders/quote", body).json() for _ in range(6)]

    assert {answer.get("code") for answer in answers} == {"listing_unknown"}
    assert example_of("create_checkout").body == body


def test_what_an_operation_shows_is_its_own(client: Client, site: Any) -> None:
    """An edit's answer is no draft that nobody has written yet, and a programme's name is no listing's."""
    shown = schema()["paths"]["/drafts/{id}"]["patch"]["responses"]["200"]["content"]["application/json"]
    (name,) = shown["examples"]

    assert schema()["components"]["examples"][name]["value"]["status"] == "ready"
    assert example_of("enter_programme").parts["slug"] not in {"tidewell", "brindle"}


def test_every_copy_button_of_the_quick_start_copies_what_it_stands_beside(client: Client, site: Any) -> None:
    page = BeautifulSoup(client.get("/docs/start").content, "lxml")
    buttons = page.select("copy-button")

    assert {button.button.text.strip() for button in buttons} == {"Copy"}
    assert [button["for"] for button in buttons] == [
        button.find_previous("code", id=True)["id"] for button in buttons
    ]
    assert len(buttons) == 12
