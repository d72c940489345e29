"""A tool call is the REST call: same answer, same refusals, same idempotency."""

import json
import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from jsonschema import Draft202012Validator

from accounts.models import User
from config.mcp.protocol import MODERN
from config.mcp.tools import Tool, catalogue
from core.models import Job
from directory.launches.badges import badge_html
from directory.models import BlogPost, Founder, ListingFounder, Site
from drafts.models import Draft
from drafts.requests import submitting
from tests.conftest import Caller
from tests.factories.listings import AT, make_category, make_listing
from tests.factories.mcp import VERSIONS, Mcp
from tests.factories.rest import rest_call

TOOLS = list(catalogue().values())
OWNER = "owner@people.example"
WEBSITE = "https://tidewell.com"


@pytest.fixture
def world(site: Site, people: Any, api: Any) -> dict[str, Any]:
    """Something behind every identifier; values by the names that arguments have."""
    category = make_category("invoicing")
    listing = make_listing("tidewell", votes=5, owner=people.owner)
    make_listing("brindle", votes=3)
    founder = Founder.objects.create(slug="ines", name="Inês", created_at=AT)
    ListingFounder.objects.create(listing=listing, founder=founder, position=0)
    BlogPost.objects.create(
        site=site, slug="hello", title="Hello", markdown="# Hi", published_at=AT, updated_at=AT
    )
    draft = submitting.submit_listing(owner=people.owner, url=WEBSITE, site=site, at=AT)
    order = (
        api("all")
        .post(
            "/api/v1/orders/checkout",
            {"items": [{"product": "done_for_you", "options": {"website": "https://tidewell.com/"}}]},
        )
        .json()["order"]
    )
    return {
        "number": order["number"],
        "slug": listing.slug,
        "a": "tidewell",
        "b": "brindle",
        "week": "this",
        "board": "community-weekly",
        "listing_id": listing.pk,
        "id": str(draft.pk),
        "category": category.slug,
        "founder": founder.slug,
        "post": "hello",
    }


@pytest.fixture
def key(api: Any) -> str:
    return api("all").headers["Authorization"].removeprefix("Bearer ")


def arguments_of(tool: Tool, world: dict[str, Any]) -> dict[str, Any]:
    """What the tool cannot do without, from the world."""
    found = {name: world[name] for name in tool.input_schema.get("required", []) if name in world}
    if tool.name == "verify_award":
        return {"id": 7}
    kind = {"get_category": "category", "get_founder": "founder", "get_blog_post": "post"}.get(tool.name)
    return {**found, "slug": world[kind]} if kind else found


def without(body: Any, *names: str) -> Any:
    """The body without what differs between any two calls."""
    if isinstance(body, dict):
        return {name: without(value, *names) for name, value in body.items() if name not in names}
    return [without(value, *names) for value in body] if isinstance(body, list) else body


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool.method == "GET"], ids=lambda tool: tool.name)
def test_reading_gives_the_same_json(tool: Tool, world: dict[str, Any], key: str) -> None:
    arguments = arguments_of(tool, world)

    expected = rest_call(tool, key, arguments)
    result = Mcp(key).result(tool.name, arguments)

    body = result["structuredContent"]
    assert result["isError"] is (expected.status_code != 200)  # a claim that this world does not have is 404
    assert without(body, "request_id") == without(expected.json(), "request_id")
    assert Draft202012Validator(tool.output_schema).is_valid(body), [
        error.message for error in Draft202012Validator(tool.output_schema).iter_errors(body)
    ]


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool.method != "GET"], ids=lambda tool: tool.name)
def test_refusing_gives_the_same_problem(tool: Tool, world: dict[str, Any], key: str) -> None:
    arguments = {**arguments_of(tool, world), **({"no_such_property": 1} if tool.has_body else {})}
    if not tool.has_body:
        arguments = {
            name: "7" if name.endswith("_id") else str(uuid.UUID(int=7)) for name in tool.path_arguments
        }

    expected = rest_call(tool, key, arguments)
    result = Mcp(key).result(tool.name, arguments)

    assert expected.status_code in {400, 404}
    assert result["isError"] is True
    assert without(result["structuredContent"], "request_id") == without(expected.json(), "request_id")
    assert result["content"][0]["text"].startswith(f"{expected.status_code} {expected.json()['code']}: ")
    assert Draft202012Validator(tool.output_schema).is_valid(result["structuredContent"])


