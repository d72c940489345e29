"""The first minute: an address on any page is read right after the sign-in, and nobody has one read for another."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail as outbox
from django.test import Client
from django.utils import timezone

from core import jobs
from directory.models import Listing, Site
from drafts.facts.fitting import whole_site
from drafts.models import Draft
from tests.conftest import People
from tests.factories.listings import make_listing

WHO = "mira@lanternfold.com"
WAY = "/submit?url=tidewell.test"


def last_mail() -> Any:
    jobs.run_due()
    return outbox.outbox[-1]


def sign_in(client: Client, *, way: str = WAY) -> Any:
    client.post("/accounts/login/code/", {"email": WHO, "next": way})
    code = str(last_mail().subject).rpartition(" ")[2]
    return client.post("/accounts/login/code/confirm/", {"code": code, "next": way})


def words(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_home_takes_an_address(site: Site, client: Client) -> None:
    page = words(client.get("/"))

    form = page.split('action="/submit"')[1].split("</form>")[0]
    assert 'name="url"' in form
    assert "Write my page" in form
    assert "csrfmiddlewaretoken" in form


def test_reading_begins_with_the_sign_in(site: Site, client: Client) -> None:
    asked = client.post("/submit", {"url": "tidewell.test"})
    assert asked["Location"] == "/accounts/login/?next=/submit%3Furl%3Dtidewell.test"
    assert not Draft.objects.exists()

    entered = sign_in(client)
    draft = Draft.objects.get()
    assert (draft.owner.email, draft.url, entered["Location"]) == (WHO, "https://tidewell.test/", WAY)

    assert client.get(WAY)["Location"] == f"/drafts/{draft.pk}"
    assert 'value="tidewell.test"' in words(client.get(WAY))
    assert Draft.objects.count() == 1


def test_the_mailed_link_fills_the_code_in_and_signs_nobody_in(site: Site, client: Client) -> None:
    client.post("/submit", {"url": "tidewell.test"})
    client.post("/accounts/login/code/", {"email": WHO, "next": WAY})
    found = re.search(r"https?://[^/\s]+(/accounts/login/code/confirm/\?\S+)", last_mail().body)
    assert found is not None
    code = str(outbox.outbox[-1].subject).rpartition(" ")[2]

    page = words(client.get(found[1]))
    assert f'value="{code}"' in page
    assert f'name="next" value="{WAY}"' in page
    assert client.get("/account").status_code == 302
    assert not Draft.objects.exists()

    elsewhere = Client().get(found[1], follow=True)
    assert "A code works in the browser that asked for it" in words(elsewhere)
    assert 'value="/submit?url=tidewell.test"' in words(elsewhere)

    client.post("/accounts/login/code/confirm/", {"code": code, "next": WAY})
    assert Draft.objects.count() == 1


def test_a_strangers_link_has_nothing_read(site: Site, client: Client) -> None:
    attacker = Client()
    link = attacker.post("/submit", {"url": "tidewell.test"})["Location"]
    client.get(link)

    sign_in(client)

    assert 'value="tidewell.test"' in words(client.get(WAY))
    assert not Draft.objects.exists()


def test_what_waited_too_long_is_asked_again(site: Site, client: Client) -> None:
    client.post("/submit", {"url": "tidewell.test"})

    with time_machine.travel(timezone.now() + timedelta(minutes=61), tick=False):
        sign_in(client)
        page = words(client.get(WAY))

    assert "Read the website" in page
    assert not Draft.objects.exists()


def test_an_open_draft_is_gone_on_with(site: Site, client: Client) -> None:
    sign_in(client)
    first = client.post("/submit", {"url": "tidewell.test"})["Location"]
    jobs.run_due()
    Draft.objects.update(status=Draft.Status.READY)
    client.post("/accounts/logout/")

    client.post("/submit", {"url": "www.tidewell.test"})
    sign_in(client, way="/submit?url=www.tidewell.test")

    assert client.get("/submit?url=www.tidewell.test")["Location"] == first
    assert Draft.objects.count() == 1


@pytest.mark.parametrize(
    ("url", "whole"),
    [
        ("https://fassadenfuchs.test/preise?utm_source=x", "https://fassadenfuchs.test"),
        ("https://tidewell.test/de/preise", "https://tidewell.test"),
        ("https://github.com/acme/tidewell/issues", "https://github.com/acme/tidewell"),
        ("https://tidewell.test/", ""),
        ("https://tidewell.test/?ref=mail", ""),
        ("https://tidewell.test/en", ""),
        ("https://tidewell.test/pt-BR/", ""),
        ("https://tidewell.test/index.html", ""),
        ("https://github.com/acme/tidewell", ""),
        ("https://apps.apple.com/gb/app/tidewell/id1", ""),
    ],
)
def test_what_is_a_page_of_a_site(url: str, whole: str) -> None:
    assert whole_site(url) == whole


@pytest.mark.parametrize(
    ("press", "read"), [(0, "https://tidewell.test/"), (1, "https://tidewell.test/preise")]
)
def test_a_page_of_a_site_is_asked_about(
    people: People, site: Site, client: Client, press: int, read: str
) -> None:
    client.force_login(people.owner)

    asked = client.post("/submit", {"url": "tidewell.test/preise"})
    page = words(asked)
    assert "You gave /preise. Read the whole site instead?" in page
    assert not Draft.objects.exists()

    choices = re.findall(r'name="url" value="([^"]+)"', page)
    client.post("/submit", {"url": choices[press], "as_given": "on"})
    assert Draft.objects.get().url == read


def test_a_stranger_is_asked_before_signing_in(site: Site, client: Client) -> None:
    client.post("/submit", {"url": "tidewell.test/preise"})
    sign_in(client)
    assert not Draft.objects.exists()

    client.post("/accounts/logout/")
    client.post("/submit", {"url": "https://tidewell.test", "as_given": "on"})
    sign_in(client, way="/submit?url=https://tidewell.test")
    assert Draft.objects.get().url == "https://tidewell.test/"


def test_a_duplicate_is_told_while_reading_and_before_launching(
    people: People, site: Site, client: Client
) -> None:
    live = make_listing(
        site=site, name="Tidewell", url="https://tidewell.test/", host="tidewell.test", owner=people.stranger
    )
    client.force_login(people.owner)

    path = client.post("/submit", {"url": "tidewell.test"})["Location"]
    page = words(client.get(path))
    assert f'This website is listed already: <a href="/listings/{live.slug}">Tidewell</a>.' in page
    assert f'href="/listings/{live.slug}/claim">It’s mine: claim it' in page
    assert "Go on with the draft" in page

    mine = make_listing(
        site=site,
        slug="also-tidewell",
        name="Also Tidewell",
        host="tidewell.test",
        url="https://tidewell.test/",
        owner=people.owner,
        status=Listing.Status.DRAFT,
    )
    page = words(client.get(f"/account/listings/{mine.pk}"))
    assert "is live at tidewell.test already" in page
    assert f'href="/listings/{live.slug}/claim"' in page
    assert "Launch free" not in page
    refused = client.post(f"/account/listings/{mine.pk}/free")
    assert refused["Location"] == f"/account/listings/{mine.pk}#launch"
    mine.refresh_from_db()
    assert mine.status == Listing.Status.DRAFT


def test_an_owner_is_not_asked_to_claim_what_is_theirs(people: People, site: Site, client: Client) -> None:
    live = make_listing(
        site=site, name="Tidewell", url="https://tidewell.test/", host="tidewell.test", owner=people.owner
    )
    client.force_login(people.owner)

    page = words(client.get(client.post("/submit", {"url": "tidewell.test"})["Location"]))

    assert f'This website is your listing <a href="/account/listings/{live.pk}">Tidewell</a>.' in page
    assert "claim" not in page.split('id="main"')[1].split("<footer")[0].lower()
