"""Pictures of a listing: added by its owner, redrawn, shown where that section is open, removed with their files."""

import os
import resource
import threading
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from core import jobs
from core.models import Job
from directory import picture_process
from directory.models import Listing, Site
from directory.picture_process import PicturesBusyError
from directory.pictures import Screen
from tests.conftest import People
from tests.factories.listings import make_listing

pytestmark = pytest.mark.django_db


@pytest.fixture
def storage(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def listing(people: People, site: Site, storage: Path) -> Listing:
    return make_listing(owner=people.owner, plan="paid")


@pytest.fixture
def owner(people: People) -> Client:
    client = Client()
    client.force_login(people.owner)
    return client


def drawn(width: int = 2400, height: int = 900, *, colour: int = 90) -> SimpleUploadedFile:
    made = BytesIO()
    Image.new("RGB", (width, height), (10, colour, 60)).save(made, "PNG")
    return SimpleUploadedFile("../screen.png", made.getvalue() + b"<script>1</script>")


def stored(storage: Path) -> list[Path]:
    return sorted(storage.rglob("*.webp"))


def test_a_picture_is_redrawn_shown_and_removed_with_its_file(
    owner: Client, listing: Listing, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    pages = f"/account/listings/{listing.pk}/pictures"
    assert owner.post(pages, {"picture": drawn(), "alt": 'The <b> "board"'}).status_code == 302

    (file,) = stored(storage)
    with Image.open(file) as image:
        assert (image.format, image.size) == ("WEBP", (1600, 600))
    assert b"script" not in file.read_bytes()
    (told,) = Client().get("/api/v1/listings/tidewell").json()["media"]
    address = f"/media/{file.relative_to(storage)}"
    assert (told["url"].endswith(address), told["width"], told["alt"]) == (True, 1600, 'The <b> "board"')
    page = Client().get("/listings/tidewell").content.decode()
    assert f'src="{address}"' in page
    assert 'alt="The &lt;b&gt; &quot;board&quot;"' in page

    with django_capture_on_commit_callbacks(execute=True):
        owner.post(f"{pages}/1/remove")
    assert (Client().get("/api/v1/listings/tidewell").json()["media"], stored(storage)) == ([], [])


def test_where_the_section_is_closed_only_the_owner_sees_them(
    owner: Client, listing: Listing, people: People
) -> None:
    Listing.objects.update(plan="free")
    pages = f"/account/listings/{listing.pk}/pictures"
    owner.post(pages, {"picture": drawn(), "alt": "The board"})

    assert "media" not in Client().get("/api/v1/listings/tidewell").json()
    assert "The board" not in Client().get("/listings/tidewell").content.decode()
    shown = owner.get(pages).content.decode()
    assert ('alt="The board"' in shown, "comes with a paid launch" in shown) == (True, True)
    stranger = Client()
    stranger.force_login(people.stranger)
    assert [stranger.get(pages).status_code, stranger.post(f"{pages}/1/remove").status_code] == [404, 404]
    assert len(Listing.objects.get().media) == 1


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
        ({"picture": drawn(), "alt": ""}, "This field is required"),
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
    assert (Listing.objects.get().media, stored(storage)) == ([], [])


def test_there_are_six_at_most_and_staff_remove_them(
    owner: Client, listing: Listing, people: People, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    pages = f"/account/listings/{listing.pk}/pictures"
    for colour in (1, 2, 3, 4, 5, 6, 6, 7):
        owner.post(pages, {"picture": drawn(400, 300, colour=30 * colour), "alt": f"{colour}"})
    assert [row["alt"] for row in Listing.objects.get().media] == ["1", "2", "3", "4", "5", "6"]

    staff = Client()
    staff.force_login(people.staff)
    with django_capture_on_commit_callbacks(execute=True):
        staff.post(f"/admin/directory/listing/{listing.pk}/clear/", {"reason": "Not of this product."})
    assert (Listing.objects.get().media, stored(storage)) == ([], [])


def test_files_that_no_listing_names_are_swept_a_day_later(
    owner: Client, listing: Listing, storage: Path
) -> None:
    owner.post(f"/account/listings/{listing.pk}/pictures", {"picture": drawn(), "alt": "Shown"})
    (shown,) = stored(storage)
    stray, fresh, gone = (shown.with_name("a.webp"), shown.with_name("b.webp"), storage / "pictures/0/c.webp")
    gone.parent.mkdir()
    day_ago = (timezone.now() - timedelta(hours=25)).timestamp()
    for file in (stray, fresh, gone):
        file.write_bytes(b"x")
    for file in (shown, stray, gone):
        os.utime(file, (day_ago, day_ago))

    jobs.add("directory.sweep_pictures", key=str(uuid.uuid4()))
    jobs.run_due()

    assert Job.objects.get(kind="directory.sweep_pictures").state == "done"
    assert stored(storage) == sorted([shown, fresh])


def test_a_picture_that_is_added_again_at_once_keeps_its_file(
    owner: Client, listing: Listing, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    pages = f"/account/listings/{listing.pk}/pictures"
    owner.post(pages, {"picture": drawn(), "alt": "Shown"})

    with django_capture_on_commit_callbacks(execute=True):  # as if the first had stood still after its commit
        owner.post(f"{pages}/1/remove")
        owner.post(pages, {"picture": drawn(), "alt": "Shown again"})

    assert len(stored(storage)) == 1


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


def test_thirty_two_at_once_are_drawn_one_at_a_time_apart_from_the_web(
    owner: Client, listing: Listing, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    together, most, before = [0], [0], threading.Barrier(32)
    draw, guard = picture_process._drawn, threading.Lock()

    def counted(body: bytes) -> Screen:
        with guard:
            together[0] += 1
            most[0] = max(most[0], together[0])
        try:
            return draw(body)
        finally:
            with guard:
                together[0] -= 1

    body = drawn(3990, 2000).read()  # a few kilobytes that are 8 megapixels once they are decoded

    def upload(_: int) -> str:
        before.wait()
        try:
            return str(picture_process.drawn_apart(body).width)
        except PicturesBusyError as error:
            return str(error.status)

    monkeypatch.setattr(picture_process, "_drawn", counted)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with ThreadPoolExecutor(32) as pool:
        answers = Counter(pool.map(upload, range(32)))

    assert (most, set(answers), answers.total()) == ([1], {"1600", "503"}, 32)
    assert answers["1600"] >= 2
    assert (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 30_000
    )  # kilobytes; one decoded is 32 MB


def test_who_has_to_wait_too_long_is_told_so_and_nothing_changes(
    owner: Client, listing: Listing, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_process, "WAIT_SECONDS", 0.01)
    with picture_process._turn:
        answer = owner.post(
            f"/account/listings/{listing.pk}/pictures", {"picture": drawn(), "alt": "The board"}
        )

    assert answer.status_code == 503
    assert "Other pictures are being prepared. Add yours again in a moment." in answer.content.decode()
    assert (Listing.objects.get().media, stored(storage)) == ([], [])


def test_what_ends_the_process_that_draws_is_refused(
    owner: Client, listing: Listing, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_process, "SECONDS", 0.01)

    answer = owner.post(f"/account/listings/{listing.pk}/pictures", {"picture": drawn(), "alt": "The board"})

    assert (answer.status_code, "takes too long" in answer.content.decode()) == (400, True)
    assert (Listing.objects.get().media, stored(storage)) == ([], [])
