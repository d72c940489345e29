"""Files of the media storage: a row names each, or it goes a day later.

Whoever names a file that may be there already holds its name until the row is committed, and who deletes one holds it
until the file is gone: the same picture may come back meanwhile.
"""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.models import FileField, Model

from core import jobs
from core.api.links import absolute
from directory.images.pictures import SIZED, Made

PICTURES = "pictures"  # with a folder for each listing
STRAY_FOR = timedelta(days=1)
LOOKED_AT, DROPPED = 5000, 100  # in one statement, in one transaction
FOLDERS_A_RUN, FILES_A_RUN = 5000, 5000  # of listings that are looked at, of files that go
HOLD = "SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(%s::text[]) AS name"
COLUMN = "SELECT name FROM (SELECT {column} AS name FROM {table}) AS row WHERE name = ANY(%(names)s::text[])"
# a picture of a listing is named by one file; its sizes are called after that: pictures/7/abc.jpg, abc-640.avif
OF_LISTING = """
SELECT file FROM unnest(%(names)s::text[]) AS file
JOIN {table} AS row ON row.{key} = substring(file FROM '^pictures/([0-9]{{1,18}})/')::bigint
WHERE regexp_replace(file, '(-[0-9]+)?[.][a-z]+$', '') IN (
    SELECT regexp_replace(picture->>'file', '[.][a-z]+$', '')
    FROM jsonb_array_elements({pictures}) AS picture
) AND {when}
"""
IN_USE = OF_LISTING.format(
    table="directory_listing",
    key="id",
    pictures="""row.media || CASE WHEN row.site_picture->>'file' > ''
        THEN jsonb_build_array(row.site_picture) ELSE '[]' END""",
    when="true",
)

# a picture that staff put back may come again for as long as that can be undone
PUT_BACK = OF_LISTING.format(
    table="directory_listingrevision",
    key="listing_id",
    pictures="CASE jsonb_typeof(row.after -> 'media') WHEN 'array' THEN row.after -> 'media' ELSE '[]' END",
    when="row.review = 'reverted' AND row.reviewed_at > now() - interval '1 hour'",
)

# so may one that its owner removed some minutes ago
REMOVED = OF_LISTING.format(
    table="directory_undo",
    key="listing_id",
    pictures="row.details -> 'pictures'",
    when="row.kind = 'picture'",
)


def names_of(picture: Mapping[str, Any]) -> list[str]:
    main = picture.get("file") or ""
    stem = main.rpartition(".")[0]
    return (
        [main, *(f"{stem}-{width}.{kind}" for width in picture.get("sizes", ()) for kind in SIZED)]
        if main
        else []
    )


def store(name: str, content: bytes) -> None:
    """Have a file, for a row of the caller's transaction that names it. A name says what is in its file."""
    _hold([name])
    if not default_storage.exists(name):
        default_storage.save(name, ContentFile(content))


@transaction.atomic
def drop(names: Collection[str]) -> int:
    """Delete files, but those that a row names. Gives how many went."""
    _hold(names)
    gone = set(names) - _named(names)
    for name in gone:
        default_storage.delete(name)
    return len(gone)


def _hold(names: Collection[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(HOLD, [sorted(names)])


def _named(names: Collection[str]) -> set[str]:
    """Which of these a row names. One statement sees a name that goes from one row to another just now."""
    parts = [IN_USE, PUT_BACK, REMOVED]
    for model in apps.get_models():
        table = connection.ops.quote_name(model._meta.db_table)  # noqa: SLF001  (documented by Django)
        own = [connection.ops.quote_name(str(field.column)) for field in _file_fields(model)]
        parts += [
            COLUMN.format(column=item, table=table) for item in (*own, *getattr(model, "FILE_NAMES", ()))
        ]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), {"names": list(names)})
        return {name for (name,) in cursor.fetchall()}


def _file_fields(model: type[Model]) -> list[FileField]:
    return [field for field in model._meta.local_concrete_fields if isinstance(field, FileField)]  # noqa: SLF001


def sweep(*, at: datetime, lease: jobs.Lease) -> int:
    """Delete what no row names: files that were replaced, and those of a process that died before it committed.

    A file is written before its row is committed, so the last day's are left alone. Gives how many went.
    """
    number, names = 0, _all_names(at=at)
    while portion := list(islice(names, LOOKED_AT)):
        lease.renew()
        unnamed = sorted(set(portion) - _named(portion))
        strays = islice((name for name in unnamed if _is_old(name, at=at)), FILES_A_RUN - number)
        while few := list(islice(strays, DROPPED)):
            lease.renew()
            number += drop(few)
    return number


def _all_names(*, at: datetime) -> Iterator[str]:
    """Every file where rows name files; of very many listings with pictures others on each day."""
    for folder in sorted(
        {str(field.upload_to) for model in apps.get_models() for field in _file_fields(model)}
    ):
        yield from _files(folder)
    folders = sorted(filter(str.isdecimal, _listed(PICTURES)[0]), key=int)
    start = at.toordinal() * FOLDERS_A_RUN % max(1, len(folders))
    for folder in [*folders[start:], *folders[:start]][:FOLDERS_A_RUN]:
        yield from _files(f"{PICTURES}/{folder}")


def _files(folder: str) -> list[str]:
    return [f"{folder}/{file}" for file in _listed(folder)[1]]


def _listed(folder: str) -> tuple[list[str], list[str]]:
    try:
        return default_storage.listdir(folder)
    except FileNotFoundError:
        return [], []


def _is_old(name: str, *, at: datetime) -> bool:
    try:
        return default_storage.get_modified_time(name) < at - STRAY_FOR
    except FileNotFoundError:  # somebody else was faster
        return False


def store_main(made: Made, *, folder: str) -> str:
    """Store the file of a picture that every browser shows, for a row of the caller's transaction; gives its name."""
    end, content = next(iter(made.files.items()))
    name = f"{folder}/{hashlib.sha256(content).hexdigest()[:32]}{end}"
    store(name, content)
    return name


def store_picture(made: Made, *, folder: str) -> dict[str, Any]:
    """Store all files of a picture, for a row of the caller's transaction; gives what that row says of them."""
    stem = f"{folder}/{hashlib.sha256(next(iter(made.files.values()))).hexdigest()[:24]}"
    for end, content in made.files.items():
        store(f"{stem}{end}", content)
    main = f"{stem}{next(iter(made.files))}"
    return {"file": main, "width": made.width, "height": made.height, "sizes": list(made.sizes)}


FOLDER = "logos"
_FILE = re.compile(r"[0-9a-f]{32}\.(?:webp|svg)")


def own_logo(url: str | None) -> str:
    """The stored file that this address is of; empty for an address of somebody else."""
    file = (url or "").removeprefix(absolute(f"{settings.MEDIA_URL}{FOLDER}/"))
    return f"{FOLDER}/{file}" if _FILE.fullmatch(file) else ""


def address_of(name: str) -> str:
    return absolute(f"{settings.MEDIA_URL}{name}")


def named(made: Made) -> tuple[str, bytes]:
    """The name and content under which a prepared logo is stored: the same one has the same name."""
    ((end, content),) = made.files.items()
    return f"{FOLDER}/{hashlib.sha256(content).hexdigest()[:32]}{end}", content