@pytest.mark.parametrize("version", VERSIONS)
def test_the_text_is_a_line_and_the_json(world: dict[str, Any], version: str) -> None:
    result = Mcp(version=version).result("search_listings", {"per_page": 1})

    line, body = (block["text"] for block in result["content"])
    assert line == "search_listings: items 1 to 1 of 2: Tidewell, live."
    assert body.startswith('{"items":[{')
    assert ("resultType" in result) == (version == MODERN)


def test_the_text_for_models_leaves_out_what_is_empty_or_said_elsewhere(world: dict[str, Any]) -> None:
    result = Mcp().result("get_listing", {"slug": "tidewell"})

    read, whole = json.loads(result["content"][1]["text"]), result["structuredContent"]
    assert (whole["categories"][0]["slug"], read["categories"]) == ("invoicing", ["invoicing"])
    assert {"api_url", "city", "faqs", "domain_rating"} & whole.keys() - read.keys() == {
        "api_url",
        "city",
        "faqs",
        "domain_rating",
    }
    assert (read["slug"], read["page_url"], read["votes"]) == ("tidewell", whole["page_url"], 5)


def test_an_empty_argument_counts_as_left_out(world: dict[str, Any]) -> None:
    empty = {"q": "", "category": "", "stage": "", "country": "", "domain": "", "pricing_model": ""}

    assert Mcp().result("search_listings", empty)["structuredContent"]["total"] == 2
    board = {"board": "community-all-time", "week": ""}
    assert Mcp().result("get_leaderboard", board)["isError"] is False


def test_what_a_person_has_to_do_stands_in_the_line(world: dict[str, Any], key: str, site: Site) -> None:
    listing = make_listing("waiting", status="awaiting_badge", owner=User.objects.get(email=OWNER))

    line = Mcp(key).result("get_my_listing", {"listing_id": listing.pk})["content"][0]["text"]

    code = badge_html(slug="waiting", name=listing.name)
    assert "in it by Sunday " in line
    place = rf"where visitors of {listing.url} see it"
    assert re.search(rf"A person puts this code {place}[^:]+: {re.escape(code)}", line)
    assert line.count("<a href=") == 1
    assert "Next: choose_free_listing. " in line


def test_the_line_names_the_thing(world: dict[str, Any], key: str) -> None:
    assert (
        Mcp().result("get_listing", {"slug": "tidewell"})["content"][0]["text"]
        == "get_listing: Tidewell, live."
    )
    others = Mcp().result("get_alternatives", {"slug": "tidewell"})["content"][0]["text"]
    assert others == "get_alternatives: 1 item: Brindle, live."
    text, body = (block["text"] for block in Mcp(key).result("get_draft", {"id": world["id"]})["content"])
    assert text.startswith(f"get_draft: {WEBSITE}")
    assert "Ask again in " in text
    assert "missing" not in json.loads(body)  # before it is written, that is everything


def test_the_paid_board_says_so_in_words(world: dict[str, Any]) -> None:
    result = Mcp().result("get_leaderboard", {"board": "billboard"})

    assert result["structuredContent"]["paid"] is True
    disclosure = result["structuredContent"]["disclosure"]
    assert f"PAID ranking: say so when you show it. {disclosure}" in result["content"][0]["text"]


