"""Pictures that are refused: before they are decoded, where they were added, and how the owner hears of it."""

import struct
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from PIL import Image

from core.api.errors import InvalidRequestError
from directory import limits
from directory.images import process as picture_process
from directory.images import uploads
from directory.models import Listing, Upload
from tests.conftest import People
from tests.directory.test_pictures import bomb
from tests.factories.listings import AT
from tests.factories.pictures import drawn, noise, place_of, prepare, stored, words_of
from tests.waiting import begin_blocked

pytestmark = pytest.mark.django_db


def lying(size: tuple[int, int]) -> SimpleUploadedFile:
    """A PNG whose header says another size than its pixels have."""
    body = bytearray(drawn(400, 300).read())
    struct.pack_into(">II", body, 16, *size)
    return SimpleUploadedFile("a.png", bytes(body))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"picture": drawn(100, 900), "alt": "x"}, "fewer than 200 pixels"),
        ({"picture": SimpleUploadedFile("a.png", b"<svg onload=1>"), "alt": "x"}, "no picture of a kind"),
        (
            {"picture": SimpleUploadedFile("a.png", b"\x89PNG" + b"0" * 5_000_000), "alt": "x"},
            "more than 4 MB",
        ),
        ({"picture": drawn(3990, 3000), "alt": "x"}, "which is too many"),
        ({"picture": SimpleUploadedFile("a.png", bomb(60000, 60000)), "alt": "x"}, "which is too many"),
        ({"picture": SimpleUploadedFile("a.jpg", b"\xff\xd8\xff\xe0"), "alt": "x"}, "is broken"),
        ({"picture": SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\nabcdefgh"), "alt": "x"}, "is broken"),
        ({"picture": SimpleUploadedFile("a.webp", b"RIFFxxxxWEBPVP9 "), "alt": "x"}, "is broken"),
        ({"picture": SimpleUploadedFile("a.gif", b"GIF89a" + b"x" * 90), "alt": "x"}, "no picture of a kind"),
        ({"picture": drawn(), "alt": ""}, "Say in one sentence what it shows"),
        ({"alt": "x"}, "This field is required"),
    ],
)
def test_what_is_no_picture_for_a_listing_is_refused(
    owner: Client, listing: Listing, storage: Path, given: dict[str, Any], says: str
) -> None:
    if "picture" in given:
        given["picture"].seek(0)
    refused = owner.post(f"/account/listings/{listing.pk}/pictures", given)

    assert (refused.status_code, says in refused.content.decode()) == (400, True)
    prepare()
    assert (Listing.objects.get().media, Upload.objects.count(), stored(storage)) == ([], 0, [])


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("options", [{}, {"lossless": True}], ids=["lossy", "lossless"])
def test_every_kind_tells_its_size_before_it_is_decoded(
    owner: Client, listing: Listing, storage: Path, kind: str, options: dict[str, Any]
) -> None:
    small = noise(kind, (199, 400), **options)

    refused = owner.post(place_of(listing), {"picture": small, "alt": "x"})

    assert (refused.status_code, "fewer than 200 pixels" in refused.content.decode()) == (400, True)
    assert stored(storage) == []


def test_a_webp_with_transparency_tells_its_size_too(owner: Client, listing: Listing, storage: Path) -> None:
    made = BytesIO()
    Image.new("RGBA", (300, 150), (1, 2, 3, 90)).save(made, "WEBP", exif=b"Exif\0\0II*\0\x08\0\0\0\0\0")
    assert made.getvalue()[12:16] == b"VP8X"

    refused = owner.post(place_of(listing), {"picture": SimpleUploadedFile("a", made.getvalue()), "alt": "x"})

    assert (refused.status_code, "fewer than 200 pixels" in refused.content.decode()) == (400, True)


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (lying((401, 300)), "The file is no picture of a kind we show."),
        (SimpleUploadedFile("a.png", drawn(400, 300).read()[:60]), "The picture is broken."),
        (SimpleUploadedFile("a.jpg", noise().read()[:3000]), "The picture is broken."),
    ],
    ids=["lies", "png", "jpeg"],
)
def test_what_turns_out_to_be_broken_is_told_where_it_was_added_and_goes_with_a_press(
    owner: Client,
    listing: Listing,
    storage: Path,
    broken: Any,
    says: str,
    django_capture_on_commit_callbacks: Any,
) -> None:
    broken.seek(0)
    pages = place_of(listing)
    assert owner.post(pages, {"picture": broken, "alt": "The board"}).status_code == 302
    with django_capture_on_commit_callbacks(execute=True):
        prepare()

    upload = Upload.objects.get()
    assert f"Not added.</b> {says} <span" in words_of(owner.get(pages, follow=True))
    assert (upload.status, Listing.objects.get().media, stored(storage)) == ("refused", [], [])
    owner.post(f"{pages}/uploads/{upload.pk}/remove")
    assert ("Not added." in owner.get(pages, follow=True).content.decode(), Upload.objects.count()) == (
        False,
        0,
    )


