"""What happens to a draft arrives at its owner's program, as list_my_drafts gives it."""

from collections.abc import Callable
from typing import Any

from core import jobs
from directory.models import Site
from tests.conftest import Caller, People
from tests.factories.events import Program
from tests.servers.website import Website, html, plain


def arrive(program: Program, api: Callable[..., Caller]) -> list[tuple[str, Any]]:
    jobs.run_due()
    items = api("all").get("/api/v1/drafts").json()["items"]
    assert [data for _, data in program.work()] == items
    return [(name, data["status"]) for name, data in program.work()]


def test_a_draft_that_is_ready(
    api: Callable[..., Caller], site: Site, people: People, tidewell: Website, website: Website
) -> None:
    program = Program(website, user=people.owner)
    other = Program(website, user=people.stranger, host="stranger.test")
    api("all").post("/api/v1/drafts", {"url": "https://tidewell.test/"})

    assert arrive(program, api) == [("draft.ready", "ready")]
    assert other.deliveries() == []


def test_a_draft_whose_website_is_closed_and_then_filled_in_by_hand(
    api: Callable[..., Caller], site: Site, people: People, tidewell: Website, website: Website
) -> None:
    program = Program(website, user=people.owner)
    tidewell.pages |= {"/": html("away", status=500), "/robots.txt": plain("User-agent: *\nDisallow: /")}
    draft = api("all").post("/api/v1/drafts", {"url": "https://tidewell.test/"}).json()
    assert arrive(program, api) == [("draft.failed", "failed")]

    api("all").patch(f"/api/v1/drafts/{draft['id']}", {"fields": {"name": "Tidewell"}})
    names = [(name, data["status"], data["name"]) for name, data in program.work()]
    assert names == [("draft.failed", "failed", None), ("draft.ready", "ready", "Tidewell")]