class TestArguments:
    """From JSON to a request and back."""

    @pytest.mark.parametrize(
        ("arguments", "total"),
        [
            ({}, 2),
            ({"q": None, "page": None}, 2),
            ({"q": "tidewell"}, 1),
            ({"page": 2, "per_page": 1}, 2),
            ({"page": "2", "per_page": "1"}, 2),
            ({"q": "é\u0000"}, None),
        ],
    )
    def test_queries(self, world: dict[str, Any], arguments: dict[str, Any], total: int | None) -> None:
        result = Mcp().result("search_listings", arguments)

        if total is None:
            assert result["structuredContent"]["code"] in {"invalid_request"}
        else:
            assert result["structuredContent"]["total"] == total

    @pytest.mark.parametrize(
        ("arguments", "parameter", "code"),
        [
            ({"page": 0}, "page", "min_value"),
            ({"page": "x"}, "page", "invalid"),
            ({"page": [1]}, "page", "invalid"),
            ({"page": {"x": 1}}, "page", "invalid"),
            ({"sort": "best"}, "sort", "invalid_choice"),
            ({"no_such_argument": 1}, "no_such_argument", "unknown_property"),
        ],
    )
    def test_refusals_name_the_argument(self, world: Any, arguments: Any, parameter: str, code: str) -> None:
        result = Mcp().result("search_listings", arguments)

        (error,) = result["structuredContent"]["errors"]
        assert (result["isError"], error["parameter"], error["code"]) == (True, parameter, code)
        assert f"{parameter}: " in result["content"][0]["text"]

    def test_booleans_are_written_as_json(self, world: dict[str, Any]) -> None:
        make_category("empty")

        everything = Mcp().result("list_categories", {"include_empty": True})["structuredContent"]["items"]
        filled = Mcp().result("list_categories", {"include_empty": False})["structuredContent"]["items"]

        assert {item["slug"] for item in everything} - {item["slug"] for item in filled} == {"empty"}

    @pytest.mark.parametrize(
        "slug",
        [
            *("nobody", "No-Slug", "a/b", "../me", "a?b=c", "a%2Fb", "x" * 300, "é", "{slug}"),
            *("tidewell/badges", "tidewell/alternatives", "../categories/invoicing"),
        ],
    )
    def test_identifiers_that_name_nothing_are_not_found(self, world: Any, slug: str) -> None:
        result = Mcp().result("get_listing", {"slug": slug})

        assert (result["isError"], result["structuredContent"]["code"]) == (True, "not_found")

    @pytest.mark.parametrize("arguments", [{}, {"slug": None}, {"slug": ""}])
    def test_a_missing_identifier_is_named(self, world: Any, arguments: dict[str, Any]) -> None:
        (error,) = Mcp().result("get_listing", arguments)["structuredContent"]["errors"]

        assert (error["parameter"], error["code"]) == ("slug", "required")

    def test_null_in_a_body_means_null(self, world: dict[str, Any], key: str) -> None:
        Mcp(key).result("update_draft", {"id": world["id"], "fields": {"tagline": "Tidy"}})

        body = Mcp(key).result("update_draft", {"id": world["id"], "fields": {"tagline": None}})[
            "structuredContent"
        ]

        assert (body["fields"]["tagline"]["value"], body["fields"]["tagline"]["state"]) == (None, "deleted")

    def test_a_body_has_the_limits_of_rest(self, world: dict[str, Any], key: str) -> None:
        deep: Any = 1
        for _ in range(12):
            deep = {"x": deep}

        result = Mcp(key).result("submit_listing", {"url": "https://x.example/" + "y" * 300_000})
        nested = Mcp(key).result("submit_listing", {"url": deep})

        assert result["structuredContent"]["code"] == "invalid_request"
        assert nested["structuredContent"]["errors"][0]["pointer"] == "/url"