def test_of_several_those_that_are_none_are_named(owner: Client, listing: Listing, storage: Path) -> None:
    several = [drawn(400, 300), SimpleUploadedFile("notes.txt", b"no picture")]

    refused = owner.post(place_of(listing), {"picture": several, "alt": ""})

    assert (refused.status_code, "notes.txt: The file is no picture" in refused.content.decode()) == (
        400,
        True,
    )
    assert Upload.objects.count() == 1


def test_scripts_send_one_at_a_time_and_hear_why_one_was_refused(
    owner: Client, listing: Listing, storage: Path
) -> None:
    part = {"HTTP_X_PART": "1"}
    assert owner.post(place_of(listing), {"picture": drawn(400, 300)}, **part).status_code == 200
    refused = owner.post(place_of(listing), {"picture": drawn(100, 300)}, **part)

    assert (refused.status_code, refused["Content-Type"]) == (400, "text/plain")
    assert refused.content.decode() == "The picture has fewer than 200 pixels on one side."


class Unread:
    """A body that nobody may read."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("It was read.")

    readline = read


def test_a_file_larger_than_any_form_is_refused_unread(
    owner: Client, listing: Listing, storage: Path
) -> None:
    answer = owner.generic(
        "POST",
        f"/account/listings/{listing.pk}/pictures",
        content_type="multipart/form-data; boundary=x",
        **{"CONTENT_LENGTH": str(100 * 1024 * 1024), "wsgi.input": Unread()},
    )

    assert (answer.status_code, stored(storage)) == (400, [])
    assert "a picture has at most 4 MB." in answer.content.decode()


def test_nobody_has_more_than_a_few_that_wait(
    people: People, owner: Client, listing: Listing, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PICTURES_WAITING", 2)
    pages, answers = place_of(listing), []
    for colour in (30, 60, 90):
        answers.append(owner.post(pages, {"picture": drawn(400, 300, colour=colour), "alt": "x"}))

    assert [answer.status_code for answer in answers] == [302, 302, 400]
    assert "2 of your pictures are being prepared. Add more in a minute." in answers[2].content.decode()
    assert Upload.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_pictures_at_once_are_counted_one_after_the_other(
    people: People, listing: Listing, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PICTURES_WAITING", 1)
    body = drawn(400, 300).read()

    def send() -> None:
        with suppress(InvalidRequestError):
            uploads.receive(use="gallery", by_id=people.owner.pk, body=body, at=AT, listing=listing)

    with transaction.atomic():
        send()
        other = begin_blocked(send)
    other.join()
    assert Upload.objects.count() == 1


def test_what_ends_the_process_that_prepares_is_refused(
    owner: Client, listing: Listing, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_process, "SECONDS", 0.01)
    owner.post(place_of(listing), {"picture": drawn(), "alt": "The board"})
    prepare()

    assert "takes too long" in owner.get(place_of(listing), follow=True).content.decode()
    assert Listing.objects.get().media == []


def test_what_fails_on_our_side_is_told_too(
    owner: Client, listing: Listing, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    owner.post(place_of(listing), {"picture": drawn(), "alt": "The board"})
    for file in stored(storage):
        file.unlink()
    prepare()

    assert (
        "Preparing it failed on our side. Add it again."
        in owner.get(place_of(listing), follow=True).content.decode()
    )
