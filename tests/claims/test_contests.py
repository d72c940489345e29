"""Proof beats possession; a proved owner has seven days; two proofs are for staff."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.errors import OwnGainError
from accounts.models import User
from claims import tasks  # noqa: F401  (registers the jobs)
from claims.errors import ClaimStateError
from claims.models import Claim
from claims.ownership import owning
from claims.proving import reproving
from core import jobs
from core.models import Job
from directory.engagement import voting
from directory.errors import OwnListingError
from directory.models import Listing, ListingRevision
from directory.moderation import reviewing
from tests.claims.conftest import FILE, HOST, Start, mails, status_of, verify
from tests.claims.test_verify_claim import Publish
from tests.conftest import Api, People, signed_in
from tests.servers.dns import DnsServer
from tests.servers.website import Website, plain

DAY = timedelta(days=1)
DECIDED = {  # what the owner of before reads, and who claimed
    "give": ("belongs to someone else now", "is yours."),
    "keep": ("stays yours.", "stays with its owner."),
    "share": ("stays yours, and someone who verified it too", "together with its owner."),
}


@pytest.fixture
def proved(api: Api, people: People, start: Start, publish: Publish) -> dict[str, Any]:
    """The owner's verified claim."""
    claim = start("file")
    publish(claim)
    return verify(api, claim)


@pytest.fixture
def contested(
    api: Api, people: People, proved: dict[str, Any], start: Start, website: Website
) -> dict[str, Any]:
    """The stranger's claim against it, by the same method."""
    claim = start("file", user=people.stranger)
    website.pages["/plverify.txt"] = plain(claim["instructions"]["file"]["content"])
    return verify(api, claim, user=people.stranger)


def seven_days_later() -> None:
    """The contest is over, and the sweep comes by."""
    Claim.objects.filter(status="contested").update(contest_ends_at=timezone.now() - timedelta(seconds=1))
    reproving.plan(at=timezone.now())
    jobs.run_due(queues={"crawl"})


def owner_of(listing: Listing) -> Any:
    listing.refresh_from_db()
    return listing.owner


def test_an_owner_who_never_proved_it_loses_it_at_once_and_is_told(  # noqa: PLR0917
    api: Api,
    people: People,
    listing: Listing,
    start: Start,
    publish: Publish,
    mailoutbox: list[Any],
    settings: Any,
) -> None:
    settings.MAIL_REPLY_TO = "desk@launch.example"
    Listing.objects.update(owner=people.stranger)
    claim = start("dns")
    publish(claim)

    assert verify(api, claim)["status"] == "verified"
    assert owner_of(listing) == people.owner
    assert mails(mailoutbox) == [(people.stranger.email, f"Someone else verified {HOST}")]
    assert "Just reply" in str(mailoutbox[0].body)
    assert mailoutbox[0].reply_to == ["desk@launch.example"]


def test_a_proved_owner_has_seven_days(
    api: Api, people: People, listing: Listing, contested: dict[str, Any], mailoutbox: list[Any]
) -> None:
    assert (contested["status"], contested["listing_id"], contested["verified_at"]) == (
        "contested",
        None,
        None,
    )
    assert owner_of(listing) == people.owner
    assert sorted(address for address, _ in mails(mailoutbox)) == [
        "owner@people.example",
        "stranger@people.example",
    ]
    assert verify(api, contested, user=people.stranger) == contested  # as it was, without another check
    reproving.plan(at=timezone.now())
    assert not Job.objects.filter(kind="claims.end_contest").exists()


def test_an_owners_program_is_told_to_prove_it_again_until_it_has(
    api: Api, proved: dict[str, Any], contested: dict[str, Any], publish: Publish
) -> None:
    def first_step(path: str = "/api/v1/claims?status=verified") -> dict[str, str]:
        (item,) = api("all").get(path).json()["items"]
        step: dict[str, str] = item["next_actions"][0]
        return step

    step = first_step("/api/v1/me/listings")
    assert (step["operation"], step["path"]) == ("list_my_claims", "/api/v1/claims")
    assert "or the listing becomes theirs" in step["why"]
    step = first_step()
    assert (step["operation"], step["path"]) == (
        "verify_claim",
        f"/api/v1/claims/{proved['claim_id']}/verify",
    )
    assert "or the listing becomes theirs" in step["why"]

    publish(proved)
    assert verify(api, proved)["next_actions"][0]["operation"] == "get_my_listing"
    assert first_step()["operation"] == "get_my_listing"
    assert first_step("/api/v1/me/listings")["operation"] != "list_my_claims"


