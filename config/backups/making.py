"""Makes backups: the database as of one moment, the media it names, the secret key, and the sums of all that."""

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import IO, cast

from django.conf import settings
from django.core.files.storage import Storage, default_storage, storages

from config import environment as env
from config.backups import postgresql
from config.backups.manifest import (
    DUMP,
    MANIFEST,
    MEDIA,
    NAME,
    SECRET_KEY,
    Manifest,
    Stream,
    Sum,
    complete,
    names,
    sum_of,
)
from core import jobs

logger = logging.getLogger(__name__)
Report = Callable[[str], object]
HOUR = 3  # UTC: away from midnight, when weeks begin
UNFINISHED = timedelta(days=1)  # what is older and not complete will not become so


def back_up(*, place: Storage, at: datetime, report: Report, snapshot: str | None = None) -> Manifest:
    """Make a backup while the service runs. Raises BackupError; a backup without its manifest does not count.

    What cannot be completed goes again: each try of a night would leave a dump. `snapshot` is one of PostgreSQL's that
    another connection holds.
    """
    name = f"{at:{NAME}}"
    with ExitStack() as unfinished:
        unfinished.callback(_remove, place, name)
        made = _make(name, place=place, report=report, snapshot=snapshot)
        made.write(place)
        unfinished.pop_all()
    return made


def _make(name: str, *, place: Storage, report: Report, snapshot: str | None) -> Manifest:
    """All but the manifest. The media come after the database, so that whatever it names is there."""
    url = settings.DIRECT_DATABASE_URL
    with postgresql.connect(url) as connection:
        server = postgresql.major_of(connection)
        migrations = [
            f"{app}.{step}"
            for app, step in connection.execute("SELECT app, name FROM django_migrations ORDER BY id")
        ]
    program, major = postgresql.client("pg_dump", server=server)
    with postgresql.dumped(url, program=program, snapshot=snapshot) as output:
        files = {DUMP: _save(place, f"{name}/{DUMP}", Stream(output))}
    report(f"Database: {files[DUMP].size:,} bytes.")
    key = settings.DATA_DIR / SECRET_KEY
    if key.exists() and not env.text("SECRET_KEY"):
        with key.open("rb") as file:
            files[SECRET_KEY] = _save(place, f"{name}/{SECRET_KEY}", Stream(file))
    media = _save_media(place)
    report(f"Media: {len(media):,} files, {sum(entry.size for entry in media.values()):,} bytes.")
    return Manifest(
        name=name,
        version=settings.VERSION,
        postgresql=server,
        pg_dump=major,
        migrations=migrations,
        files=files,
        media=media,
    )


def _save(place: Storage, name: str, stream: Stream) -> Sum:
    place.save(name, cast(IO[bytes], stream))  # it has what storages use of a file
    return stream.sum


def _save_media(place: Storage) -> dict[str, Sum]:
    """Every file of the media storage, of which those are copied that no backup here has yet."""
    there = _stored(place)
    result: dict[str, Sum] = {}
    for name in walk(default_storage):
        try:
            opened = default_storage.open(name)
        except FileNotFoundError:  # removed since it was listed
            continue
        with opened as file:
            result[name] = entry = sum_of(file)
            if entry.sha256 not in there:
                file.seek(0)
                _save(place, f"{MEDIA}/{entry.sha256}", Stream(file))
                there.add(entry.sha256)
    return result


def _stored(place: Storage) -> set[str]:
    try:
        return set(place.listdir(MEDIA)[1])
    except FileNotFoundError:
        return set()


def walk(storage: Storage, folder: str = "") -> Iterator[str]:
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        return
    for name in sorted(files):
        yield f"{folder}{name}"
    for name in sorted(folders):
        yield from walk(storage, f"{folder}{name}/")


def keep_last(number: int, *, place: Storage, at: datetime) -> list[str]:
    """Remove older backups, those that were never completed, and media that no backup names. Gives what went."""
    whole = complete(place)
    remaining, stale = whole[-number:], f"{at - UNFINISHED:{NAME}}"
    gone = [name for name in names(place) if name not in remaining and (name in whole or name < stale)]
    for name in gone:
        _remove(place, name)
    if gone and names(place) == remaining:  # one that is being made beside us names media when it is complete
        _forget_media(place, stored=remaining, at=at)
    return gone


def _remove(place: Storage, name: str) -> None:
    place.delete(f"{name}/{MANIFEST}")  # first, so that half of a backup never looks whole
    for path in walk(place, f"{name}/"):
        place.delete(path)
    place.delete(name)


def _forget_media(place: Storage, *, stored: list[str], at: datetime) -> None:
    """Those of a backup that is being made now are named nowhere yet: they are younger than a day."""
    named = {entry.sha256 for name in stored for entry in Manifest.read(place, name).media.values()}
    for digest in _stored(place) - named:
        if place.get_modified_time(f"{MEDIA}/{digest}") < at - UNFINISHED:
            place.delete(f"{MEDIA}/{digest}")


def back_up_nightly(*, at: datetime) -> None:
    """Make the backup of a night that has none yet, however late, and keep the newest ones."""
    if not settings.BACKUP_TO or not _is_due(place := storages["backups"], at=at):
        return
    made = back_up(place=place, at=at, report=logger.info)
    jobs.note_heartbeat("backup")
    gone = keep_last(max(1, settings.BACKUP_KEEP), place=place, at=at)
    logger.info("backup complete", extra={"backup": made.name, "removed": gone})


def _is_due(place: Storage, *, at: datetime) -> bool:
    """Whether the place has no backup of the last night; one that was made somewhere else is none."""
    night = (at - timedelta(hours=HOUR)).replace(hour=HOUR, minute=0, second=0, microsecond=0)
    return not any(name >= f"{night:{NAME}}" for name in complete(place))
