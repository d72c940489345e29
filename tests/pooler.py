"""`make test-pooler`: the tests of all areas, and of preparing a release, through PgBouncer in transaction mode.

There no two of a thread's transactions need be of the same session.
"""

import os
import subprocess
import sys

from config.embedded import servers
from config.embedded.paths import ROOT
from config.embedded.postgres_server import THROWAWAY
from tests.servers.folders import throwaway_folder
from tests.servers.pooler import SETTINGS, pooled

AREAS = [
    f"tests/{name}"
    for name in ("accounts", "claims", "core", "directory", "drafts", "leaderboards", "orders")
] + ["tests/config/test_prepare.py"]
# These set something on the session, end its server process, ask for its number or for what it has prepared: they are
# about one session.
LEFT_OUT = [
    "--ignore=tests/core/test_outages.py",
    "--ignore=tests/core/test_postgresql.py",
    "--deselect=tests/core/test_statements.py::test_is_prepared_once_whatever_the_size_of_its_numbers",
]


def main() -> int:
    """The tests' exit code; arguments are pytest's."""
    chosen = sys.argv[1:] or [*AREAS, "-n", "2", "--dist", "loadfile"]
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not browser", *LEFT_OUT, *chosen]
    with (
        throwaway_folder() as folder,
        servers.running_servers(folder, tuning=THROWAWAY) as urls,
        pooled(folder) as address,
    ):
        environment = os.environ | SETTINGS | {"DATABASE_URL": address, "REDIS_URL": urls.redis}
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
