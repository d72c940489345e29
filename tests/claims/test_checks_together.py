"""Checks that a request does not wait for, and checks at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from claims.models import Claim, ClaimCheck
from claims.proving import checking
from core import jobs
from core.models import Job
from directory.models import Listing, ListingMove
from tests.claims.conftest import FILE, HOST, Start, mails, status_of, verify
from tests.conftest import Api, People
from tests.servers import website as w
from tests.servers.dns import DnsServer

NAME = f"_plverify.{HOST}"


def test_a_slow_site_is_read_by_a_job(
    api: Api, start: Start, website: w.Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "AT_ONCE", 0.3)
    claim = start("file")
    found = w.plain(f"plverify={Claim.objects.get().token}")
    website.pages[FILE] = w.in_turn(w.hang(), w.slow(0.8, found))
    at_once = verify(api, claim)
    jobs.run_due(queues={"crawl"})
    later = api("all").get("/api/v1/claims").json()["items"][0]

    assert (at_once["status"], at_once["last_check"]["result"]) == ("pending", "timeout")
    assert (later["status"], later["attempts"]) == ("verified", 2)


def test_a_job_gives_nothing_to_an_account_that_was_banned_meanwhile(
    api: Api, people: People, listing: Listing, start: Start, website: w.Website
) -> None:
    claim = start("file")
    website.pages[FILE] = w.plain(f"plverify={Claim.objects.get().token}")
    User.objects.filter(pk=people.owner.pk).update(suspended_at=timezone.now())
    jobs.add(checking.JOB, key="slow", claim_id=claim["claim_id"])
    jobs.run_due(queues={"crawl"})
    listing.refresh_from_db()

    assert (status_of(claim), listing.owner) == ("pending", None)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_during", [False, True])
def test_a_job_proves_nothing_for_a_claim_that_has_ended(
    api: Api,
    listing: Listing,
    start: Start,
    website: w.Website,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_during: bool,
) -> None:
    """Its time is over when the job begins, or it ends while the website answers."""
    monkeypatch.setattr(checking, "AT_ONCE", 0.3)
    claim = start("file")
    proof = w.plain(f"plverify={Claim.objects.get().token}")

    def meanwhile(handler: w.Handler) -> None:
        Claim.objects.update(status="superseded")
        connection.close()
        proof(handler)

    website.pages[FILE] = w.in_turn(w.hang(), meanwhile if is_during else proof)
    verify(api, claim)
    if not is_during:
        Claim.objects.update(expires_at=timezone.now())
    jobs.run_due(queues={"crawl"})

    assert (status_of(claim), ClaimCheck.objects.count()) == ("superseded" if is_during else "pending", 1)
    assert Job.objects.get(kind="claims.check").state == "done"
    assert Listing.objects.get().owner is None


@pytest.mark.django_db(transaction=True)
def test_twenty_checks_at_once_are_one(
    api: Api, people: People, listing: Listing, start: Start, website: w.Website, mailoutbox: list[Any]
) -> None:
    Listing.objects.update(owner=people.stranger)
    claim = start("file")
    website.pages[FILE] = w.slow(0.5, w.plain(f"plverify={Claim.objects.get().token}"))
    callers = [api("all") for _ in range(20)]

    def call(caller: Any) -> int:
        try:
            return int(caller.post(f"/api/v1/claims/{claim['claim_id']}/verify").status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as pool:
        statuses = list(pool.map(call, callers))

    assert statuses == [200] * 20
    assert (status_of(claim), ClaimCheck.objects.count(), website.paths) == ("verified", 1, [FILE])
    assert ListingMove.objects.count() == 1
    assert mails(mailoutbox) == [("stranger@people.example", f"Someone else verified {HOST}")]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_prove_it_at_once_one_owns_it(
    api: Api, people: People, listing: Listing, start: Start, dns_server: DnsServer, mailoutbox: list[Any]
) -> None:
    both = [(people.owner, start("dns")), (people.stranger, start("dns", user=people.stranger))]
    dns_server.answer(NAME, "TXT", tuple(claim["instructions"]["record"]["value"] for _, claim in both))
    dns_server.delay(NAME, 0.3)

    def call(one: Any) -> str:
        user, claim = one
        try:
            return str(verify(api, claim, user=user)["status"])
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        statuses = list(pool.map(call, both))

    assert sorted(statuses) == ["contested", "verified"]
    listing.refresh_from_db()
    assert listing.owner == both[statuses.index("verified")][0]
    assert sorted(address for address, _ in mails(mailoutbox)) == sorted(
        [people.owner.email, people.stranger.email]
    )
