"""`manage.py restore BACKUP [--from PLACE] [--into FOLDER|postgres://…]`: a backup, checked, into what is empty."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage, Storage, default_storage
from django.core.management.base import BaseCommand, CommandError

from config import environment as env
from config.backups.manifest import BackupError, Manifest, complete, opened
from config.backups.restoring import refuse_newer, restore_database, restore_media, restore_secret_key
from config.embedded import servers
from config.embedded.paths import CannotRunError

LATEST = "latest"


class Command(BaseCommand):
    help = "Restore a backup. What is restored is paused until `manage.py resume`."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", nargs="?", default=LATEST, help="its name; the latest unless told")
        parser.add_argument(
            "--from", dest="place", default=settings.BACKUP_TO, help="a folder or s3://bucket/prefix"
        )
        parser.add_argument(
            "--into",
            help="a data folder, with servers of its own; or postgres://…, the database alone;"
            " without it, this installation",
        )
        parser.add_argument("--replace", action="store_true", help="lose what is in the database")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["place"]:
            raise CommandError(
                "Say where the backup is: --from FOLDER, --from s3://bucket/prefix, or BACKUP_TO."
            )
        place = opened(options["place"])
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        try:
            manifest = Manifest.read(place, _name(place, options["backup"]))
            refuse_newer(manifest)
            self._restore(place, manifest, into=options["into"] or "", is_replacing=options["replace"])
        except (BackupError, CannotRunError) as error:
            raise CommandError(str(error)) from error

    def _restore(self, place: Storage, manifest: Manifest, *, into: str, is_replacing: bool) -> None:
        write = self.stdout.write
        write(f"Restoring {manifest.name}, made by release {manifest.version}.")
        source: dict[str, Any] = {"place": place, "manifest": manifest, "report": write}
        how: dict[str, Any] = {"is_replacing": is_replacing, "scratch": settings.DATA_DIR}
        if "://" in into:
            restore_database(url=into, **source, **how)
            write("Media and secret key are left alone.")
            return
        folder = Path(into).resolve() if into else settings.DATA_DIR
        with _database(folder, is_own=not into) as url:
            restore_database(url=url, **source, **how)
        media = FileSystemStorage(location=folder / "media") if into else default_storage
        restore_media(into=media, **source)
        restore_secret_key(folder=folder, **source)
        write("Next: start it, look at it, and let it work: manage.py resume")


def _name(place: Storage, values: str) -> str:
    if values != LATEST:
        return values
    result = complete(place)
    if not result:
        raise BackupError("There is no complete backup in this place.")
    return result[-1]


@contextmanager
def _database(folder: Path, *, is_own: bool) -> Iterator[str]:
    """The database of a data folder, whose servers run for as long as this lasts; or the one that is named."""
    if is_own and env.text("DATABASE_URL"):
        yield settings.DIRECT_DATABASE_URL
        return
    with servers.running_servers(folder) as urls:
        yield urls.database
