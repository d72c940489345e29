"""A founder's own photo: sent by the person, prepared by a job, shown on their page, removed with its file."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from directory.models import Founder, Listing, ListingFounder, Site, Upload
from tests.conftest import People, signed_in
from tests.factories.listings import make_listing
from tests.factories.pictures import drawn, made_ready_meanwhile, shown_files

pytestmark = pytest.mark.django_db
PHOTO = "/account/photo"


@pytest.fixture
def owner(people: People, site: Site, storage: Path) -> Client:
    ines = Founder.objects.create(slug="ines", name="Ines", user=people.owner, created_at=timezone.now())
    ListingFounder.objects.create(listing=make_listing(owner=people.owner), founder=ines)
    return signed_in(people.owner)


def test_a_photo_is_cut_to_a_square_shown_and_removed(
    owner: Client, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    assert owner.post(PHOTO, {"picture": drawn(900, 600)})["Location"] == PHOTO
    for page in (PHOTO, f"{PHOTO}/waiting"):
        assert "Being prepared." in owner.get(page).content.decode()
    with made_ready_meanwhile():
        ready = owner.get(f"{PHOTO}/waiting").content.decode()

    (file,) = shown_files(storage)
    assert file.name in ready
    with Image.open(file) as image:
        assert (image.format, image.size) == ("WEBP", (320, 320))
    address = f"/media/founders/{file.name}"
    product = f"/listings/{Listing.objects.get().slug}"
    for page in (PHOTO, "/founders/ines", product):
        assert f'src="{address}"' in owner.get(page).content.decode()
    assert Client().get("/api/v1/founders/ines").json()["photo_url"].endswith(address)

    with django_capture_on_commit_callbacks(execute=True):
        owner.post(f"{PHOTO}/remove")
    assert (Founder.objects.get().photo.name, shown_files(storage)) == ("", [])


def test_what_is_no_photo_is_told_beside_the_field(owner: Client, storage: Path) -> None:
    owner.post(PHOTO, {"picture": SimpleUploadedFile("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>")})

    assert "Not used. The file is no picture of a kind we show." in owner.get(PHOTO).content.decode()
    assert (bool(Founder.objects.get().photo), shown_files(storage)) == (False, [])


def test_without_a_founder_page_there_is_no_place_for_one(
    owner: Client, people: People, storage: Path
) -> None:
    stranger = signed_in(people.stranger)

    assert "You have no founder page yet." in stranger.get(PHOTO).content.decode()
    assert stranger.post(PHOTO, {"picture": drawn(900, 600)}).status_code == 404
    assert stranger.post(f"{PHOTO}/remove").status_code == 404
    assert Upload.objects.count() == 0
