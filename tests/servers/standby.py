"""A streaming replica of a data folder's PostgreSQL, made with the programs that come with it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from config.embedded import paths
from config.embedded.paths import CannotRunError
from config.embedded.postgres_server import ADMIN, ENVIRONMENT, SERVICE, PostgresServer
from tests.journeys.service import wait_for

READY = 60.0
ROOM = {"max_connections": "300"}  # a replica that has room for fewer than its primary does not start


@dataclass
class Standby:
    """A server that follows another."""

    server: PostgresServer
    url: str

    def says(self, statement: str) -> str:
        """What it answers its administrator."""
        return self.server.psql(statement, variables={}, database=paths.DATABASE)

    def is_there(self) -> bool:
        """Whether it can be read from."""
        with suppress(CannotRunError):
            return self.says("SELECT pg_is_in_recovery()") == "t"
        return False

    def kill(self) -> None:
        """End it without a word."""
        assert self.server.process
        self.server.process.kill()
        self.server.process.wait()


@contextmanager
def standby(primary_folder: Path, folder: Path) -> Iterator[Standby]:
    """Copy the running primary of a data folder into another, and follow it from there."""
    primary, place = paths.places(primary_folder), paths.places(folder)
    backup = paths.client_programs() / "pg_basebackup"
    subprocess.run(
        [backup, "-D", place.cluster, "-h", primary.run, "-U", ADMIN, "-R", "-c", "fast", "--no-sync"],
        env=ENVIRONMENT,
        check=True,
    )
    owner = primary.cluster.stat()
    for path in (place.cluster, *place.cluster.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)
    run = quote(str(place.run), safe="")
    url = f"postgres://{paths.ROLE}:{primary.password}@/{paths.DATABASE}?host={run}"
    follower = Standby(PostgresServer(place, tuning=SERVICE | ROOM), url)
    follower.server.start()
    try:
        wait_for(follower.is_there, patience=READY)
        yield follower
    finally:
        follower.server.stop()
