"""A claim by e-mail: the link is shown by GET and used by POST, once, in time, by the claiming account alone."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.signing import dumps
from django.test import Client
from django.utils import timezone

from accounts.models import User
from claims.models import Claim
from core import jobs
from directory.models import Listing
from directory.moderation.merging import merge
from tests.claims.conftest import HOST, Start, mails, status_of
from tests.conftest import Api, People, signed_in
from tests.factories.listings import make_listing
from tests.servers.mail import Box

ADDRESS = f"ada@{HOST}"


def browser(user: Any) -> Client:
    return signed_in(user)


def link_in(text: str) -> str:
    found = re.search(r"https?://[^/]+(/claims/confirm/\S+)", text)
    assert found, text
    return found[1]


def mailed(outbox: list[Any]) -> str:
    jobs.run_due(queues={"mail"})
    return link_in(str(outbox[-1].body))


def test_the_link_goes_through_a_real_mail_server_and_its_button_verifies(
    people: People, listing: Listing, start: Start, mail_server: Box
) -> None:
    Listing.objects.update(name="Acme\r\nBcc: eve@evil.example")
    claim = start("email", email=ADDRESS)
    jobs.run_due(queues={"mail"})
    ((to, message),) = mail_server.messages
    text = message.get_payload(0).get_payload(decode=True).decode()  # type: ignore[union-attr]
    owner = browser(people.owner)

    assert (to, message["To"], message["Bcc"]) == ([ADDRESS], ADDRESS, None)
    assert message["Subject"] == f"Confirm that {HOST} is yours"
    assert people.owner.email in text
    shown = owner.get(link_in(text))
    assert (shown.status_code, shown["Referrer-Policy"], shown["X-Robots-Tag"]) == (
        200,
        "same-origin",
        "noindex",
    )
    assert people.owner.email in shown.content.decode()
    assert status_of(claim) == "pending"  # a scanner opens links, too
    assert "now belongs to" in owner.post(link_in(text)).content.decode()
    listing.refresh_from_db()
    assert (status_of(claim), listing.owner, listing.claimed_by_method) == ("verified", people.owner, "email")


def test_it_works_once_in_time_and_for_one_account(
    people: People, start: Start, mailoutbox: list[Any]
) -> None:
    claim = start("email", email=ADDRESS)
    link, owner = mailed(mailoutbox), browser(people.owner)

    assert browser(people.stranger).post(link).status_code == 404
    anonymous = Client().get(link)  # whoever reads the box sees whose account it serves
    assert (anonymous.status_code, people.owner.email in anonymous.content.decode()) == (200, True)
    for broken in (
        link[:-2],
        link + "x",
        "/claims/confirm/nonsense",
        "/claims/confirm/" + dumps({"claim": 1}),
    ):
        assert owner.post(broken).status_code == 404
    Claim.objects.update(link_expires_at=timezone.now())
    assert (owner.post(link).status_code, status_of(claim)) == (400, "pending")
    Claim.objects.update(link_expires_at=timezone.now() + timedelta(hours=1))
    assert (Client().post(link).status_code, status_of(claim)) == (200, "verified")
    again = owner.post(link)
    assert (again.status_code, "It was used already" in again.content.decode()) == (400, True)


def test_a_repeated_call_mails_once_and_another_address_mails_another_link(
    api: Api, people: People, start: Start, mailoutbox: list[Any]
) -> None:
    first = start("email", email=ADDRESS)
    assert start("email", email=ADDRESS)["claim_id"] == first["claim_id"]
    old = mailed(mailoutbox)
    assert len(mailoutbox) == 1
    start("email", email=f"bo@{HOST}")
    new = mailed(mailoutbox)

    assert [address for address, _ in mails(mailoutbox)] == [ADDRESS, f"bo@{HOST}"]
    assert browser(people.owner).post(old).status_code == 400
    assert browser(people.owner).post(new).status_code == 200


def test_who_contests_by_mail_has_proved_that_address_and_no_other(
    people: People, listing: Listing, start: Start, mailoutbox: list[Any]
) -> None:
    """Staff read it beside the owner's proof; naming another one afterwards changes nothing and mails nothing."""
    Listing.objects.update(owner=people.stranger, claimed_by_method="dns")
    claim = start("email", email=ADDRESS)
    browser(people.owner).post(mailed(mailoutbox))
    assert status_of(claim) == "contested"
    again = start("email", email=f"ceo@{HOST}")

    assert (again["claim_id"], Claim.objects.get().email) == (claim["claim_id"], ADDRESS)
    assert f"ceo@{HOST}" not in dict(mails(mailoutbox))


@pytest.mark.parametrize("status", ["expired", "superseded"])
def test_a_claim_that_has_ended_is_not_verified(
    people: People, start: Start, mailoutbox: list[Any], status: str
) -> None:
    claim = start("email", email=ADDRESS)
    link = mailed(mailoutbox)
    Claim.objects.update(status=status)

    assert browser(people.owner).post(link).status_code == 400
    assert status_of(claim) == status


def test_to_an_account_that_was_banned_meanwhile_no_link_gives_anything(
    people: People, listing: Listing, start: Start, mailoutbox: list[Any]
) -> None:
    claim = start("email", email=ADDRESS)
    User.objects.filter(pk=people.owner.pk).update(suspended_at=timezone.now())
    answer = Client().post(mailed(mailoutbox))
    listing.refresh_from_db()

    assert (answer.status_code, status_of(claim), listing.owner) == (400, "pending", None)
    assert "banned or closed" in answer.content.decode()


def test_a_link_gives_no_listing_that_became_part_of_another(
    people: People, listing: Listing, start: Start, mailoutbox: list[Any]
) -> None:
    start("email", email=ADDRESS)
    link = mailed(mailoutbox)
    merge(listing_id=listing.pk, into_id=make_listing("beta").pk, staff_id=1, at=timezone.now())

    page = browser(people.owner).post(link)

    assert (page.status_code, "Acme is part of Beta now" in page.content.decode()) == (400, True)
    listing.refresh_from_db()
    assert listing.owner is None
