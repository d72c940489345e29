"""The picture that a website gives of itself: fetched for its listing, drawn anew, named, taken down by one press."""

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from directory.models import Listing, Site
from tests.conftest import Caller, People, signed_in
from tests.drafts.conftest import HOME
from tests.factories.listings import make_category
from tests.factories.pictures import drawn, noise, prepare, shown_files, words_of
from tests.factories.staff import make_staff
from tests.servers.website import Website, html, plain

API = "/api/v1/drafts"
NAMED = '<meta property="og:image" content="/card.png">'
SHOWN = "Picture from <a href="


@pytest.fixture
def listed(
    api: Callable[..., Caller], site: Site, tidewell: Website, storage: Any, people: People
) -> Callable[[], Listing]:
    """Drafts the site, makes it a listing, does all jobs, and gives it as a live one."""
    make_category("invoicing", name="Invoicing", terms=["invoicing software", "invoices"])
    tidewell.pages["/"] = html((NAMED + HOME) % "")

    def listing() -> Listing:
        made = api("all").post(API, {"url": "https://tidewell.test/"}).json()
        prepare()
        api("all").post(f"{API}/{made['id']}/submit")
        prepare()
        Listing.objects.update(status="live", launched_at="2026-11-01T00:00:00Z")
        return Listing.objects.get()

    return listing


def pages_of(listing: Listing, user: Any) -> tuple[Client, str]:
    client = signed_in(user)
    return client, f"/account/listings/{listing.pk}/pictures"


def public_files(storage: Any) -> list[Any]:
    return [file for file in shown_files(storage) if "pictures" in file.parts]


