"""What becomes of a claim arrives at the programs of those whose claim it is, as list_my_claims gives it."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from claims import tasks  # noqa: F401  (registers the jobs)
from claims.models import Claim
from claims.proving import reproving
from core import jobs
from tests.claims.conftest import FILE, Publish, Start, verify
from tests.conftest import Api, People
from tests.factories.events import Program
from tests.servers.website import Website, plain


@pytest.fixture
def program(people: People, listing: Any, website: Website) -> Program:
    return Program(website, user=people.owner)


@pytest.fixture
def proved(program: Program, api: Api, start: Start, publish: Publish) -> dict[str, Any]:
    """The owner's verified claim."""
    claim = start("file")
    publish(claim)
    return verify(api, claim)


def listed(api: Api, *, user: Any = None) -> Any:
    return api("all", user=user).get("/api/v1/claims").json()["items"]


def test_a_claim_that_is_verified(program: Program, api: Api, start: Start, publish: Publish) -> None:
    claim = start("file")
    publish(claim)
    verify(api, claim)
    verify(api, claim)

    [(name, data)] = program.work()
    assert (name, data["status"], [data]) == ("claim.verified", "verified", listed(api))


def test_a_contest_is_told_to_both_each_with_their_own_claim(
    program: Program, people: People, api: Api, proved: dict[str, Any], start: Start, website: Website
) -> None:
    rival = Program(website, user=people.stranger, host="rival.test")
    claim = start("file", user=people.stranger)
    website.pages["/plverify.txt"] = plain(claim["instructions"]["file"]["content"])
    verify(api, claim, user=people.stranger)
    jobs.run_due(queues={"default"})

    sent = [(row.type, row.thing) for row in program.deliveries()]
    [rivals] = rival.deliveries()
    assert sent == [("claim.verified", str(proved["claim_id"])), ("claim.contested", str(proved["claim_id"]))]
    [theirs] = listed(api, user=people.stranger)
    assert (rivals.type, rivals.thing, theirs["status"]) == (
        "claim.contested",
        str(theirs["claim_id"]),
        "contested",
    )
    assert f'"claim_id":{theirs["claim_id"]}' in rivals.body


def test_a_proof_that_is_gone(program: Program, api: Api, proved: dict[str, Any], website: Website) -> None:
    assert [name for name, _ in program.work()] == ["claim.verified"]
    website.pages[FILE] = plain("gone")
    now = timezone.now()
    Claim.objects.update(next_proof_at=now, failures=50, failing_since=now - timedelta(days=90))
    reproving.plan(at=now)
    jobs.run_due(queues={"crawl"})

    events = program.work()
    assert [(name, data["status"]) for name, data in events] == [
        ("claim.verified", "verified"),
        ("claim.lapsed", "lapsed"),
    ]
    assert [events[-1][1]] == listed(api)