def test_an_owner_who_shows_the_proof_meanwhile_has_shown_it(
    api: Api, proved: dict[str, Any], contested: dict[str, Any], publish: Publish
) -> None:
    """What the seven days are for: the owner need not wait for the job at their end."""
    publish(proved)
    before = Claim.objects.get(pk=proved["claim_id"]).proved_at

    with time_machine.travel(timezone.now() + timedelta(minutes=10), tick=False):
        assert verify(api, proved)["status"] == "verified"

    after = Claim.objects.get(pk=proved["claim_id"]).proved_at
    assert before is not None
    assert after is not None
    assert after - before >= timedelta(minutes=9)


def test_meanwhile_the_owner_edits_all_but_the_contact(
    api: Api, listing: Listing, contested: dict[str, Any]
) -> None:
    path = f"/api/v1/me/listings/{listing.pk}"
    refused = api("all").patch(path, {"fields": {"contact_email": "me@elsewhere.com", "tagline": "New"}})
    edited = api("all").patch(path, {"fields": {"tagline": "New"}})

    assert (refused.status_code, refused.json()["code"], refused.json()["current"]) == (
        400,
        "invalid_state",
        "contested",
    )
    assert (edited.status_code, edited.json()["listing"]["tagline"]) == (200, "New")
    assert edited.json()["listing"]["links"]["contact_email"] is None


def test_meanwhile_staff_put_the_contact_back(
    api: Api, people: People, listing: Listing, proved: dict[str, Any], start: Start, publish: Publish
) -> None:
    path = f"/api/v1/me/listings/{listing.pk}"
    api("all").patch(path, {"fields": {"contact_email": "me@elsewhere.com"}})
    rival = start("dns", user=people.stranger)
    publish(rival)
    assert verify(api, rival, user=people.stranger)["status"] == "contested"

    edit = ListingRevision.objects.get(listing=listing)
    reviewing.put_back(revision_ids=[edit.pk], reviewer_id=people.staff.pk, at=timezone.now())

    assert api("all").get(path).json()["links"]["contact_email"] is None


def test_without_a_fresh_proof_it_changes_hands(
    people: People, listing: Listing, proved: dict[str, Any], contested: dict[str, Any], website: Website
) -> None:
    Listing.objects.update(plan="paid")
    website.pages[FILE] = plain("gone")
    seven_days_later()

    assert (status_of(proved), status_of(contested)) == ("superseded", "verified")
    assert (owner_of(listing), listing.plan, listing.claimed_by_method) == (people.stranger, "paid", "file")


def test_a_weaker_proof_does_not_keep_it(
    api: Api, people: People, listing: Listing, proved: dict[str, Any], start: Start, dns_server: DnsServer
) -> None:
    rival = start("dns", user=people.stranger)
    told = rival["instructions"]["record"]
    dns_server.answer(told["name"], "TXT", told["value"])
    assert verify(api, rival, user=people.stranger)["status"] == "contested"
    seven_days_later()

    assert (status_of(proved), status_of(rival)) == ("superseded", "verified")
    assert owner_of(listing) == people.stranger


def test_an_owner_whose_proof_is_the_weaker_one_is_told_what_holds(
    api: Api,
    people: People,
    proved: dict[str, Any],
    start: Start,
    publish: Publish,
    mailoutbox: list[Any],
) -> None:
    rival = start("dns", user=people.stranger)
    publish(rival)
    verify(api, rival, user=people.stranger)

    again = verify(api, proved)  # the file is there, and is no answer to a DNS record

    (step,) = again["next_actions"]
    assert (step["operation"], "by DNS record" in step["why"]) == ("claim_listing", True)
    page = signed_in(people.owner).get(f"/listings/{proved['slug']}/claim").content.decode()
    assert "Your file isn’t enough: choose DNS record below." in page
    mails(mailoutbox)
    (mail,) = [mail.body for mail in mailoutbox if mail.to == [people.owner.email]]
    assert "UTC, by DNS record. What you showed before isn’t enough" in mail
    stronger = start("dns")
    publish(stronger)
    assert verify(api, stronger)["next_actions"][0]["operation"] == "get_my_listing"


def test_a_proof_that_is_still_there_goes_to_staff(
    people: People, listing: Listing, proved: dict[str, Any], contested: dict[str, Any]
) -> None:
    seven_days_later()

    assert (status_of(proved), status_of(contested)) == ("verified", "contested")
    assert Claim.objects.get(pk=contested["claim_id"]).for_staff_since is not None
    assert owner_of(listing) == people.owner
    seven_days_later()
    assert Claim.objects.filter(for_staff_since=None, status="contested").count() == 0


