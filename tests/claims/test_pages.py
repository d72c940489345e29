"""The claim's page, without scripts: the ways, what to copy, what was seen, and the account's list."""

from typing import Any

import pytest
from django.test import Client

from claims.models import Claim
from claims.proving import checking
from directory.models import Listing
from tests.claims.conftest import FILE, HOST, listing_at
from tests.conftest import People, signed_in
from tests.factories.listings import make_listing
from tests.servers.dns import DnsServer
from tests.servers.website import Website, hang

PAGE = "/listings/acme/claim"


def test_from_the_listing_to_a_verified_claim(
    owner: Client, people: People, listing: Listing, dns_server: DnsServer
) -> None:
    assert PAGE in Client().get("/listings/acme").content.decode()
    assert "Sign in to claim it" in Client().get(PAGE).content.decode()
    assert "Nobody has claimed this listing" in owner.get(PAGE).content.decode()

    begun = owner.post(PAGE, {"method": "dns"}, follow=True).content.decode()
    claim = Claim.objects.get()
    assert claim.target.line in begun
    assert f"_plverify.{HOST}" in begun
    assert begun.count("<copy-button") == 3
    dns_server.answer(f"_plverify.{HOST}", "TXT", f"plverify={claim.token[:6]}")
    wrong = owner.post(f"/claims/{claim.pk}/check", follow=True).content.decode()
    assert "It looks cut off." in wrong
    assert f"<code>plverify={claim.token[:6]}</code>" in wrong
    dns_server.answer(f"_plverify.{HOST}", "TXT", claim.target.line)
    right = owner.post(f"/claims/{claim.pk}/check", follow=True).content.decode()
    assert "Acme is yours" in right
    listed = owner.get("/account/claims").content.decode()
    assert ("Acme" in listed, "Verified" in listed) == (True, True)
    assert "Somebody has proved" in Client().get(PAGE).content.decode()


def test_a_bad_address_is_told_beside_its_field(owner: Client, listing: Listing) -> None:
    for email in ("", "nonsense", "a@gmail.com"):
        answer = owner.post(PAGE, {"method": "email", "email": email})
        assert (answer.status_code, 'class="error"' in answer.content.decode()) == (400, True)
    assert Claim.objects.count() == 0
    sent = owner.post(PAGE, {"method": "email", "email": f"Ada@{HOST.upper()}"}, follow=True)
    assert f"Ada@{HOST}" in sent.content.decode()


def test_ways_that_an_address_does_not_have_say_why(owner: Client, listing: Listing) -> None:
    listing_at("https://alice.github.io/", "pages")
    page = owner.get("/listings/pages/claim").content.decode()

    assert page.count("Not possible") == 2
    assert "Use meta or file." in page
    assert (
        "cannot be claimed"
        in owner.post("/listings/pages/claim", {"method": "dns"}, follow=True).content.decode()
    )


def test_what_is_not_there_or_not_mine_is_404(owner: Client, people: People, listing: Listing) -> None:
    make_listing("saved", owner=people.stranger, status="draft")
    stranger = signed_in(people.stranger)
    stranger.post(PAGE, {"method": "dns"})

    assert owner.get("/listings/nobody/claim").status_code == 404
    assert owner.get("/listings/saved/claim").status_code == 404
    assert owner.post(f"/claims/{Claim.objects.get().pk}/check").status_code == 404
    assert Client().post(PAGE, {"method": "dns"})["Location"].startswith("/accounts/login/")
    assert owner.post(PAGE, {"method": "http"}).status_code == 400


def test_a_check_that_takes_longer_says_so(
    owner: Client, listing: Listing, website: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "AT_ONCE", 0.3)
    website.pages[FILE] = hang()
    owner.post(PAGE, {"method": "file"})
    page = owner.post(f"/claims/{Claim.objects.get().pk}/check", follow=True).content.decode()

    assert f"{HOST} did not answer" in page
    assert "Nothing is lost." in page


def test_strangers_words_are_escaped(owner: Client, listing: Listing, dns_server: DnsServer) -> None:
    Listing.objects.update(name="<b>Acme</b>")
    dns_server.answer(f"_plverify.{HOST}", "TXT", "plverify=<script>alert(1)</script>")
    owner.post(PAGE, {"method": "dns"})
    page: Any = owner.post(f"/claims/{Claim.objects.get().pk}/check", follow=True).content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "<b>Acme" not in page
