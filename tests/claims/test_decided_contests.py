"""What staff decide where two have shown that a website is theirs, and listings that two people share."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.errors import OwnGainError
from accounts.models import StaffAct, User
from claims import tasks  # noqa: F401  (registers the jobs)
from claims.errors import ClaimStateError
from claims.models import Claim
from claims.ownership import owning
from claims.proving import reproving, starting
from core import jobs
from directory.engagement import voting
from directory.errors import OwnListingError
from directory.models import Listing
from tests.claims.conftest import (
    FILE,
    Publish,
    Start,
    mails,
    owner_of,
    seven_days_later,
    status_of,
    verify,
)
from tests.conftest import Api, People, signed_in
from tests.servers.website import Website

DECIDED = {  # what the owner of before reads, and who claimed
    "give": ("belongs to someone else now", "is yours."),
    "keep": ("stays yours.", "stays with its owner."),
    "share": ("stays yours, and someone who verified it too", "together with its owner."),
}


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


def test_who_is_asked_again_reads_by_which_ways(
    people: People, contested: dict[str, Any], mailoutbox: list[Any]
) -> None:
    seven_days_later()
    mails(mailoutbox)
    mailoutbox.clear()
    signed_in(people.staff).post(f"/admin/claims/claim/{contested['claim_id']}/decide/", {"outcome": "ask"})

    mails(mailoutbox)
    bodies = {message.to[0]: str(message.body) for message in mailoutbox}
    assert "UTC, by DNS record or " in bodies[people.owner.email]
    assert "If your file is still there on that day, that’s enough" in bodies[people.owner.email]
    assert set(bodies) == {people.owner.email, people.stranger.email}


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


def test_who_lost_claims_it_again_after_thirty_days_to_the_moment(
    people: People, listing: Listing, contested: dict[str, Any]
) -> None:
    at = timezone.now()
    lost = {"claim_id": contested["claim_id"], "outcome": owning.KEEP, "reason": "It is theirs."}
    owning.decide(**lost, staff_id=people.staff.pk, at=at)
    again = {"user": people.stranger, "site": listing.site, "slug": "acme", "method": "dns", "email": ""}

    with pytest.raises(ClaimStateError, match=f"again from {at + timedelta(days=30):%-d %B %Y}"):
        starting.claim_listing(**again, at=at + timedelta(days=30, microseconds=-1))
    assert starting.claim_listing(**again, at=at + timedelta(days=30)).status == "pending"


def given(listing: Listing, person: User, people: People) -> None:
    owning.give_to(
        listing_id=listing.pk,
        owner_id=person.pk,
        reason="The company said so.",
        staff_id=people.staff.pk,
        at=timezone.now(),
    )


def test_who_contested_a_listing_that_staff_then_gave_them_has_proved_it(
    people: People, listing: Listing, contested: dict[str, Any], mailoutbox: list[Any]
) -> None:
    given(listing, people.stranger, people)
    seven_days_later()

    assert (owner_of(listing), status_of(contested)) == (people.stranger, "verified")
    assert listing.claimed_by_method == "file"
    mails(mailoutbox)
    mine = [str(mail.body) for mail in mailoutbox if mail.to == [people.stranger.email]]
    assert not any("belongs to someone else" in body for body in mine)


def test_who_is_given_a_contested_listing_is_told_and_has_seven_days(
    people: People, listing: Listing, contested: dict[str, Any], mailoutbox: list[Any]
) -> None:
    heir = User.objects.create_user(email="heir@people.example", password=None)
    Claim.objects.filter(status="contested").update(contest_ends_at=timezone.now())
    mails(mailoutbox)
    mailoutbox.clear()
    given(listing, heir, people)
    reproving.plan(at=timezone.now())
    jobs.run_due(queues={"crawl"})

    assert (owner_of(listing), status_of(contested)) == (heir, "contested")
    assert [subject[:21] for to, subject in mails(mailoutbox) if to == heir.email].count(
        "Someone else verified"
    ) == 1
    seven_days_later()
    assert (owner_of(listing), status_of(contested)) == (people.stranger, "verified")


def test_staff_take_a_proof_back(
    api: Api, people: People, listing: Listing, proved: dict[str, Any], mailoutbox: list[Any]
) -> None:
    staff = signed_in(people.staff)
    chosen = {"action": "revoke", "_selected_action": [str(proved["claim_id"])]}
    unsaid = staff.post("/admin/claims/claim/", chosen, follow=True).content.decode()
    assert ("Give a reason. Nothing was changed." in unsaid, status_of(proved)) == (True, "verified")
    chosen["reason"] = "The record names somebody else."
    told = staff.post("/admin/claims/claim/", chosen, follow=True).content.decode()
    assert "1 proof taken back." in told
    again = staff.post("/admin/claims/claim/", chosen, follow=True).content.decode()
    assert f"{listing.name}: A claim that is revoked can’t become revoked." in again
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
    line = ("took back a proof of", str(listing.pk), "The record names somebody else.")
    assert list(StaffAct.objects.values_list("said", "key", "reason")) == [line]


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
