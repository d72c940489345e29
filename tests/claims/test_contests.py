"""Proof beats possession; a proved owner has seven days; two proofs are for staff."""

from datetime import timedelta
from typing import Any

import time_machine
from django.utils import timezone

from claims import tasks  # noqa: F401  (registers the jobs)
from claims.models import Claim
from claims.ownership import owning
from claims.proving import reproving
from claims.selectors import my_claim
from core.models import Job
from directory.models import Listing, ListingRevision
from directory.moderation import reviewing
from directory.moderation.merging import merge
from tests.claims.conftest import (
    FILE,
    HOST,
    Publish,
    Start,
    mails,
    owner_of,
    seven_days_later,
    status_of,
    verify,
)
from tests.conftest import Api, People, signed_in
from tests.factories.listings import make_listing
from tests.servers.dns import DnsServer
from tests.servers.website import Website, plain

DAY = timedelta(days=1)


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


def test_who_contests_it_and_begins_again_finds_the_same_claim(
    people: People, contested: dict[str, Any], start: Start
) -> None:
    again = start("file", user=people.stranger)

    assert (again["claim_id"], again["status"]) == (contested["claim_id"], "contested")
    assert Claim.objects.count() == 2


def test_a_proof_of_the_very_moment_of_the_contest_is_asked_for_no_more_and_is_enough(
    people: People, listing: Listing, proved: dict[str, Any], contested: dict[str, Any], website: Website
) -> None:
    at = Claim.objects.get(pk=contested["claim_id"]).contested_at
    Claim.objects.filter(pk=proved["claim_id"]).update(proved_at=at)
    assert my_claim(user_id=people.owner.pk, claim_id=proved["claim_id"]).prove_again is None

    del website.pages[FILE]
    seven_days_later()
    assert (owner_of(listing), status_of(contested)) == (people.owner, "contested")
    assert Claim.objects.get(pk=contested["claim_id"]).for_staff_since is not None


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
    api: Api, people: People, proved: dict[str, Any], start: Start, publish: Publish, mailoutbox: list[Any]
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


def test_who_contests_is_not_asked_to_prove_it_against_themself(
    people: People, listing: Listing, contested: dict[str, Any]
) -> None:
    assert owning.rivals(listing, user_id=people.owner.pk)
    assert not owning.rivals(listing, user_id=people.stranger.pk)


def test_a_contest_ends_with_the_listing_that_became_part_of_another(
    people: People, listing: Listing, contested: dict[str, Any], website: Website
) -> None:
    del website.pages[FILE]
    merge(listing_id=listing.pk, into_id=make_listing("beta").pk, staff_id=1, at=timezone.now())
    seven_days_later()

    assert (owner_of(listing), status_of(contested)) == (people.owner, "failed")
