"""Files that no row names any more go a day later, from folders and buckets; what a row names stays."""

import errno
import os
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.utils import format_datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.utils import timezone
from PIL import Image

from config import environment
from config.backups import manifest
from config.media import StorageAwayError
from core import jobs
from core.models import Job
from directory.images import files
from directory.models import BlogPost, Founder, Site
from drafts.models import Draft
from tests.conftest import People
from tests.factories.listings import make_listing
from tests.factories.staff import staff_client
from tests.servers.bucket import Server
from tests.waiting import begin_blocked

FOLDERS = ("blog", "founders", "logos", "pictures/1")


@pytest.fixture(params=["folder", "bucket"])
def two_days_later(request: Any, settings: Any, tmp_path: Path, bucket: Server) -> Callable[[], None]:
    """A storage; makes all that is in it older."""
    settings.MEDIA_ROOT = tmp_path
    if request.param == "bucket":
        place = environment.place(bucket.url, name="MEDIA_STORAGE")
        settings.STORAGES = settings.STORAGES | {"default": place}
    ago = timezone.now() - timedelta(days=2)

    def grow_older() -> None:
        bucket.changed_at = format_datetime(ago, usegmt=True)
        for file in filter(Path.is_file, tmp_path.rglob("*")):
            os.utime(file, (ago.timestamp(), ago.timestamp()))

    return grow_older


def put(*names: str) -> None:
    for name in names:
        default_storage.save(name, ContentFile(b"x"))


def test_a_file_that_found_no_room_is_not_there_and_is_stored_once_there_is(
    db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path

    def half(file: Any, *_: Any) -> Iterator[bytes]:
        yield file.read()[:2]
        raise OSError(errno.ENOSPC, "No space left on device")

    backups = manifest.opened(str(tmp_path / "backups"))
    with monkeypatch.context() as full:
        full.setattr(ContentFile, "chunks", half)
        with pytest.raises(StorageAwayError, match="No space left"):
            files.store("logos/a.webp", b"whole")
        with pytest.raises(StorageAwayError, match="No space left"):
            backups.save("media/5e1f", ContentFile(b"whole"))
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == []

    files.store("logos/a.webp", b"whole")
    assert (tmp_path / "logos/a.webp").read_bytes() == b"whole"


def test_of_two_files_of_one_name_at_the_same_moment_each_is_there(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path

    class Slow(ContentFile):  # type: ignore[type-arg]
        """Another file of its name is stored while it is being read."""

        def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
            names.append(default_storage.save("blog/cover.png", ContentFile(b"other")))
            return super().chunks(chunk_size)

    names: list[str] = []
    names.append(default_storage.save("blog/cover.png", Slow(b"mine")))

    assert [default_storage.open(name).read() for name in names] == [b"other", b"mine"]
    assert {path.name for path in (tmp_path / "blog").iterdir()} == {Path(name).name for name in names}


def test_a_file_that_was_cut_short_by_a_fault_leaves_nothing(
    db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path

    def half(file: Any, *_: Any) -> Iterator[bytes]:
        yield file.read()[:2]
        raise RuntimeError("the job's time is over")

    monkeypatch.setattr(ContentFile, "chunks", half)
    with pytest.raises(RuntimeError):
        files.store("logos/a.webp", b"whole")

    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == []


def dot() -> bytes:
    made = BytesIO()
    Image.new("RGB", (300, 300)).save(made, "PNG")
    return made.getvalue()


def there() -> list[str]:
    found = []
    for folder in FOLDERS:
        try:
            found += [f"{folder}/{file}" for file in sorted(default_storage.listdir(folder)[1])]
        except FileNotFoundError:
            continue
    return found


def swept() -> list[str]:
    """What is left after the daily job."""
    jobs.add("directory.sweep_pictures", key=str(uuid.uuid4()))
    jobs.run_due()
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}
    return there()


def make_draft(site: Site, people: People, *, file: str) -> Draft:
    now = timezone.now()
    return Draft.objects.create(
        site=site,
        owner=people.owner,
        url="https://a.example/",
        site_key=file,
        domain="a.example",
        logo={"url": "https://a.example/l.png", "file": file, "problem": ""},
        created_at=now,
        updated_at=now,
    )


def test_what_rows_name_stays_and_what_none_names_goes(
    site: Site, people: People, two_days_later: Callable[[], None]
) -> None:
    now = timezone.now()
    media = [{"type": "image", "file": "pictures/1/named.webp", "alt": "", "width": 1, "height": 1}]
    make_listing(pk=1, logo="logos/listing.webp", media=media)
    make_draft(site, people, file="logos/draft.webp")
    Founder.objects.create(slug="a", name="A", photo="founders/named.png", created_at=now)
    common = {"site": site, "markdown": "Text", "updated_at": now}
    BlogPost.objects.create(slug="unpublished", title="A", cover="blog/named.png", **common)
    named = ["blog/named.png", "founders/named.png", "logos/draft.webp", "logos/listing.webp"]
    named.append("pictures/1/named.webp")
    put(*named, *(f"{folder}/stray.png" for folder in FOLDERS), "elsewhere/mine.png")

    assert len(swept()) == 9  # younger than a day
    two_days_later()
    assert swept() == named
    assert default_storage.exists("elsewhere/mine.png")


def test_a_replaced_photo_goes_and_the_logo_of_a_draft_that_is_discarded(
    site: Site, people: People, two_days_later: Callable[[], None]
) -> None:
    now, boss = timezone.now(), staff_client("administrator")
    founder = Founder.objects.create(
        slug="a", name="A", photo=SimpleUploadedFile("a.png", dot()), created_at=now
    )
    make_listing(logo="logos/shared.webp")
    for file in ("logos/shared.webp", "logos/lone.webp"):
        put(file)
        make_draft(site, people, file=file)
    typed = {"slug": "a", "name": "A", "socials": "{}", "created_at_0": "2026-01-01", "created_at_1": "10:00"}
    photo = {"photo": SimpleUploadedFile("b.png", dot())}
    page = f"/admin/directory/founder/{founder.pk}/change/"
    assert boss.post(page, {**typed, **photo}).status_code == 302
    assert len(there()) == 4
    Draft.objects.all().delete()

    two_days_later()

    founder.refresh_from_db()
    assert swept() == [founder.photo.name, "logos/shared.webp"]


def test_a_run_removes_no_more_than_it_may(
    site: Site, two_days_later: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "FILES_A_RUN", 3)
    monkeypatch.setattr(files, "DROPPED", 2)
    put(*(f"logos/{number}.webp" for number in range(5)))
    two_days_later()

    assert [len(swept()) for _ in range(3)] == [2, 0, 0]


def test_a_file_that_is_named_after_the_look_stays(
    site: Site, people: People, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path
    put("logos/back.webp")

    def old_and_named(storage: FileSystemStorage, name: str) -> Any:
        make_draft(site, people, file=name)
        return timezone.now() - timedelta(days=2)

    monkeypatch.setattr(FileSystemStorage, "get_modified_time", old_and_named)

    assert swept() == ["logos/back.webp"]


@pytest.mark.django_db(transaction=True)
def test_a_file_that_somebody_is_about_to_name_is_not_deleted_under_them(
    settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path
    put("founders/a.png")
    gone: list[int] = []
    with transaction.atomic():
        files.store("founders/a.png", b"x")
        deleting = begin_blocked(lambda: gone.append(files.drop(["founders/a.png"])))
        Founder.objects.create(slug="a", name="A", photo="founders/a.png", created_at=timezone.now())
    deleting.join()

    assert (gone, default_storage.exists("founders/a.png")) == ([0], True)