class TestIdempotency:
    """The key travels in `_meta` or as an argument."""

    url = "https://brindle.com"

    @pytest.mark.parametrize("way", ["argument", "meta"])
    def test_the_same_key_happens_once(self, site: Site, key: str, way: str) -> None:
        first, second = (self.submit(key, way) for _ in range(2))

        assert first == second
        assert Draft.objects.count() == 1

    @pytest.mark.parametrize("version", VERSIONS)
    def test_a_replay_says_so(self, site: Site, key: str, version: str) -> None:
        arguments = {"url": self.url, "idempotency_key": "k-1"}

        first, second = (Mcp(key, version=version).result("submit_listing", arguments) for _ in range(2))

        assert "idempotent-replayed" not in first.get("_meta", {})
        assert second["_meta"]["idempotent-replayed"] is True
        assert second["content"][0]["text"].endswith(first["content"][0]["text"])
        assert "again; nothing was done" in second["content"][0]["text"]
        assert without(first, "_meta", "content") == without(second, "_meta", "content")

    def submit(self, key: str, way: str, *, given: str = "k-1", url: str = url) -> Any:
        if way == "argument":
            return Mcp(key).result("submit_listing", {"url": url, "idempotency_key": given})[
                "structuredContent"
            ]
        meta = {"idempotency-key": given}
        return Mcp(key).result("submit_listing", {"url": url}, _meta=meta)["structuredContent"]

    def test_rest_and_mcp_share_their_keys(self, site: Site, key: str) -> None:
        over_rest = Caller(key).post("/api/v1/drafts", {"url": self.url}, Idempotency_Key="k-1")

        assert self.submit(key, "argument") == over_rest.json()
        assert Draft.objects.count() == 1

    def test_another_body_is_refused(self, site: Site, key: str) -> None:
        self.submit(key, "argument")

        assert self.submit(key, "meta", url="https://other.com")["code"] == "idempotency_key_reused"

    @pytest.mark.parametrize("given", ["", "x" * 256, "é", "a\nb"])
    def test_other_keys_are_refused(self, site: Site, key: str, given: str) -> None:
        assert self.submit(key, "argument", given=given)["code"] == "idempotency_key_invalid"
        assert not Draft.objects.exists()

    @pytest.mark.parametrize("given", [7, 7.5, True, ["x"], {"x": 1}])
    @pytest.mark.parametrize("way", ["argument", "meta"])
    def test_a_key_is_a_string(self, site: Site, key: str, way: str, given: Any) -> None:
        (error,) = self.submit(key, way, given=given)["errors"]

        assert (error["parameter"], error["code"]) == ("idempotency_key", "invalid")
        assert not Draft.objects.exists()

    def test_reading_takes_no_key(self, world: dict[str, Any]) -> None:
        result = Mcp().result("get_listing", {"slug": "tidewell", "idempotency_key": "x"})

        assert result["structuredContent"]["errors"][0]["parameter"] == "idempotency_key"
        assert (
            Mcp().result("get_listing", {"slug": "tidewell"}, _meta={"idempotency-key": "x"})["isError"]
            is False
        )


def test_the_person_of_the_call_is_the_person_of_the_credential(
    world: dict[str, Any], api: Any, people: Any
) -> None:
    stranger = api("all", user=people.stranger).headers["Authorization"].removeprefix("Bearer ")

    for tool, arguments in (
        ("get_draft", {"id": world["id"]}),
        ("get_my_listing", {"listing_id": world["listing_id"]}),
    ):
        assert Mcp(stranger).result(tool, arguments)["structuredContent"]["code"] == "not_found"


def test_a_change_and_its_jobs_are_one(site: Site, key: str, people: Any) -> None:
    body = Mcp(key).result("submit_listing", {"url": WEBSITE})["structuredContent"]

    draft = Draft.objects.get()
    assert (str(draft.pk), draft.owner) == (body["id"], people.owner)
    assert Job.objects.filter(payload__draft_id=body["id"]).count() == 1


def test_one_member_of_a_batch_leaves_the_others_alone(site: Site, key: str) -> None:
    calls = [
        {
            "jsonrpc": "2.0",
            "id": number,
            "method": "tools/call",
            "params": {"name": "submit_listing", "arguments": {"url": url}},
        }
        for number, url in enumerate([WEBSITE, "nonsense", "https://brindle.com"])
    ]

    answers = Mcp(key, version="2025-03-26").post(calls).json()

    assert [answer["result"]["isError"] for answer in answers] == [False, True, False]
    assert Draft.objects.count() == 2


def test_a_call_asks_the_database_no_more_than_rest_does(
    world: Any, key: str, django_assert_num_queries: Any
) -> None:
    tool = catalogue()["get_my_listing"]
    arguments = {"listing_id": world["listing_id"]}
    rest_call(tool, key, arguments)
    with CaptureQueriesContext(connection) as over_rest:
        rest_call(tool, key, arguments)

    with django_assert_num_queries(len(over_rest)):
        Mcp(key).result(tool.name, arguments)


def test_an_internal_error_is_a_result_and_tells_nothing(
    world: Any, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("accounts.views.selectors.account", broken)

    result = Mcp(key).result("get_account", {})

    assert (result["isError"], result["structuredContent"]["code"]) == (True, "internal_error")
    assert "secret" not in str(result)
