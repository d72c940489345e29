"""Data folders of tests: empty ones, and ones whose database the migrations have been through.

Migrating an empty database takes seconds of processor, and each test process and journey needs one: it is done once,
for as long as no migration and no package changes, and copied.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distributions
from pathlib import Path

from config.embedded import paths, servers
from config.embedded.postgres_server import THROWAWAY

KEPT = paths.ROOT / ".tools" / "migrated"
MIGRATIONS = "*/migrations/*.py"
SQL = "directory/search/sql/*.sql"


@contextmanager
def throwaway_folder(*, migrated: bool = False) -> Iterator[Path]:
    """A data folder that goes with whatever its servers kept elsewhere; empty, or with a migrated database."""
    folder = Path(tempfile.mkdtemp(prefix="launch-directory-tests-"))
    folder.chmod(0o711)  # root's PostgreSQL runs as somebody else, who must get through
    try:
        place = paths.places(folder)
        if migrated and not place.outside:
            with _locked():
                _copy(_made(), place.cluster)
        yield folder
    finally:
        servers.forget(folder)


def _made() -> Path:
    """Where the cluster is kept; those of other migrations go."""
    cluster = KEPT / _digest()
    if not cluster.exists():
        for other in KEPT.glob("*-*"):
            shutil.rmtree(other)
        _make(cluster)
    return cluster


def _make(cluster: Path) -> None:
    with throwaway_folder() as folder:
        with servers.running_servers(folder, tuning=THROWAWAY) as urls:
            subprocess.run(
                [sys.executable, "-W", "ignore", "manage.py", "migrate", "--verbosity=0"],
                cwd=paths.ROOT,
                env=os.environ
                | {"DATABASE_URL": urls.database, "REDIS_URL": urls.redis, "DATA_DIR": str(folder)},
                check=True,
            )
        unfinished = cluster.with_suffix(".new")
        shutil.rmtree(unfinished, ignore_errors=True)
        _copy(paths.places(folder).cluster, unfinished)
        unfinished.rename(cluster)


def _copy(source: Path, target: Path) -> None:
    """With its owner, whom PostgreSQL insists on."""
    subprocess.run(["cp", "-a", "--", source, target], check=True)


def _digest() -> str:
    """What the database comes from: our migrations and the packages, which have some of their own."""
    digest = hashlib.sha256()
    for path in sorted([*paths.ROOT.glob(MIGRATIONS), *paths.ROOT.glob(SQL)]):
        digest.update(path.name.encode() + path.read_bytes())
    for name, version in sorted((package.name, package.version) for package in distributions()):
        digest.update(f"{name}=={version}\n".encode())
    return f"{os.geteuid()}-{digest.hexdigest()[:16]}"


@contextmanager
def _locked() -> Iterator[None]:
    """One process makes it; the others wait."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