def test_the_owner_proves_it_again_by_a_stronger_way(
    api: Api,
    people: People,
    proved: dict[str, Any],
    contested: dict[str, Any],
    start: Start,
    publish: Publish,
) -> None:
    stronger = start("dns")  # no already_owner while it is contested
    publish(stronger)

    assert verify(api, stronger)["status"] == "verified"
    assert status_of(proved) == "superseded"
    assert api().get("/api/v1/listings/acme").json()["verified"]["method"] == "dns"


@pytest.mark.parametrize(
    ("outcome", "owner", "status", "mailed"),
    [("give", "stranger", "verified", 2), ("keep", "owner", "failed", 2), ("share", "owner", "verified", 2)],
)
def test_staff_decide_with_both_proofs_and_a_reason(  # noqa: PLR0917
    api: Api,
    people: People,
    listing: Listing,
    contested: dict[str, Any],
    mailoutbox: list[Any],
    outcome: str,
    owner: str,
    status: str,
    mailed: int,
) -> None:
    seven_days_later()
    mails(mailoutbox)
    mailoutbox.clear()
    staff = signed_in(people.staff)
    listed = staff.get("/admin/claims/claim/?inbox=staff").content.decode()
    page = staff.get(f"/admin/claims/claim/{contested['claim_id']}/decide/").content.decode()
    no_reason = staff.post(f"/admin/claims/claim/{contested['claim_id']}/decide/", {"outcome": outcome})
    assert ("Decide" in listed, "stranger@people.example" in page) == (True, True)
    assert all(token in page for token in Claim.objects.values_list("token", flat=True))  # as they were found
    assert (no_reason.status_code, status_of(contested)) == (200, "contested")
    staff.post(
        f"/admin/claims/claim/{contested['claim_id']}/decide/",
        {"outcome": outcome, "reason": "The company said so."},
    )

    assert (owner_of(listing), status_of(contested)) == (getattr(people, owner), status)
    assert len(mails(mailoutbox)) == mailed
    assert all("The company said so." in str(message.body) for message in mailoutbox)
    bodies = {message.to[0]: str(message.body) for message in mailoutbox}
    to_owner, to_stranger = DECIDED[outcome]
    assert to_stranger in bodies[people.stranger.email]
    assert to_owner in bodies.get(people.owner.email, to_owner)
    may_edit = api("all", user=people.stranger).get(f"/api/v1/me/listings/{listing.pk}").status_code
    assert may_edit == (404 if outcome == "keep" else 200)
    again = api("all", user=people.stranger).post("/api/v1/claims", {"slug": "acme", "method": "dns"})
    code = "invalid_state" if outcome == "keep" else "already_owner"
    assert (again.status_code, again.json()["code"]) == (400, code)
    decided = Claim.objects.get(pk=contested["claim_id"])
    assert (decided.decided_by, decided.reason) == (people.staff, "The company said so.")


def test_to_a_claimant_who_was_banned_meanwhile_it_goes_neither_by_time_nor_by_staff(
    people: People, listing: Listing, contested: dict[str, Any], website: Website
) -> None:
    del website.pages[FILE]
    User.objects.filter(pk=people.stranger.pk).update(suspended_at=timezone.now())
    given = {"claim_id": contested["claim_id"], "outcome": owning.GIVE, "reason": "The company said so."}
    with pytest.raises(ClaimStateError, match="banned or closed"):
        owning.decide(**given, staff_id=people.staff.pk, at=timezone.now())
    seven_days_later()

    assert (owner_of(listing), status_of(contested)) == (people.owner, "failed")


def test_who_contested_in_two_ways_and_is_given_it_contests_it_no_longer(
    people: People, api: Api, contested: dict[str, Any], start: Start, publish: Publish
) -> None:
    other = start("dns", user=people.stranger)
    publish(other)
    assert verify(api, other, user=people.stranger)["status"] == "contested"

    given = {"claim_id": contested["claim_id"], "outcome": owning.GIVE, "reason": "The company said so."}
    owning.decide(**given, staff_id=people.staff.pk, at=timezone.now())

    assert (status_of(contested), status_of(other)) == ("verified", "superseded")


def test_a_claim_survives_what_dies_around_it(
    api: Api, people: People, listing: Listing, start: Start, publish: Publish
) -> None:
    """A process that died in the middle of a check leaves nothing but a mark that ends by itself."""
    claim = start("dns")
    publish(claim)
    Claim.objects.update(checking_until=timezone.now() + timedelta(seconds=15))
    assert verify(api, claim)["status"] == "pending"
    Claim.objects.update(checking_until=timezone.now() - timedelta(seconds=1))

    assert verify(api, claim)["status"] == "verified"


