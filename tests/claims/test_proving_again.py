"""A proof is looked for again: it lapses after three failures in two weeks, with warnings, and never at once."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from claims import tasks  # noqa: F401  (registers the jobs)
from claims.models import Claim
from claims.proving import reproving
from core import jobs
from core.api import caching
from core.models import Job
from directory.models import Listing
from tests.claims.conftest import FILE, HOST, Publish, Start, mails, status_of, verify
from tests.claims.test_email import ADDRESS, browser, mailed
from tests.conftest import Api, People
from tests.servers.website import Website, plain

DAY = timedelta(days=1)


def days_later(days: float) -> None:
    """The sweep comes by after so many days, as often as it has to."""
    at = timezone.now() + days * DAY
    Claim.objects.filter(next_proof_at__lte=at).update(next_proof_at=timezone.now())
    with time_machine.travel(at, tick=False):
        reproving.plan(at=at)
    due = Job.objects.filter(kind="claims.prove_again", state="queued")
    for job in due:
        claim = Claim.objects.get(pk=job.payload["claim_id"])
        taken = jobs.claim(job_id=job.pk)
        assert taken is not None
        reproving.prove_again(claim_id=claim.pk, lease=taken[1], at=at)
        Job.objects.filter(pk=job.pk).update(state="done")


@pytest.fixture
def proved(api: Api, start: Start, publish: Publish) -> dict[str, Any]:
    claim = start("file")
    publish(claim)
    return verify(api, claim)


def shown(api: Api) -> dict[str, Any]:
    """What anybody sees, once what was cached before this test's transaction has gone."""
    caching.ANSWERS.clear()
    found: dict[str, Any] = api().get("/api/v1/listings/acme").json()["verified"]
    return found


def test_a_proof_that_stays_is_seen_again_each_month(
    api: Api, proved: dict[str, Any], mailoutbox: list[Any]
) -> None:
    first = Claim.objects.get()
    reproving.plan(at=timezone.now() + 29 * DAY)
    assert Job.objects.filter(kind="claims.prove_again").count() == 0
    days_later(30)
    later = Claim.objects.get()

    assert (later.status, later.attempts, later.failures) == ("verified", first.attempts + 1, 0)
    assert later.next_proof_at
    assert first.next_proof_at
    assert later.next_proof_at - first.next_proof_at > 29 * DAY
    assert shown(api)["checked_at"] > proved["verified_at"]
    assert mails(mailoutbox) == []


def test_it_lapses_after_three_failures_in_two_weeks_and_comes_back(
    api: Api, people: People, proved: dict[str, Any], website: Website, mailoutbox: list[Any]
) -> None:
    kept = website.pages[FILE]
    website.pages[FILE] = plain("other")
    seen = []
    for day in (30, 37, 44):
        days_later(day)
        seen.append((status_of(proved), shown(api)["claimed"], len(mails(mailoutbox))))

    assert seen == [("verified", True, 1), ("verified", True, 2), ("lapsed", False, 3)]
    assert [subject for _, subject in mails(mailoutbox)][-1] == f"{HOST}: no longer verified"
    assert Listing.objects.get().owner == people.owner  # until somebody else proves it
    website.pages[FILE] = kept
    assert verify(api, proved)["status"] == "verified"
    assert shown(api)["claimed"] is True


def test_two_failures_do_not_end_it_however_far_apart(
    api: Api, proved: dict[str, Any], website: Website
) -> None:
    website.pages[FILE] = plain("other")
    for day in (30, 45):
        days_later(day)

    assert (status_of(proved), Claim.objects.get().failures) == ("verified", 2)
    assert shown(api)["claimed"] is True


def test_one_failure_is_forgotten_once_it_is_seen_again(
    api: Api, proved: dict[str, Any], website: Website
) -> None:
    kept = website.pages[FILE]
    website.pages[FILE] = plain("other")
    days_later(30)
    website.pages[FILE] = kept
    days_later(37)

    claim = Claim.objects.get()
    assert (claim.status, claim.failures, claim.failing_since) == ("verified", 0, None)


