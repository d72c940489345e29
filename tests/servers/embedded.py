"""A pytest plugin: a run that names no servers gets PostgreSQL and Redis of its own, shared by its workers.

Name it with `-p`, because the addresses must stand in the environment before Django reads its settings.
"""

import contextlib
import os
from collections.abc import Iterator
from functools import partial
from unittest.mock import patch
from urllib.parse import urlsplit, urlunsplit

import pytest

from config.embedded import servers
from config.embedded.paths import DATABASE
from config.embedded.postgres_server import THROWAWAY
from tests.servers.folders import throwaway_folder

named = partial(patch.dict, os.environ)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Start what the environment does not name; pytest-django and the conftests come after us."""
    stack = contextlib.ExitStack()
    early_config.add_cleanup(stack.close)
    if "DATA_DIR" not in os.environ:
        stack.enter_context(named(DATA_DIR=str(stack.enter_context(throwaway_folder()))))
    if "REDIS_TIMEOUT" not in os.environ:
        stack.enter_context(named(REDIS_TIMEOUT="5"))
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        folder = stack.enter_context(throwaway_folder(migrated=True))
        urls = stack.enter_context(servers.running_servers(folder, tuning=THROWAWAY))
        found = {"DATABASE_URL": urls.database, "REDIS_URL": urls.redis}
        if "DATABASE_URL" not in os.environ:
            stack.enter_context(named(TESTS_TEMPLATE=DATABASE))
        missing = {name: url for name, url in found.items() if not os.environ.get(name)}
        stack.enter_context(named(**missing))
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        stack.enter_context(named(REDIS_URL=own_redis(os.environ["REDIS_URL"], worker)))
    return (yield)


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: what starts services mostly waits for them."""
    return (os.cpu_count() or 1) + 1


def own_redis(url: str, worker: str) -> str:
    """The worker's own database of the Redis they share, since each test empties it."""
    parts = urlsplit(url)
    number = int(parts.path.strip("/") or 0) + 1 + int(worker.removeprefix("gw"))
    return urlunsplit(parts._replace(path=f"/{number}"))
