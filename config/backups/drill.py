"""Restores beside, and compares: whether a backup brings back what strangers were answered, to the byte.

The answers are those of some public addresses, asked of this process's database. A snapshot is one of PostgreSQL's
that another connection holds: all answers are then of that moment, whatever is written meanwhile.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.files.storage import FileSystemStorage, Storage, default_storage
from django.db import connection, transaction
from django.test import Client
from psycopg import sql

from config.backups import postgresql
from config.backups.making import Report, back_up
from config.backups.manifest import BackupError, Manifest, opened, sum_of
from config.backups.restoring import refuse_newer, restore_database, restore_media
from config.embedded import servers
from config.embedded.servers import Urls

Answers = dict[str, tuple[int, str]]
AS_OF = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
SAMPLE = """
SELECT slug FROM directory_listing WHERE status = 'live' AND launched_at < clock_timestamp() - interval '1 minute'
ORDER BY md5(id::text) LIMIT %s
"""
FIXED = (
    "/search",
    "/search?q=invoice",
    "/search?sort=votes",
    "/categories",
    "/founders",
    "/blog",
    "/awards",
    "/how-ranking-works",
    "/sitemap.xml",
    "/feeds/launches.atom",
    "/api/v1/site",
    "/api/v1/listings",
    "/api/v1/listings?sort=votes&per_page=100",
    "/api/v1/listings?q=team",
    "/api/v1/categories",
    "/api/v1/founders",
    "/api/v1/awards",
    "/api/v1/blog",
    "/api/v1/launches",
    "/api/v1/products",
)
OF_A_LISTING = (
    "/api/v1/listings/{}",
    "/listings/{}",
    "/api/v1/listings/{}/alternatives",
    "/api/v1/listings?q={}",
)
RANDOM = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')  # by intent, in each answer another
PATIENCE = 3600.0
HOLD = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0"
OURS, RESTORED = (
    1,
    2,
)  # databases of the drill's own Redis, so that no cached answer of the service is taken for one


def paths(number: int) -> list[str]:
    """So many public addresses: lists, and listings chosen by chance, each asked in several ways.

    Pages that name the minute are left out, as the home page does while a week runs.
    """
    with connection.cursor() as cursor:
        cursor.execute(SAMPLE, [number // len(OF_A_LISTING) + 1])
        slugs = [slug for (slug,) in cursor.fetchall()]
    of_listings = [form.format(quote(slug)) for slug in slugs for form in OF_A_LISTING]
    return [*FIXED, *of_listings][:number]


def ask(addresses: list[str], *, snapshot: str) -> Answers:
    client = Client(raise_request_exception=False)
    with transaction.atomic() if snapshot else nullcontext():
        if snapshot:
            with connection.cursor() as cursor:
                cursor.execute(AS_OF)
                cursor.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(sql.Literal(snapshot)))
        result = {path: _answer(client, path) for path in addresses}
        if snapshot:
            transaction.set_rollback(True)
    return result


def _answer(client: Client, path: str) -> tuple[int, str]:
    answer = client.get(path, secure=settings.HTTPS, headers={"host": settings.SITE_URL.partition("://")[2]})
    return answer.status_code, hashlib.sha256(RANDOM.sub(b"", answer.getvalue())).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How many answers and files were compared, and those that are not as they were."""

    answers: int
    media: int
    wrong: list[str]


def drill(*, at: datetime, number: int, report: Report) -> Outcome:
    """Back up, restore into servers of the drill's own, ask both the same as of the backup's moment, compare."""
    with _servers() as (folder, urls):
        place = opened(str(folder / "backup"))
        addresses = paths(number)
        with _snapshot() as snapshot:
            made = back_up(place=place, at=at, report=report, snapshot=snapshot)
            before = _ask(addresses, redis=_redis(urls, OURS), snapshot=snapshot)
        after = _restored_answers(
            addresses, place=place, manifest=made, folder=folder, urls=urls, stated=report
        )
        wrong = [path for path in addresses if before[path] != after[path]]
        wrong += [path for path in addresses if before[path][0] != 200]
        wrong += _different_media(made, FileSystemStorage(location=folder / "media"))
        return Outcome(answers=len(addresses), media=len(made.media), wrong=wrong)