def test_a_lapsed_listing_goes_to_whoever_proves_it(
    api: Api, people: People, proved: dict[str, Any], website: Website, start: Start
) -> None:
    website.pages[FILE] = plain("other")
    for day in (30, 37, 44):
        days_later(day)
    rival = start("file", user=people.stranger)
    website.pages[FILE] = plain(rival["instructions"]["file"]["content"])

    assert verify(api, rival, user=people.stranger)["status"] == "verified"
    assert (Listing.objects.get().owner, status_of(proved)) == (people.stranger, "superseded")


def test_by_mail_the_button_proves_it_again_each_year(
    api: Api, people: People, start: Start, mailoutbox: list[Any]
) -> None:
    claim = start("email", email=ADDRESS)
    browser(people.owner).post(mailed(mailoutbox))
    days_later(30)
    assert len(mails(mailoutbox)) == 1
    days_later(366)
    assert (len(mails(mailoutbox)), mailoutbox[-1].to) == (2, [ADDRESS])
    assert browser(people.owner).post(mailed(mailoutbox)).status_code == 200
    again = Claim.objects.get()

    assert (status_of(claim), again.failures, again.link) == ("verified", 0, "")
    days_later(732)
    days_later(739)
    days_later(747)
    assert (status_of(claim), shown(api)["claimed"]) == ("lapsed", False)


def test_a_killed_worker_loses_no_proof(
    api: Api, proved: dict[str, Any], website: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever took the job dies before its end; the next worker does it, and the dead one can no longer write."""
    Claim.objects.update(next_proof_at=timezone.now())
    reproving.plan(at=timezone.now())
    job = Job.objects.get(kind="claims.prove_again")
    dead = jobs.claim(job_id=job.pk)
    assert dead is not None
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs.run_due(queues={"crawl"})
    Claim.objects.update(next_proof_at=timezone.now())
    with pytest.raises(jobs.LeaseLostError):
        reproving.prove_again(claim_id=proved["claim_id"], lease=dead[1], at=timezone.now())

    job.refresh_from_db()
    assert (job.state, Claim.objects.get().attempts) == ("done", 2)


def test_the_sweep_ends_what_has_expired(api: Api, start: Start) -> None:
    claim = start("dns")
    Claim.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    reproving.plan(at=timezone.now())

    assert status_of(claim) == "expired"


def test_a_listing_that_staff_moved_is_not_taken_back(
    people: People, listing: Listing, proved: dict[str, Any]
) -> None:
    Listing.objects.update(owner=people.stranger)
    days_later(30)

    listing.refresh_from_db()
    assert (listing.owner, status_of(proved)) == (people.stranger, "superseded")


def test_the_proof_of_who_shares_a_listing_is_seen_again_too(
    people: People, listing: Listing, proved: dict[str, Any]
) -> None:
    Listing.objects.update(owner=people.stranger)
    listing.co_owners.add(people.owner)
    days_later(30)

    assert (status_of(proved), Claim.objects.get().attempts) == ("verified", 2)


def test_the_proof_of_who_shares_a_listing_stands_against_a_contest(  # noqa: PLR0917
    api: Api,
    people: People,
    listing: Listing,
    proved: dict[str, Any],
    start: Start,
    website: Website,
    mailoutbox: list[Any],
) -> None:
    """The other owner's own proof is gone: whoever has one is asked, and it is looked for at the end."""
    Listing.objects.update(owner=people.staff)
    listing.co_owners.add(people.owner)
    claim = start("file", user=people.stranger)
    website.pages["/plverify.txt"] = plain(claim["instructions"]["file"]["content"])
    assert verify(api, claim, user=people.stranger)["status"] == "contested"
    Claim.objects.filter(status="contested").update(contest_ends_at=timezone.now())
    reproving.plan(at=timezone.now())
    jobs.run_due(queues={"crawl"})
    listing.refresh_from_db()

    assert people.owner.email in dict(mails(mailoutbox))
    assert (listing.owner, status_of(claim)) == (people.staff, "contested")
    assert Claim.objects.get(pk=claim["claim_id"]).for_staff_since is not None
