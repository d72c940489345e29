"""Logos that owners send for a listing: prepared by a job, shown, looked at by staff, put back."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from directory.models import Listing, ListingRevision, Site, Upload
from tests.conftest import People, signed_in
from tests.factories.listings import make_listing
from tests.factories.pictures import drawn, made_ready_meanwhile, prepare, shown_files, words_of

pytestmark = pytest.mark.django_db
SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>1</script><circle r="4"/></svg>"""


@pytest.fixture
def listing(people: People, site: Site, storage: Path) -> Listing:
    return make_listing(owner=people.owner)


def send(client: Client, listing: Listing, picture: Any) -> Any:
    address = f"/account/listings/{listing.pk}"
    answer = client.post(f"{address}/logo", {"picture": picture} if picture else {})
    assert (answer.status_code, answer["Location"]) == (302, f"{address}/edit#logo")
    return client.get(f"{address}/edit")


def test_a_logo_is_sent_prepared_and_shown_everywhere(owner: Client, listing: Listing, storage: Path) -> None:
    assert "Being prepared." in send(owner, listing, drawn(300, 200)).content.decode()
    assert "Being prepared." in owner.get(f"/account/listings/{listing.pk}/logo/waiting").content.decode()
    prepare()

    listing.refresh_from_db()
    (file,) = shown_files(storage)
    with Image.open(file) as image:
        assert (image.format, image.size) == ("WEBP", (192, 192))
    address = f"/media/logos/{file.name}"
    assert (listing.logo.name, listing.logo_url.endswith(address)) == (f"logos/{file.name}", True)
    assert Client().get("/api/v1/listings/tidewell").json()["logo_url"].endswith(address)
    for page in (Client().get("/listings/tidewell"), owner.get(f"/account/listings/{listing.pk}/edit")):
        assert f'src="{address}"' in page.content.decode()
    assert "Being prepared." not in owner.get(f"/account/listings/{listing.pk}/edit").content.decode()


@pytest.mark.parametrize("page", ["edit", "logo/waiting"])
def test_one_that_is_ready_while_its_page_is_made_is_on_it(
    owner: Client, listing: Listing, storage: Path, page: str
) -> None:
    """A page that had read the listing before would show neither it nor that it waits, and not ask again."""
    send(owner, listing, drawn(300, 200))
    with made_ready_meanwhile():
        answer = owner.get(f"/account/listings/{listing.pk}/{page}").content.decode()
    (file,) = shown_files(storage)
    assert f'src="/media/logos/{file.name}"' in answer


def test_an_svg_is_taken_apart_by_the_job(owner: Client, listing: Listing, storage: Path) -> None:
    send(owner, listing, SimpleUploadedFile("logo.svg", SVG))
    prepare()

    (file,) = shown_files(storage)
    assert (file.suffix, b"script" in file.read_bytes()) == (".svg", False)


def test_a_new_logo_is_an_edit_that_staff_may_put_back(
    owner: Client, listing: Listing, people: People, storage: Path
) -> None:
    send(owner, listing, drawn(300, 200, colour=10))
    prepare()
    first = Listing.objects.get().logo.name
    send(owner, listing, drawn(300, 200, colour=200))
    prepare()

    second, _ = ListingRevision.objects.order_by("-pk")
    assert (second.changed, second.review, second.by) == (["logo_url"], "pending", people.owner)
    assert Listing.objects.get().logo.name != first
    staff = signed_in(people.staff)
    page = f"/admin/directory/listingrevision/{second.pk}/change/"
    staff.post(page, {"act": "put_back", "review": "pending", "reason": "Not theirs."})

    assert (ListingRevision.objects.get(pk=second.pk).review, Listing.objects.get().logo.name) == (
        "reverted",
        first,
    )


@pytest.mark.parametrize(
    ("picture", "says"),
    [
        (None, "The file is no picture of a kind we show."),
        (SimpleUploadedFile("a.png", b"no picture"), "The file is no picture of a kind we show."),
        (drawn(4, 4), "The picture is too small to be seen."),
        (SimpleUploadedFile("a.svg", SVG + b" " * 1024 * 1024), "The file has more than 1024 KB."),
        (SimpleUploadedFile("a.svg", b"<svg"), "The file is no picture of a kind we show."),
        (SimpleUploadedFile("a.png", drawn(300, 300).read()[:60]), "The picture is broken."),
    ],
)
def test_what_is_no_logo_is_told_beside_the_field_until_one_is(
    owner: Client, listing: Listing, storage: Path, picture: Any, says: str
) -> None:
    if picture:
        picture.seek(0)
    send(owner, listing, picture)
    prepare()

    page = words_of(owner.get(f"/account/listings/{listing.pk}/edit"))
    assert f"Not used. {says}" in page
    assert (Listing.objects.get().logo_url, ListingRevision.objects.count(), shown_files(storage)) == (
        "",
        0,
        [],
    )
    send(owner, listing, drawn(300, 200))
    prepare()
    assert (Upload.objects.get().status, bool(Listing.objects.get().logo)) == ("shown", True)


def test_nobody_else_sends_one(people: People, listing: Listing, storage: Path) -> None:
    stranger = signed_in(people.stranger)
    address = f"/account/listings/{listing.pk}/logo"

    assert stranger.post(address, {"picture": drawn(300, 200)}).status_code == 404
    assert stranger.get(f"{address}/waiting").status_code == 404
    assert Upload.objects.count() == 0


def test_who_lost_the_listing_meanwhile_changes_nothing(
    owner: Client, people: People, listing: Listing, storage: Path
) -> None:
    send(owner, listing, drawn(300, 200))
    Listing.objects.update(owner=people.stranger)
    prepare()

    assert (Upload.objects.get().status, Listing.objects.get().logo_url) == ("refused", "")
