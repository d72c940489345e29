"""The embedded servers together, for one holder of a data folder at a time."""

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from config.embedded import paths
from config.embedded.paths import CannotRunError
from config.embedded.postgres_server import SERVICE, PostgresServer
from config.embedded.redis_server import RedisServer


@dataclass(frozen=True)
class Urls:
    database: str
    redis: str


@contextlib.contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the data folder against others, who are told who has it. The kernel lets go when we die."""
    with _lock_file(folder) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.seek(0)
            raise CannotRunError(
                f"The data folder {folder} is in use by process {lock.read().strip() or '?'}."
                " Stop that one first, or give another DATA_DIR."
            ) from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def _lock_file(folder: Path) -> TextIO:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return (folder / "lock").open("a+")
    except OSError as error:
        raise CannotRunError(
            f"The data folder {folder} cannot be written to ({error.strerror}). Give another DATA_DIR."
        ) from error


@contextlib.contextmanager
def running_servers(folder: Path, *, tuning: Mapping[str, str] = SERVICE) -> Iterator[Urls]:
    """Run the data folder's PostgreSQL and Redis for as long as the block lasts."""
    place = paths.places(folder)
    with folder_lock(place.data_dir):
        postgres, redis = PostgresServer(place, tuning=dict(tuning)), RedisServer(place)
        try:
            redis.claim_port()
            postgres.start()
            redis.start()
            redis.wait_ready()
            postgres.wait_ready()
            yield Urls(database=paths.database_url(folder), redis=paths.redis_url(folder))
        finally:
            redis.stop()
            postgres.stop()


def forget(folder: Path) -> None:
    place = paths.places(folder)
    for remaining in (place.run, place.home, place.data_dir):
        shutil.rmtree(remaining, ignore_errors=True)