def drill_of(place: Storage, name: str, *, number: int, report: Report) -> Outcome:
    """Restore a backup of another day: its sums must be right, and all it is asked must be answered."""
    manifest = Manifest.read(place, name)
    refuse_newer(manifest)
    with _servers() as (folder, urls):
        addresses = paths(number)
        after = _restored_answers(
            addresses, place=place, manifest=manifest, folder=folder, urls=urls, stated=report
        )
        wrong = [path for path in addresses if after[path][0] >= 500]
        return Outcome(answers=len(addresses), media=len(manifest.media), wrong=wrong)


@contextmanager
def _servers() -> Iterator[tuple[Path, Urls]]:
    folder = Path(tempfile.mkdtemp(prefix="restore-drill-"))
    folder.chmod(0o711)  # where we are root, PostgreSQL runs as somebody else, who must get through
    try:
        with servers.running_servers(folder) as urls:
            yield folder, urls
    finally:
        servers.forget(folder)


@contextmanager
def _snapshot() -> Iterator[str]:
    """A moment of our database, for as long as this lasts."""
    with postgresql.connect(settings.DIRECT_DATABASE_URL) as connection:
        connection.execute(HOLD)
        yield str(postgresql.value_of(connection, "SELECT pg_export_snapshot()"))


def _restored_answers(
    present: list[str], *, place: Storage, manifest: Manifest, folder: Path, urls: Urls, stated: Report
) -> Answers:
    source: dict[str, Any] = {"place": place, "manifest": manifest, "report": stated}
    restore_database(url=urls.database, is_replacing=False, scratch=folder, **source)
    restore_media(into=FileSystemStorage(location=folder / "media"), **source)
    (folder / "static").symlink_to(settings.STATIC_ROOT)  # the release's own, no part of a backup
    names = {
        "DATABASE_URL": urls.database,
        "DIRECT_DATABASE_URL": "",
        "DATA_DIR": str(folder),
        "MEDIA_STORAGE": "",
    }
    return _ask(present, redis=_redis(urls, RESTORED), **names)


def _redis(urls: Urls, number: int) -> str:
    return f"{urls.redis.rpartition('/')[0]}/{number}"


def _ask(addresses: list[str], *, redis: str, snapshot: str = "", **names: str) -> Answers:
    """The answers of a process of its own, whose database and caches are those that are named."""
    environment = os.environ | {
        "SECRET_KEY": settings.SECRET_KEY,
        "SITE_URL": settings.SITE_URL,
        "DATABASE_URL": settings.DIRECT_DATABASE_URL,
        "DATA_DIR": str(settings.DATA_DIR),
        "REDIS_URL": redis,
        "RATE_LIMIT_FACTOR": "1000000",
        "DATABASE_PATIENCE": "0",
        **names,
    }
    done = subprocess.run(  # noqa: S603
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "public_answers", f"--snapshot={snapshot}"],
        input=json.dumps(addresses),
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"Asking for public answers failed: {done.stderr.strip()[-2000:]}")
    return {path: (status, digest) for path, (status, digest) in json.loads(done.stdout).items()}


def _different_media(manifest: Manifest, restored: Storage) -> list[str]:
    """Files that are not the same in the backup, in the restored copy and here; one that is gone here meanwhile is."""
    wrong = []
    for name, expected in manifest.media.items():
        for storage in (restored, default_storage):
            if storage is default_storage and not storage.exists(name):
                continue
            with storage.open(name) as file:
                if sum_of(file) != expected:
                    wrong.append(name)
    return wrong
