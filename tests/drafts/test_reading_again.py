"""Staff have a website read again: its pages are fetched anew, blanks are filled, what stands stays."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import StaffAct
from core import jobs
from directory.models import Listing
from drafts.models import Draft
from tests.conftest import Caller
from tests.drafts.conftest import ABOUT
from tests.factories.staff import staff_client
from tests.servers.website import Website, html, plain

Api = Callable[..., Caller]


@pytest.fixture
def short(tidewell: Website) -> Website:
    """The website, before it says when and where it was founded."""
    tidewell.pages["/about"] = html("<title>About</title><h1>About us</h1><p>Soon.</p>")
    return tidewell


@pytest.fixture
def listing(api: Api, short: Website, ready: dict[str, Any]) -> Listing:
    """The listing of a draft whose tagline its owner has typed."""
    caller = api("all")
    caller.patch(f"/api/v1/drafts/{ready['id']}", {"fields": {"tagline": "Mine"}})
    caller.post(f"/api/v1/drafts/{ready['id']}/submit")
    return Listing.objects.get()


def read_again(client: Client, listing: Listing) -> str:
    return client.post(f"/admin/drafts/draft/read/{listing.pk}/", follow=True).content.decode()


def test_blanks_are_filled_and_the_rest_stays(listing: Listing, short: Website) -> None:
    assert (listing.founded_year, listing.tagline) == (None, "Mine")
    home = "<title>Tidewell</title><h1>Loud invoices</h1><a href='/about'>About</a>"
    short.pages |= {"/": html(home), "/about": html(ABOUT)}
    editor = staff_client("editor")

    assert "is being read" in read_again(editor, listing)
    jobs.run_due()

    listing.refresh_from_db()
    assert (listing.founded_year, listing.tagline) == (2021, "Mine")
    assert listing.short_description.startswith("Tidewell sends your invoices")
    assert "Loud invoices" in Draft.objects.get().pages.get(url="https://tidewell.test/").text
    line = StaffAct.objects.get()
    assert (line.act, line.kind, line.key) == ("listings.check", "directory.listing", str(listing.pk))
    shown = editor.get(f"/admin/directory/listing/{listing.pk}/change/?kind=jobs").content.decode()
    assert "Website read: done" in shown


def test_what_is_being_written_again_meanwhile_is_still_written(
    api: Api, listing: Listing, ready: dict[str, Any]
) -> None:
    assert api("all").patch(f"/api/v1/drafts/{ready['id']}", {"regenerate": ["tagline"]}).status_code == 200
    read_again(staff_client("editor"), listing)
    jobs.run_due(queues={"crawl"})
    assert "tagline" in (Draft.objects.get().redrafting or ())

    jobs.run_due()
    listing.refresh_from_db()
    assert (Draft.objects.get().redrafting, listing.tagline == "Mine") == (None, False)


def test_a_website_that_closed_changes_nothing(listing: Listing, short: Website) -> None:
    pages = Draft.objects.get().pages.count()
    short.pages["/robots.txt"] = plain("User-agent: *\nDisallow: /")

    read_again(staff_client("moderator"), listing)
    jobs.run_due()

    draft = Draft.objects.get()
    assert (draft.status, draft.pages.count(), draft.redrafting) == ("ready", pages, None)
    assert draft.writer_note.startswith("The website could not be read again")


def test_it_is_for_listings_that_were_read_and_for_who_may(listing: Listing) -> None:
    assert staff_client("finance").post(f"/admin/drafts/draft/read/{listing.pk}/").status_code == 403
    Draft.objects.all().delete()
    assert "No website was read for this listing." in read_again(staff_client("editor"), listing)
