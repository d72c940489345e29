"""Databases with so many demo listings each, for measurements at several sizes."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from config.embedded import servers
from config.embedded.postgres_server import SERVICE

ROOT = Path(__file__).resolve().parents[2]
# the service's own settings, with the memory that a machine for a million listings gives its database
TUNING = SERVICE | {
    "shared_buffers": "2GB",
    "effective_cache_size": "8GB",
    "maintenance_work_mem": "512MB",
    "max_wal_size": "16GB",
}


@contextmanager
def databases(keep: Path | None) -> Iterator[dict[str, str]]:
    """The environment of the servers it names, or of servers of our own; a kept folder keeps their data."""
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        yield dict(os.environ)
        return
    folder = (keep or Path(tempfile.mkdtemp(prefix="launch-directory-bench-"))).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)
    try:
        with servers.running_servers(folder, tuning=TUNING) as urls:
            yield {
                **os.environ,
                "DATA_DIR": str(folder),
                "DATABASE_URL": urls.database,
                "REDIS_URL": urls.redis,
            }
    finally:
        if keep is None:
            servers.forget(folder)


def loaded(
    size: int, *, known: dict[str, str], of: str = "bench", by: Sequence[str] = ("-m", "benchmarks.listings")
) -> dict[str, str]:
    """The environment of the database with so many listings, which a command loads when they are missing."""
    parts = urlsplit(known["DATABASE_URL"])
    name = f"{of}_{size}"
    with psycopg.connect(urlunsplit(parts._replace(path="/postgres")), autocommit=True) as connection:
        if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchall():
            connection.execute(f'CREATE DATABASE "{name}"')
    environment = {**known, "DATABASE_URL": urlunsplit(parts._replace(path=f"/{name}"))}
    run("manage.py", "migrate", "--verbosity", "0", environment=environment)
    with psycopg.connect(environment["DATABASE_URL"]) as connection:
        row = connection.execute("SELECT sum(live + upcoming) FROM directory_sitecount").fetchone()
    if not row or (row[0] or 0) < size:
        run(*by, "--listings", str(size), environment=environment)
    return environment


def run(*command: str, environment: dict[str, str]) -> None:
    """Run a script of ours. Raises CalledProcessError."""
    subprocess.run([sys.executable, *command], check=True, cwd=ROOT, env=environment)


def printed(*command: str, environment: dict[str, str]) -> str:
    """What a command prints."""
    done = subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()
