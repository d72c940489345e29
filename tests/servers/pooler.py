"""PgBouncer in transaction mode before a data folder's PostgreSQL."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from config.embedded import paths
from tests.journeys.service import wait_for

SETTINGS = {"SESSION_SETTINGS": "off", "PREPARED_STATEMENTS": "off"}  # 1.18 passes no prepared statements on
ON_THE_ROLE = re.compile(r"ALTER ROLE launch (SET .+);")  # as docs/operations.md has it done
NEEDED = "PgBouncer is needed: `apt-get install pgbouncer` brings it."
INI = """
[databases]
* = host={run}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = plain
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
logfile = {folder}/log
"""


@contextmanager
def pooled(primary_folder: Path) -> Iterator[str]:
    """The address through the pooler. It refuses root, so it runs as the PostgreSQL that it leads to."""
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        raise SystemExit(NEEDED)
    set_on_the_role(primary_folder)
    place, port = paths.places(primary_folder), paths.free_port()
    owner = place.cluster.stat()
    with tempfile.TemporaryDirectory(prefix="launch-directory-pooler-") as name:
        folder = Path(name)
        (folder / "users").write_text(f'"{paths.ROLE}" "{place.password}"\n')
        (folder / "ini").write_text(INI.format(run=place.run, port=port, folder=folder))
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, owner.st_uid, owner.st_gid)
        as_owner = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
        process = subprocess.Popen([program, "--quiet", folder / "ini"], **(as_owner if owner.st_uid else {}))
        url = f"postgres://{paths.ROLE}:{place.password}@127.0.0.1:{port}/{paths.DATABASE}"
        try:
            wait_for(lambda: _answers(url), patience=30)
            yield url
        finally:
            process.terminate()
            process.wait(10)


def set_on_the_role(folder: Path) -> None:
    """What the service sets on each connection elsewhere. Without its patience a lock is waited for without end."""
    settings = ON_THE_ROLE.findall((paths.ROOT / "docs/operations.md").read_text())
    address = paths.database_url(folder).replace("postgres://", "postgresql://", 1)
    with psycopg.connect(address) as connection:
        for setting in settings:
            connection.execute(f"ALTER ROLE {paths.ROLE} {setting}".encode())


def _answers(url: str) -> bool:
    try:
        with psycopg.connect(url.replace("postgres://", "postgresql://", 1)) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False
