"""Every operation that changes something, with the same input over REST and as a tool: the same JSON."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import time_machine
from django.db import transaction

from config.mcp.pages import placeholder
from config.mcp.tools import Tool, catalogue
from directory.models import Milestone, Site
from tests.conftest import Api, People
from tests.drafts.conftest import blank_draft
from tests.factories.listings import AT, make_category, make_listing
from tests.factories.mcp import Mcp
from tests.factories.rest import rest_call
from tests.servers.website import Website, html, plain

CHANGES = [tool for tool in catalogue().values() if tool.method != "GET"]
ORDER = {"items": [{"product": "launch"}], "billing_country": "BE"}
INPUT: dict[str, dict[str, Any]] = {
    "submit_listing": {"url": "https://brindle.com"},
    "update_draft": {"fields": {"tagline": "Tidy"}, "faqs": [{"question": "Why?", "answer": "Because."}]},
    "invite_cofounder": {"email": "joao@tidewell.example"},
    "update_my_listing": {"fields": {"tagline": "Tidy"}},
    "post_listing_update": {"title": "Reminders", "body": "They write themselves."},
    "add_milestone": {"date": "2026-11-01", "title": "First customer"},
    "set_founder_story": {"title": "Late payers", "why_started": "A shoe box."},
    "answer_interview": {"answers": []},
    "claim_listing": {"slug": "brindle", "method": "dns"},
    "quote_order": ORDER,
    "create_checkout": ORDER,
}
HAPPENING = {"submit_listing", "update_draft", "invite_cofounder", "submit_draft", "choose_free_listing"}
# What no two calls share: ids, random words, counts of the database's own.
VOLATILE = (
    (r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<uuid>"),
    (r'"request_id":\s*"[^"]*"', '"request_id": ""'),
    (r'("(?:[a-z_]+_)?id":\s*)\d+', r"\1 0"),
    (r"/\d+(?=[/\"])", "/0"),
    (r"#update-\d+", "#update-0"),
    (r"PL-[0-9A-HJKMNP-TV-Z]{8}", "PL-"),
    (r"[A-Za-z0-9_-]{32,}", "<random>"),
)


def steady(body: Any) -> Any:
    """The body without what differs between any two calls."""
    text = json.dumps(body)
    for pattern, instead in VOLATILE:
        text = re.sub(pattern, instead, text)
    return json.loads(text)


@contextmanager
def undone() -> Iterator[None]:
    """Let happen what happens, then take it back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def world(people: People, site: Site, settings: Any) -> Iterator[dict[str, Any]]:
    """A draft that can be submitted, and a saved listing with a milestone."""
    make_category("invoicing", name="Invoicing")
    draft = blank_draft(owner=people.owner, site=site)
    for name, value in {"name": "Tidewell", "tagline": "Tidy", "categories": ["Invoicing"]}.items():
        draft.field_rows.filter(name=name).update(value=value, state="manual")
    listing = make_listing("calder", owner=people.owner, status="draft")
    milestone = Milestone.objects.create(listing=listing, date=AT.date(), title="Founded")
    make_listing("brindle")
    with Website({"/robots.txt": plain(""), "/": html("<h1>Calder</h1>")}) as website:
        settings.CRAWL_RESOLVE = website.at("calder.example")
        yield {
            "id": str(draft.pk),
            "listing_id": listing.pk,
            "milestone_id": milestone.pk,
            "claim_id": 1,
            "slug": "no-programme",
        }


def arguments_of(tool: Tool, world: dict[str, Any]) -> dict[str, Any]:
    """What the tool is given here; of a tool that is new, what it cannot do without."""
    path = {name: world[name] for name in tool.path_arguments}
    schema = tool.input_schema
    required = {name: placeholder(schema["properties"][name]) for name in schema.get("required", [])}
    return {**required, **INPUT.get(tool.name, {}), **path}


@pytest.mark.parametrize("tool", CHANGES, ids=lambda tool: tool.name)
def test_changing_gives_the_same_json(tool: Tool, world: dict[str, Any], api: Api) -> None:
    key = api("all").headers["Authorization"].removeprefix("Bearer ")
    arguments = arguments_of(tool, world)

    with time_machine.travel(AT, tick=False):
        with undone():
            expected = rest_call(tool, key, arguments)
        with undone():
            result = Mcp(key).result(tool.name, arguments)

    assert expected.status_code < 300 or tool.name not in HAPPENING, expected.json()
    assert steady(result["structuredContent"]) == steady(expected.json())
    assert result["isError"] is (expected.status_code >= 400)
