"""What is backed up comes back, checked and paused, or not at all; and a drill says whether it would."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from config import environment as env
from config.backups import making, postgresql
from config.backups.manifest import BackupError, Manifest, complete, opened
from config.embedded import servers
from config.embedded.postgres_server import THROWAWAY
from core import jobs
from directory.models import Listing, Site
from tests.factories.listings import make_listing
from tests.servers.bucket import Server
from tests.servers.folders import throwaway_folder

PICTURE = b"\x89PNG as far as a name tells"


def said(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def url_of(known: dict[str, Any]) -> str:
    place = f"?host={quote(known['HOST'], safe='')}" + (f"&port={known['PORT']}" if known["PORT"] else "")
    return f"postgres://{known['USER']}:{quote(known['PASSWORD'])}@/{known['NAME']}{place}"


@pytest.fixture
def data(settings: Any, tmp_path: Path) -> Path:
    """A data folder with a picture, a listing in the database, and the address by which pg_dump finds that."""
    settings.DATA_DIR = tmp_path
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.DIRECT_DATABASE_URL = url_of(connection.settings_dict)
    (tmp_path / "secret_key").write_text("never told")
    default_storage.save("logos/kept.png", ContentFile(PICTURE))
    return tmp_path


@pytest.fixture
def world(transactional_db: None, site: Site, data: Path) -> Path:
    make_listing("lathe", name="Lathe & Söhne")
    return data


@pytest.fixture
def empty_folder() -> Iterator[Path]:
    with throwaway_folder() as folder:
        yield folder


def test_what_is_in_a_bucket_comes_back_in_a_folder_of_its_own_and_waits(
    world: Path, bucket: Server, empty_folder: Path
) -> None:
    jobs.pause(queue="mail", reason="of this installation")
    made = said("backup", "--to", bucket.url).split()[-3]
    stored = "".join(bucket.objects)
    told = said("restore", "--from", bucket.url, "--into", str(empty_folder))

    assert {f"site/{made}/{name}" for name in ("database.dump", "secret_key", "manifest.json")} < set(
        bucket.objects
    )
    assert "logos" not in stored
    assert "manage.py resume" in told
    assert (empty_folder / "media" / "logos" / "kept.png").read_bytes() == PICTURE
    assert (empty_folder / "secret_key").read_text() == "never told"
    assert (empty_folder / "secret_key").stat().st_mode & 0o777 == 0o600
    with servers.running_servers(empty_folder, tuning=THROWAWAY) as urls:
        with psycopg.connect(urls.database) as there:
            assert there.execute("SELECT name FROM directory_listing").fetchall() == [("Lathe & Söhne",)]
            assert there.execute("SELECT queue, reason FROM core_pause").fetchall() == [
                ("all", f"restored from {made}")
            ]
        with pytest.raises(CommandError, match="tables already"):
            said("restore", "--from", bucket.url, "--into", urls.database)
        with psycopg.connect(urls.database, autocommit=True) as there:
            there.execute("UPDATE directory_listing SET name = 'Lost'")
            with pytest.raises(CommandError, match="1 other connections"):
                said("restore", "--from", bucket.url, "--into", urls.database, "--replace")
        said("restore", "--from", bucket.url, "--into", urls.database, "--replace")
        with psycopg.connect(urls.database) as there:
            assert there.execute("SELECT name FROM directory_listing").fetchall() == [("Lathe & Söhne",)]


def test_what_is_damaged_incomplete_or_newer_is_refused_before_anything_is_touched(
    world: Path, tmp_path: Path
) -> None:
    to = tmp_path / "backups"
    made = said("backup", "--to", str(to)).split()[-3]
    into = url_of(connection.settings_dict)
    manifest = to / made / "manifest.json"
    whole = manifest.read_text()

    def refused(words: str) -> None:
        with pytest.raises(CommandError, match=words):
            said("restore", made, "--from", str(to), "--into", into)

    assert [path.stat().st_mode & 0o777 for path in (to / made, to / made / "database.dump")] == [
        0o700,
        0o600,
    ]
    manifest.write_text(json.dumps(json.loads(whole) | {"migrations": ["core.0999_future"]}))
    refused("0999_future is not known here")
    manifest.write_text(whole[:100])
    refused("is damaged")
    manifest.unlink()
    refused("no complete backup")
    with pytest.raises(CommandError, match="no complete backup"):
        said("restore", "--from", str(to), "--into", into)
    assert Listing.objects.count() == 1


def test_the_backup_before_an_upgrade_is_made_on_the_schema_of_the_former_release(
    world: Path, tmp_path: Path
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE core_heartbeat RENAME TO elsewhere")
        try:
            told = said("backup", "--to", str(tmp_path / "backups"))
        finally:
            cursor.execute("ALTER TABLE elsewhere RENAME TO core_heartbeat")

    assert "is complete.\nIts age is not noted" in told
    assert len(complete(opened(str(tmp_path / "backups")))) == 1


def test_a_drill_compares_answers_and_media_and_fails_for_a_damaged_backup(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", url_of(connection.settings_dict))
    told = said("restore_drill", "--answers", "24")

    assert "Compared 24 answers and 1 media files" in told
    assert told.endswith("All as they were.\n")
    assert "restore_drill" in jobs.heartbeats()
    to = tmp_path / "backups"
    made = said("backup", "--to", str(to)).split()[-3]
    (kept,) = (to / "media").iterdir()
    kept.write_bytes(b"rotten")
    with pytest.raises(CommandError, match=r"logos/kept\.png is damaged"):
        said("restore_drill", made, "--from", str(to))


@pytest.fixture
def nightly_to(settings: Any, data: Path) -> Path:
    """Nightly backups, to a folder."""
    to = data / "nightly"
    settings.BACKUP_TO, settings.BACKUP_KEEP = str(to), 2
    settings.STORAGES = settings.STORAGES | {"backups": env.place(str(to), name="BACKUP_TO")}
    return to


@pytest.mark.django_db(transaction=True)
def test_each_night_has_one_backup_and_the_last_ones_are_kept(nightly_to: Path) -> None:
    place, day = opened(str(nightly_to)), timedelta(days=1)
    now = datetime.now(UTC)
    for back in (5, 4, 3):
        making.back_up(place=place, at=now - back * day, report=print)
    unfinished = nightly_to / f"{now - 2 * day:%Y%m%dT%H%M%SZ}"
    unfinished.mkdir()
    default_storage.delete("logos/kept.png")
    for path in (nightly_to / "media").iterdir():
        os.utime(path, (0, 0))
    making.back_up_nightly(at=now)
    making.back_up_nightly(at=now + timedelta(minutes=1))

    assert complete(place) == [f"{at:%Y%m%dT%H%M%SZ}" for at in (now - 3 * day, now)]
    assert not unfinished.exists()
    assert len(list((nightly_to / "media").iterdir())) == 1  # the older of the two names it
    assert "backup" in jobs.heartbeats()
    assert Manifest.read(place, complete(place)[-1]).media == {}


@pytest.mark.django_db(transaction=True)
def test_what_cannot_be_completed_leaves_no_dump_behind(nightly_to: Path) -> None:
    """It is tried again every hour, and a place that is full would fill up with what is no backup."""
    nightly_to.mkdir()
    (nightly_to / "media").write_text("in the way")

    with pytest.raises(NotADirectoryError):
        making.back_up_nightly(at=datetime.now(UTC))
    with pytest.raises(CommandError, match="Not a directory"):
        said("backup", "--to", str(nightly_to))

    assert [path.name for path in nightly_to.iterdir()] == ["media"]


@pytest.mark.django_db(transaction=True)
def test_a_night_without_a_backup_gets_one_however_late(nightly_to: Path) -> None:
    place, last = opened(str(nightly_to)), datetime(2026, 5, 4, 3, 5, tzinfo=UTC)
    assert making._is_due(place, at=last)
    making.back_up(place=place, at=last, report=print)

    due = [making._is_due(place, at=last + timedelta(hours=hours)) for hours in (1, 23, 24, 80)]
    assert due == [False, False, True, True]


@pytest.mark.django_db(transaction=True)
def test_a_backup_elsewhere_is_not_the_nights_and_one_is_made_at_a_time(
    nightly_to: Path, tmp_path: Path
) -> None:
    said("backup", "--to", str(tmp_path / "elsewhere"))
    jobs.add("config.back_up", key="03:00")
    with jobs.place("backup", places=1, holder="the last hour's"):
        jobs.run_due()
    assert complete(opened(str(nightly_to))) == []

    jobs.add("config.back_up", key="04:00")
    jobs.run_due()
    assert len(complete(opened(str(nightly_to)))) == 1


def test_programs_that_are_too_old_are_named_with_what_to_install() -> None:
    with pytest.raises(BackupError, match=r"must be of that version or newer.*postgresql-client-99"):
        postgresql.client("pg_dump", server=99)


def test_a_picture_that_is_removed_while_a_backup_is_made_does_not_end_it(
    world: Path, tmp_path: Path, empty_folder: Path
) -> None:
    (tmp_path / "media/logos/gone.png").symlink_to("nowhere")  # is listed, and is not there

    said("backup", "--to", str(empty_folder))

    place = opened(str(empty_folder))
    (name,) = complete(place)
    assert list(Manifest.read(place, name).media) == ["logos/kept.png"]


@pytest.mark.parametrize("url", ["s3://", "ftp://host/x", "s3://bucket/x?acl=public"])
def test_a_place_that_is_neither_folder_nor_bucket_is_refused(url: str) -> None:
    with pytest.raises(env.ImproperlyConfigured, match="is a folder or s3://"):
        env.place(url, name="BACKUP_TO")


def test_media_of_a_bucket_are_shown_by_the_site(
    db: None, site: Site, client: Client, bucket: Server, settings: Any
) -> None:
    settings.STORAGES = settings.STORAGES | {"default": env.place(bucket.url, name="MEDIA_STORAGE")}
    name = default_storage.save("logos/one.png", ContentFile(PICTURE))
    shown = client.get(f"/media/{name}")

    assert (shown.status_code, shown["Content-Type"], shown.getvalue()) == (200, "image/png", PICTURE)
    assert default_storage.url(name) == f"/media/{name}"
    again = client.get(f"/media/{name}", headers={"if-modified-since": shown["Last-Modified"]})
    assert again.status_code == 304
    assert client.get("/media/logos/other.png").status_code == 404
    bucket.is_away = True
    assert client.get(f"/media/{name}").status_code == 503


@pytest.mark.django_db(transaction=True)
def test_what_another_makes_meanwhile_and_the_media_it_counts_on_stay(nightly_to: Path) -> None:
    place, now = opened(str(nightly_to)), datetime.now(UTC)
    making.back_up(place=place, at=now - timedelta(days=1), report=print)
    under_way = nightly_to / f"{now - timedelta(hours=1):%Y%m%dT%H%M%SZ}"
    under_way.mkdir()
    default_storage.delete(
        "logos/kept.png"
    )  # of which a copy is named by the older one, and by the one under way
    for path in (nightly_to / "media").iterdir():
        os.utime(path, (0, 0))
    making.back_up(place=place, at=now, report=print)

    assert making.keep_last(1, place=place, at=now) == [f"{now - timedelta(days=1):%Y%m%dT%H%M%SZ}"]
    assert under_way.exists()
    assert len(list((nightly_to / "media").iterdir())) == 1
