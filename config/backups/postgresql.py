"""PostgreSQL's own programs, which make and read dumps, and the little that is asked of a database around them."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import psycopg

from config import environment as env
from config.backups.manifest import BackupError
from config.embedded import paths
from config.embedded.paths import CannotRunError

FOLDERS_OF_DEBIAN = "/usr/lib/postgresql/{}/bin"
NOT_COPIED = ("core_pause", "core_heartbeat")  # how an installation stands, not what it knows
IS_FILLED = """
SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^(pg_|information_schema$)'
  AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
"""
OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
NEWER_SETTING = (
    "transaction_timeout"  # set by pg_restore 17 and newer, unknown to older servers, and not needed
)


def connect(url: str, *, options: str = "") -> psycopg.Connection[Any]:
    """A connection with libpq's own patience: what is asked here may take long."""
    try:
        return psycopg.connect(**env.libpq(url), options=options, autocommit=True)
    except psycopg.OperationalError as error:
        raise BackupError(f"The database does not answer: {' '.join(str(error).split())}") from error


def _environment(url: str) -> dict[str, str]:
    """How the programs are told of a database; a password in a command line could be read by others."""
    variables = {"dbname": "PGDATABASE", "connect_timeout": "PGCONNECT_TIMEOUT"}
    result = {variables.get(name, f"PG{name.upper()}"): str(value) for name, value in env.libpq(url).items()}
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", **result}


def client(name: str, *, server: int) -> tuple[Path, int]:
    """One of PostgreSQL's programs, and its major version: the server's own if it is here, or else a newer one."""
    folders = [Path(FOLDERS_OF_DEBIAN.format(server))]
    if result := shutil.which(name):
        folders.append(Path(result).parent)
    with suppress(CannotRunError):  # an installation without servers of its own
        folders.append(paths.client_programs())
    existing = [(_major(folder / name), folder / name) for folder in folders if (folder / name).exists()]
    fitting = sorted(entry for entry in existing if entry[0] >= server)
    if not fitting:
        there = ", ".join(str(major) for major, _ in existing) or "none"
        raise BackupError(
            f"The server is PostgreSQL {server}, and {name} must be of that version or newer; found: {there}."
            f" Install its client programs, as the package postgresql-client-{server}."
        )
    major, path = fitting[0]
    return path, major


def _major(program: Path) -> int:
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    match = re.search(r"\) (\d+)", text)
    return int(match[1]) if match else 0


@contextmanager
def dumped(url: str, *, program: Path, snapshot: str | None) -> Iterator[IO[bytes]]:
    """What pg_dump writes, as it writes it; once it is read to its end, pg_dump must have ended well."""
    command: list[str | Path] = [
        *(program, "--format=custom", "--no-owner", "--no-privileges", "--no-password"),
        "--lock-wait-timeout=60s",
        *(f"--exclude-table-data={table}" for table in NOT_COPIED),
        *([f"--snapshot={snapshot}"] if snapshot else []),
    ]
    with subprocess.Popen(  # noqa: S603
        command, env=_environment(url), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        if running.stdout is None or running.stderr is None:
            raise BackupError("pg_dump has no output.")
        yield running.stdout
        text = running.stderr.read().decode(errors="replace").strip()
        if running.wait():
            raise BackupError(f"pg_dump failed: {text}")


def restore(url: str, *, dump: Path, section: str, jobs: int = 1) -> None:
    with connect(url) as connection:
        program, _ = client("pg_restore", server=major_of(connection))
    command: list[str | Path] = [
        *(program, "--no-owner", "--no-privileges", "--no-comments", "--no-password"),
        *(f"--section={section}", f"--jobs={jobs}", f"--dbname={env.libpq(url)['dbname']}", dump),
    ]
    done = subprocess.run(  # noqa: S603
        command, env=_environment(url), capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode and (wrong := _errors(done.stderr.splitlines())):
        raise BackupError("pg_restore failed:\n" + "\n".join(wrong[:10]))


def _errors(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if "error:" in line and NEWER_SETTING not in line]


def major_of(connection: psycopg.Connection[Any]) -> int:
    return connection.info.server_version // 10000


def value_of(connection: psycopg.Connection[Any], query: str) -> Any:
    row = connection.execute(query).fetchone()
    return row[0] if row else None