def card(width: int = 1200) -> Any:
    return html(noise("PNG", (width, width // 2)).read() + b"<script>1</script>", content_type="image/png")


def test_it_is_shown_to_everybody_with_its_source_until_the_owner_takes_it_down(
    people: People, tidewell: Website, listed: Any, storage: Any, django_capture_on_commit_callbacks: Any
) -> None:
    tidewell.pages["/card.png"] = card()
    listing = listed()
    page = words_of(Client().get(f"/listings/{listing.slug}"))
    assert f'{SHOWN}"https://tidewell.test/" rel="nofollow noopener">tidewell.test</a>' in page
    assert 'width="1200" height="600"' in page
    assert (
        len(public_files(storage)),
        "media" in Client().get(f"/api/v1/listings/{listing.slug}").json(),
    ) == (5, False)
    for file in public_files(storage):
        assert b"script" not in file.read_bytes()
        with Image.open(BytesIO(file.read_bytes())) as image:
            assert image.size[0] in {640, 1200}

    stranger, pages = pages_of(listing, people.stranger)
    assert stranger.post(f"{pages}/site/remove").status_code == 404
    owner, _ = pages_of(listing, people.owner)
    assert "Take it down" in owner.get(pages, follow=True).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        owner.post(f"{pages}/site/remove")

    assert (SHOWN in Client().get(f"/listings/{listing.slug}").content.decode(), public_files(storage)) == (
        False,
        [],
    )
    assert "It was taken down, and stays down." in owner.get(pages, follow=True).content.decode()


def test_a_draft_shows_it_to_its_owner_before_it_is_submitted(
    api: Callable[..., Caller], people: People, site: Site, tidewell: Website, storage: Any
) -> None:
    make_category("invoicing", name="Invoicing", terms=["invoicing software", "invoices"])
    tidewell.pages |= {"/": html((NAMED + HOME) % ""), "/card.png": card()}
    made = api("all").post(API, {"url": "https://tidewell.test/"}).json()
    prepare()

    owner = signed_in(people.owner)
    for path in ("", "/preview"):
        page = words_of(owner.get(f"/drafts/{made['id']}{path}"))
        assert 'src="/media/drafts/' in page, path
    (file,) = [file for file in storage.rglob("*.*") if file.parent.name == "drafts"]
    assert b"script" not in file.read_bytes()


def test_one_press_takes_it_off_a_draft_and_one_brings_it_back(
    api: Callable[..., Caller], people: People, site: Site, tidewell: Website, storage: Any
) -> None:
    make_category("invoicing", name="Invoicing", terms=["invoicing software", "invoices"])
    tidewell.pages |= {"/": html((NAMED + HOME) % ""), "/card.png": card()}
    path = f"/drafts/{api('all').post(API, {'url': 'https://tidewell.test/'}).json()['id']}"
    prepare()
    owner, shown = signed_in(people.owner), 'src="/media/drafts/'
    page = words_of(owner.get(path))
    assert 'href="https://tidewell.test/card.png"' in page.split('id="gallery-title"')[1]

    def press(name: str) -> str:
        pressed = re.findall(rf'name="{name}" value="([^"]+)"', words_of(owner.get(path)))
        gone = owner.post(f"{path}/edit", {name: pressed[0]})
        assert gone["Location"] == f"{path}#gallery-title"
        return words_of(owner.get(path))

    assert shown not in press("take_down")
    assert shown not in words_of(owner.get(f"{path}/preview"))
    assert shown in press("undo")
    press("take_down")
    api("all").post(f"/api/v1{path}/submit")
    before = tidewell.paths.count("/card.png")
    prepare()
    staff = signed_in(make_staff("editor"))
    assert staff.post(f"/admin/drafts/draft/read/{Listing.objects.get().pk}/").status_code == 302
    prepare()
    assert (Listing.objects.get().site_picture, tidewell.paths.count("/card.png")) == (None, before)


def test_what_was_taken_down_stays_down_when_the_website_is_read_again(
    people: People, tidewell: Website, listed: Any, storage: Any
) -> None:
    tidewell.pages["/card.png"] = card()
    listing = listed()
    owner, pages = pages_of(listing, people.owner)
    owner.post(f"{pages}/site/remove")
    before = tidewell.paths.count("/card.png")

    staff = signed_in(make_staff("editor"))
    staff.post(f"/admin/drafts/draft/read/{listing.pk}/")
    prepare()

    assert tidewell.paths.count("/card.png") == before
    assert Listing.objects.get().site_picture["is_down"]


def test_the_owners_own_pictures_stand_in_its_place_where_they_are_public(
    people: People, tidewell: Website, listed: Any, storage: Any
) -> None:
    tidewell.pages["/card.png"] = card()
    listing = listed()
    owner, pages = pages_of(listing, people.owner)
    owner.post(pages, {"picture": drawn(400, 300), "alt": "The board"})
    prepare()
    shown = Client().get(f"/listings/{listing.slug}").content.decode()
    assert (SHOWN in shown, "The board" in shown) == (True, False)

    Listing.objects.update(plan="paid")
    shown = Client().get(f"/listings/{listing.slug}").content.decode()
    assert (SHOWN in shown, "The board" in shown) == (False, True)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "There is no picture at this address (404)."),
        (card(500), "It is less than 600 pixels wide."),
        (html(b"\x89PNG\r\n\x1a\n", content_type="image/png"), "The file is no picture of a kind we show."),
        (plain("no picture"), "is of type text/plain"),
    ],
    ids=["gone", "narrow", "broken", "text"],
)
def test_why_there_is_none_is_told_to_its_owner_alone(
    people: People, tidewell: Website, listed: Any, storage: Any, answer: Any, says: str
) -> None:
    if answer is not None:
        tidewell.pages["/card.png"] = answer
    listing = listed()
    owner, pages = pages_of(listing, people.owner)

    assert says in words_of(owner.get(pages, follow=True)).split("We couldn’t use the picture")[1][:300]
    assert SHOWN not in Client().get(f"/listings/{listing.slug}").content.decode()
    assert public_files(storage) == []


def test_a_picture_that_robots_txt_closes_is_not_fetched(
    people: People, tidewell: Website, listed: Any, storage: Any
) -> None:
    tidewell.pages["/robots.txt"] = plain("User-agent: *\nDisallow: /card.png")
    tidewell.pages["/card.png"] = card()
    listing = listed()
    owner, pages = pages_of(listing, people.owner)

    assert "robots.txt asked us not to fetch this picture." in owner.get(pages, follow=True).content.decode()
    assert "/card.png" not in tidewell.paths
