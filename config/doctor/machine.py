"""Versions, the schema, clocks, the disk, Redis."""

import platform
import time
from collections.abc import Iterator
from datetime import datetime

import django
import psutil
from django.conf import settings
from django.core import checks
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from redis import Redis
from redis.exceptions import RedisError

from config.backups import postgresql
from config.backups.manifest import BackupError
from config.doctor.findings import Finding, note, ok, wrong
from config.embedded.checks import OLDEST_POSTGRES
from config.release import version
from core.clock import database_now
from orders.checks import TAG

SKEW_SECONDS = 2.0
DISK_LEFT = 0.15


def check_machine(*, at: datetime) -> Iterator[Finding]:
    yield ok("release", f"{version()}, Django {django.__version__}, Python {platform.python_version()}")
    yield from _postgresql()
    yield from _migrations()
    skew = time.time() - database_now().timestamp()
    if abs(skew) > SKEW_SECONDS:
        yield wrong("clock", f"{skew:+.1f} s against the database's. Have both follow an NTP server.")
    else:
        yield ok("clock", f"{skew:+.1f} s against the database's")
    disk = psutil.disk_usage(str(settings.DATA_DIR))
    left = f"{disk.free // 2**20:,} MB left of {disk.total // 2**20:,} at {settings.DATA_DIR}"
    yield ok("disk", left) if disk.free > DISK_LEFT * disk.total else wrong("disk", f"{left}. Make room.")
    yield _redis()


def _postgresql() -> Iterator[Finding]:
    major = connection.cursor().connection.info.server_version // 10000
    if major < OLDEST_POSTGRES:
        yield wrong("PostgreSQL", f"{major}; {OLDEST_POSTGRES} or newer is needed.")
    try:
        _, client = postgresql.client("pg_dump", server=major)
    except BackupError as error:
        yield wrong("PostgreSQL", f"{major}, and no backup can be made: {error}")
    else:
        yield ok("PostgreSQL", f"{major}, backed up by pg_dump {client}")


def _migrations() -> Iterator[Finding]:
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    unknown = set(executor.loader.applied_migrations) - set(executor.loader.disk_migrations or {})
    if waiting:
        yield wrong("migrations", f"{len(waiting)} are not applied. Run manage.py prepare.")
    elif unknown:
        app, name = min(unknown)
        yield note(
            "migrations", f"the database is ahead of this release, as by {app}.{name}; fine in an upgrade"
        )
    else:
        yield ok("migrations", "all are applied")


def _redis() -> Finding:
    patience = settings.REDIS_TIMEOUT
    try:
        with Redis.from_url(
            settings.REDIS_URL, socket_timeout=patience, socket_connect_timeout=patience
        ) as client:
            result = client.info()
    except (RedisError, OSError) as error:
        return wrong(
            "Redis",
            f"does not answer ({error}). Jobs run one by one meanwhile; see docs/runbook/redis-away.md.",
        )
    if result["maxmemory"] and result["used_memory"] > 0.9 * result["maxmemory"]:
        return wrong("Redis", "is nearly full; see docs/runbook/redis-full.md.")
    valkey = result.get("valkey_version")
    return ok("Redis", f"Valkey {valkey}" if valkey else str(result["redis_version"]))


def check_settings(*, at: datetime) -> Iterator[Finding]:
    messages = checks.run_checks(tags=[TAG])
    for message in messages:
        report = wrong if message.level >= checks.WARNING else note
        yield report("settings", message.msg)
    if not messages:
        yield ok("settings", "nothing is missing")
