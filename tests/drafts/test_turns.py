"""One site holds one process of the crawler, one person and ten slow sites leave half of them to the others."""

from contextlib import ExitStack
from typing import Any

import pytest

from core import jobs
from core.models import Job
from drafts.models import Draft
from drafts.requests import turns
from drafts.requests.turns import Turn, turn
from tests.conftest import Api, People
from tests.servers.website import Website, html, plain

PROCESSES = 4


def begin(stack: ExitStack, *, number: int, owner: int, domain: str) -> Turn | None:
    """The turn of a draft, which lasts as long as the stack; None when it has to wait."""
    try:
        return stack.enter_context(turn(owner_id=owner, domain=domain, holder=f"draft {number}"))
    except jobs.NotNowError:
        return None


def goes_on(mine: Turn) -> bool:
    try:
        mine.go_on()
    except jobs.NotNowError:
        return False
    return True


def test_one_site_is_read_by_one_process_whoever_asks() -> None:
    with ExitStack() as stack:
        begun = [begin(stack, number=n, owner=n, domain="hostile.test") for n in range(PROCESSES)]

        assert [bool(mine) for mine in begun] == [True, False, False, False]
    with ExitStack() as stack:
        assert begin(stack, number=9, owner=9, domain="hostile.test")


def test_ten_sites_of_one_person_leave_half_of_the_processes() -> None:
    with ExitStack() as stack:
        begun = [begin(stack, number=n, owner=1, domain=f"hostile{n}.test") for n in range(10)]

        assert sum(map(bool, begun)) == PROCESSES // 2
        assert begin(stack, number=20, owner=2, domain="honest.test")


def test_ten_slow_sites_of_ten_people_leave_half_of_the_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    with ExitStack() as stack:
        begun = [begin(stack, number=n, owner=n, domain=f"hostile{n}.test") for n in range(PROCESSES)]
        assert all(begun)
        assert all(goes_on(mine) for mine in begun if mine)

        monkeypatch.setattr(turns, "SLOW_SECONDS", 0.0)
        assert [goes_on(mine) for mine in begun if mine] == [True, True, False, False]
        assert [goes_on(mine) for mine in begun[:2] if mine] == [True, True]
        again = begin(stack, number=3, owner=3, domain="elsewhere.test")
        fresh = begin(stack, number=20, owner=20, domain="honest.test")

        assert (again, bool(fresh)) == (None, True)
    with ExitStack() as stack:
        waited = begin(stack, number=3, owner=3, domain="hostile3.test")
        assert waited is not None
        assert waited.is_slow


def test_a_slow_site_waits_without_a_process_while_another_is_read(
    api: Api, people: People, site: Any, settings: Any, tidewell: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CRAWL_PROCESSES = 2
    with Website({"/": html("<h1>Slow</h1>"), "/robots.txt": plain("")}) as slow:
        settings.CRAWL_RESOLVE = settings.CRAWL_RESOLVE | slow.at("slow.test")
        mine = api("all").post("/api/v1/drafts", {"url": "https://slow.test/"}).json()["id"]
        monkeypatch.setattr(turns, "SLOW_SECONDS", 0.0)
        with jobs.place("crawl-slow", places=1, holder="another draft"):
            jobs.run_due(at_most=1)
        monkeypatch.undo()
        waiting = Job.objects.get(key=mine)
        theirs = api("all", user=people.stranger).post("/api/v1/drafts", {"url": "https://tidewell.test/"})
        jobs.run_due()
        Job.objects.filter(key=mine).update(run_after=waiting.created_at)
        jobs.run_due()

    assert (waiting.state, waiting.attempt) == ("queued", 0)
    assert theirs.status_code == 201
    assert set(Draft.objects.values_list("status", flat=True)) == {"ready"}
