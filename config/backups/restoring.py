"""Brings a backup back: checked before anything is touched, into what is empty, and paused."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from django.core.files.storage import Storage
from django.db.migrations.loader import MigrationLoader

from config.backups import postgresql
from config.backups.making import Report
from config.backups.manifest import DUMP, MEDIA, SECRET_KEY, BackupError, Manifest, Stream, Sum, sum_of
from core.jobs import ALL
from core.models import Pause

PAUSE = f"INSERT INTO {Pause._meta.db_table} (queue, reason, paused_at) VALUES (%s, %s, clock_timestamp())"  # noqa: S608, SLF001
EMPTIED = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
BETWEEN_SECTIONS = ("data", "post-data")
WORKERS = min(4, os.cpu_count() or 1)


def refuse_newer(manifest: Manifest) -> None:
    """What a newer release wrote, this one cannot run on."""
    existing = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations or {}}
    if unknown := [step for step in manifest.migrations if step not in existing]:
        raise BackupError(
            f"{manifest.name} was made by release {manifest.version}, whose migration {unknown[0]} is not known here."
            " Restore it with that release."
        )


def restore_database(
    *, place: Storage, manifest: Manifest, url: str, is_replacing: bool, scratch: Path, report: Report
) -> None:
    """Into an empty database, which is paused before its first row is there."""
    with postgresql.connect(url) as connection:
        if others := postgresql.value_of(connection, postgresql.OTHERS):
            raise BackupError(
                f"{others} other connections to this database are open. Stop what uses it first."
            )
        tables = postgresql.value_of(connection, postgresql.IS_FILLED)
        if tables and not is_replacing:
            raise BackupError(
                f"The database has {tables} tables already. Name an empty one, or say --replace to lose what is in it."
            )
    with checked_file(
        place, f"{manifest.name}/{DUMP}", expected=manifest.files[DUMP], scratch=scratch
    ) as dump:
        with postgresql.connect(url) as connection:
            if tables:
                connection.execute(EMPTIED)
        postgresql.restore(url, dump=dump, section="pre-data")
        with postgresql.connect(url) as connection:
            connection.execute(PAUSE, [ALL, f"restored from {manifest.name}"])
        for section in BETWEEN_SECTIONS:
            postgresql.restore(url, dump=dump, section=section, jobs=WORKERS)
        with postgresql.connect(url) as connection:
            connection.execute("ANALYZE")
    report("The database is restored, and paused.")


@contextmanager
def checked_file(place: Storage, name: str, *, expected: Sum, scratch: Path) -> Iterator[Path]:
    """A file of a backup on the local disk, once its sum is right."""
    with tempfile.NamedTemporaryFile(dir=scratch, prefix="restore-") as copy:
        try:
            with place.open(name) as source:
                stream = Stream(source)
                for piece in stream.chunks():
                    copy.write(piece)
        except FileNotFoundError as error:
            raise BackupError(f"{name} is missing in the backup.") from error
        copy.flush()
        _compare(name, actual=stream.sum, expected=expected)
        yield Path(copy.name)


def _compare(name: str, *, actual: Sum, expected: Sum) -> None:
    if actual != expected:
        raise BackupError(f"{name} is damaged: {actual} instead of {expected}.")


def restore_media(*, place: Storage, manifest: Manifest, into: Storage, report: Report) -> None:
    """Every file of the backup under its name; what is there already with the same content stays."""
    for name, expected in manifest.media.items():
        if into.exists(name):
            with into.open(name) as there:
                if sum_of(there) == expected:
                    continue
            into.delete(name)
        with place.open(f"{MEDIA}/{expected.sha256}") as source:
            stream = Stream(source)
            into.save(name, cast(IO[bytes], stream))  # it has what storages use of a file
        if stream.sum != expected:
            into.delete(name)
        _compare(name, actual=stream.sum, expected=expected)
    report(f"{len(manifest.media):,} media files are restored.")


def restore_secret_key(*, place: Storage, manifest: Manifest, folder: Path, report: Report) -> None:
    """Into a data folder; one that is there already is kept beside it."""
    if SECRET_KEY not in manifest.files:
        report("The backup has no secret key: its installation has it in SECRET_KEY, and so must this one.")
        return
    expected = manifest.files[SECRET_KEY]
    with checked_file(place, f"{manifest.name}/{SECRET_KEY}", expected=expected, scratch=folder) as copy:
        target = folder / SECRET_KEY
        if target.exists() and target.read_bytes() != copy.read_bytes():
            target.rename(folder / f"{SECRET_KEY}.before-restore")
        fresh = folder / f"{SECRET_KEY}.new"
        fresh.touch(mode=0o600)
        shutil.copyfile(copy, fresh)
        fresh.replace(target)
    report("The secret key is restored.")
