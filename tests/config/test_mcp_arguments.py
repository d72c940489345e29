"""Arguments that no request could hold: refused by name, all at once, and never as something that is not there."""

import json
from typing import Any

import pytest

from directory.models import Site
from drafts.requests import submitting
from tests.conftest import Api, People
from tests.factories.listings import AT, make_listing
from tests.factories.mcp import Mcp, message


@pytest.fixture
def mcp(api: Api, site: Site) -> Mcp:
    return Mcp(api("all").headers["Authorization"].removeprefix("Bearer "))


def errors(result: dict[str, Any]) -> list[tuple[str, str]]:
    problem = result["structuredContent"]
    assert (result["isError"], problem["status"], problem["code"]) == (True, 400, "invalid_request")
    return [(error.get("parameter") or error["pointer"], error["code"]) for error in problem["errors"]]


@pytest.mark.parametrize("written", ["462", "462.0", "4.62e2", "46200e-2"])
def test_an_id_is_an_integer_however_it_is_written(mcp: Mcp, people: People, written: str) -> None:
    make_listing("brindle", owner=people.owner, pk=462)
    call = message(
        "tools/call", {"name": "get_my_listing", "arguments": {"listing_id": 17}}, version="2025-06-18"
    )

    answer = Mcp(mcp.token, version="2025-06-18").post(json.dumps(call).replace("17", written).encode())

    assert answer.json()["result"]["structuredContent"]["listing_id"] == 462


@pytest.mark.parametrize(
    ("tool", "arguments", "wrong"),
    [
        ("get_my_listing", {"listing_id": 462.5}, [("listing_id", "invalid")]),
        ("get_my_listing", {"listing_id": "four"}, [("listing_id", "invalid")]),
        ("get_my_listing", {"listing_id": True}, [("listing_id", "invalid")]),
        ("get_my_listing", {"listing_id": -1}, [("listing_id", "min_value")]),
        ("get_draft", {"id": "the last one"}, [("id", "invalid")]),
        ("get_draft", {"id": 5}, [("id", "invalid")]),
        ("get_listing", {"slug": 5}, [("slug", "invalid")]),
        ("get_listing", {"listing": "brindle"}, [("slug", "required"), ("listing", "unknown_property")]),
        (
            "search_listings",
            {"query": "crm", "per_page": 0, "sort": "best"},
            [("query", "unknown_property"), ("sort", "invalid_choice"), ("per_page", "min_value")],
        ),
        (
            "post_listing_update",
            {"listing_id": 1.5, "title": "News", "text": "Hello"},
            [("listing_id", "invalid"), ("/body", "required"), ("/text", "unknown_property")],
        ),
        ("delete_milestone", {"listing_id": 1}, [("milestone_id", "required")]),
    ],
)
def test_everything_that_is_wrong_is_named_at_once(
    mcp: Mcp, tool: str, arguments: dict[str, Any], wrong: list[tuple[str, str]]
) -> None:
    assert errors(mcp.result(tool, arguments)) == wrong


def test_two_keys_that_differ_are_refused_and_nothing_is_done(mcp: Mcp, people: People, site: Site) -> None:
    draft = submitting.submit_listing(owner=people.owner, url="https://tidewell.com", site=site, at=AT)
    arguments = {"id": str(draft.pk), "email": "bo@tidewell.com", "idempotency_key": "one"}

    refused = mcp.result("invite_cofounder", arguments, _meta={"idempotency-key": "two"})

    assert errors(refused) == [("idempotency_key", "idempotency_key_invalid")]
    assert draft.invites.count() == 0


@pytest.mark.parametrize("written", ["462.0", "4.62e2"])
def test_a_body_takes_it_too_and_it_counts_as_the_same(
    api: Api, people: People, site: Site, written: str
) -> None:
    make_listing("brindle", owner=people.owner, pk=462)
    items = '{"items":[{"product":"featured","listing_id":%s}]}'

    answers = [
        api("all").post("/api/v1/orders/checkout", (items % number).encode(), Idempotency_Key="one")
        for number in ("462", written)
    ]

    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[1]["Idempotent-Replayed"] == "true"
    assert answers[1].json()["order"]["lines"][0]["listing_id"] == 462


@pytest.mark.parametrize("written", ["462.5", "462.00000000000000001", "1e-400"])
def test_a_fractional_part_is_no_integer(api: Api, people: People, site: Site, written: str) -> None:
    items = f'{{"items":[{{"product":"featured","listing_id":{written}}}]}}'

    answer = api("all").post("/api/v1/orders/quote", items.encode())

    assert [(error["code"], error["pointer"]) for error in answer.json()["errors"]] == [
        ("invalid", "/items/0/listing_id")
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("update_my_listing", {"fields": {"name": "Tidewell"}}, "by update_draft."),
        ("update_my_listing", {"tagline": "Paid"}, "inside fields."),
        ("update_my_listing", {"story": {"title": "Late"}}, "Use set_founder_story."),
        ("update_draft", {"name": "Tidewell"}, "inside fields."),
        ("update_draft", {"socials": {}}, "company_socials or founder_socials."),
    ],
)
def test_a_value_in_the_wrong_place_is_told_where_it_belongs(
    mcp: Mcp, people: People, site: Site, tool: str, arguments: dict[str, Any], says: str
) -> None:
    make_listing("brindle", owner=people.owner, pk=462)
    draft = submitting.submit_listing(owner=people.owner, url="https://tidewell.com", site=site, at=AT)
    target = {"listing_id": 462} if tool == "update_my_listing" else {"id": str(draft.pk)}

    (error,) = mcp.result(tool, target | arguments)["structuredContent"]["errors"]

    assert (error["code"], error["message"].endswith(says)) == ("unknown_property", True)
