"""Pictures for tests, what is stored of them, and the jobs that prepare them."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone
from PIL import Image

from core import jobs
from core.models import Job
from directory import limits
from directory.models import Listing


def drawn(width: int = 2400, height: int = 900, *, colour: int = 90) -> SimpleUploadedFile:
    made = BytesIO()
    Image.new("RGB", (width, height), (10, colour, 60)).save(made, "PNG", compress_level=1)
    return SimpleUploadedFile("../screen.png", made.getvalue() + b"<script>1</script>")


def noise(kind: str = "JPEG", size: tuple[int, int] = (2000, 1250), **options: Any) -> SimpleUploadedFile:
    """A picture of more colours than a drawing has."""
    made = BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(made, kind, **options)
    return SimpleUploadedFile(f"photo.{kind.lower()}", made.getvalue())


def stored(storage: Path) -> list[Path]:
    """All files of pictures."""
    return sorted(path for path in storage.rglob("*") if path.is_file())


def shown_files(storage: Path) -> list[Path]:
    """Those that were made of what was sent."""
    return [file for file in stored(storage) if file.parent.name != "originals"]


def prepare() -> None:
    """Do the jobs that are due, those that had to wait for others too."""
    for _ in range(limits.PICTURES):
        jobs.run_due()
        Job.objects.filter(state="queued").update(run_after=timezone.now())


@contextmanager
def made_ready_meanwhile() -> Iterator[None]:
    """The worker is done with the pictures right before somebody looks for those that wait."""
    waits = [True]

    def look(execute: Any, sql: str, *rest: Any) -> Any:
        if 'FROM "directory_upload"' in sql and waits:
            waits.clear()
            prepare()
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        yield
    assert not waits


def words_of(page: Any) -> str:
    return " ".join(page.content.decode().split())


def place_of(listing: Listing) -> str:
    return f"/account/listings/{listing.pk}/pictures"


def named(holder: Any, number: int) -> str:
    """What the forms of an editor call the picture that stands there now."""
    holder.refresh_from_db()
    return str(holder.media[number - 1]["file"]).rpartition("/")[2].partition(".")[0]