def test_staff_take_a_proof_back(
    api: Api, people: People, listing: Listing, proved: dict[str, Any], mailoutbox: list[Any]
) -> None:
    staff = signed_in(people.staff)
    chosen = {"action": "revoke", "_selected_action": [str(proved["claim_id"])]}
    staff.post("/admin/claims/claim/", chosen, follow=True)
    detail = staff.get(f"/admin/claims/claim/{proved['claim_id']}/change/").content.decode()

    assert status_of(proved) == "revoked"
    assert (owner_of(listing), listing.claimed_by_method) == (people.owner, "")
    assert api().get("/api/v1/listings/acme").json()["verified"] == {
        "claimed": False,
        "method": None,
        "checked_at": None,
    }
    assert "200 text/plain" in detail  # what came back, as it was
    assert [address for address, _ in mails(mailoutbox)] == [people.owner.email]


def test_who_shares_a_listing_and_whose_own_proof_is_gone_proves_it_anew(
    api: Api, people: People, listing: Listing, proved: dict[str, Any], contested: dict[str, Any]
) -> None:
    by_staff: dict[str, Any] = {"staff_id": people.staff.pk, "reason": "So.", "at": timezone.now()}
    owning.decide(claim_id=contested["claim_id"], outcome=owning.SHARE, **by_staff)
    owning.revoke(claim_id=proved["claim_id"], **by_staff)
    body = {"slug": "acme", "method": "dns"}

    assert api("all").post("/api/v1/claims", body).status_code == 201
    other = api("all", user=people.stranger).post("/api/v1/claims", body)
    assert (other.status_code, other.json()["code"]) == (400, "already_owner")


def test_a_proof_shared_later_stands_behind_the_owners(
    api: Api, people: People, proved: dict[str, Any], start: Start, publish: Publish
) -> None:
    other = start("dns", user=people.stranger)
    publish(other)
    verify(api, other, user=people.stranger)
    given = {"claim_id": other["claim_id"], "outcome": owning.SHARE, "reason": "An agency."}
    owning.decide(**given, staff_id=people.staff.pk, at=timezone.now())

    assert (status_of(proved), status_of(other)) == ("verified", "verified")
    assert api().get("/api/v1/listings/acme").json()["verified"]["method"] == "file"


def test_who_contests_is_not_asked_to_prove_it_against_themself(
    people: People, listing: Listing, contested: dict[str, Any]
) -> None:
    assert owning.rivals(listing, user_id=people.owner.pk)
    assert not owning.rivals(listing, user_id=people.stranger.pk)


def test_staff_give_no_listing_of_their_own_away(people: People, listing: Listing) -> None:
    Listing.objects.update(owner=people.staff)
    sold = {"listing_id": listing.pk, "owner_id": people.stranger.pk, "reason": "Sold"}
    with pytest.raises(OwnGainError):
        owning.give_to(**sold, staff_id=people.staff.pk, at=timezone.now())


def test_a_co_owner_edits_and_sees_it_and_cannot_vote_for_it(
    api: Api, people: People, listing: Listing, contested: dict[str, Any]
) -> None:
    share = {
        "claim_id": contested["claim_id"],
        "outcome": owning.SHARE,
        "reason": "An agency.",
        "at": timezone.now(),
    }
    for party in (people.owner, people.stranger):
        with pytest.raises(OwnGainError):
            owning.decide(**share, staff_id=party.pk)
    owning.decide(**share, staff_id=people.staff.pk)
    agency = api("all", user=people.stranger)
    edited = agency.patch(f"/api/v1/me/listings/{listing.pk}", {"fields": {"tagline": "By its agency"}})

    assert (edited.status_code, edited.json()["listing"]["tagline"]) == (200, "By its agency")
    assert [row["slug"] for row in agency.get("/api/v1/me/listings").json()["items"]] == ["acme"]
    with pytest.raises(OwnListingError):
        voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=timezone.now())
    assert api("all").get(f"/api/v1/me/listings/{listing.pk}").status_code == 200
    User.objects.filter(pk=people.stranger.pk).update(suspended_at=timezone.now())
    sold = {"listing_id": listing.pk, "owner_id": people.stranger.pk, "reason": "Sold"}
    with pytest.raises(ClaimStateError):
        owning.give_to(**sold, staff_id=people.staff.pk, at=timezone.now())
    User.objects.filter(pk=people.stranger.pk).update(suspended_at=None)
    owning.give_to(**sold, staff_id=people.staff.pk, at=timezone.now())
    assert (owner_of(listing), listing.co_owners.count()) == (people.stranger, 0)
