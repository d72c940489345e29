"""The PostgreSQL of `make up` takes a share of the memory that there is."""

from pathlib import Path
from typing import NamedTuple

import psutil
import psycopg
import pytest

from config.embedded import stack
from config.embedded.paths import CannotRunError
from config.embedded.servers import running_servers
from tests.journeys.service import wait_for
from tests.servers.folders import throwaway_folder
from tests.waiting import LONG

GB = 2**30


class Memory(NamedTuple):
    """What psutil says of a machine."""

    total: int


@pytest.fixture(autouse=True)
def no_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No limits of this machine's own."""
    monkeypatch.setattr(stack, "CGROUPS", tmp_path)
    monkeypatch.delenv("DATABASE_MEMORY", raising=False)


@pytest.mark.parametrize(
    ("machine", "buffers", "cache", "maintenance"),
    [
        (GB // 4, "64MB", "128MB", "64MB"),
        (GB, "256MB", "512MB", "64MB"),
        (4 * GB, "1024MB", "2048MB", "256MB"),
        (64 * GB, "2048MB", "32768MB", "512MB"),
    ],
)
def test_a_quarter_with_a_floor_and_a_cap(
    monkeypatch: pytest.MonkeyPatch, machine: int, buffers: str, cache: str, maintenance: str
) -> None:
    monkeypatch.setattr(psutil, "virtual_memory", lambda: Memory(machine))

    found = stack.tuning()

    assert found["shared_buffers"] == buffers
    assert found["effective_cache_size"] == cache
    assert found["maintenance_work_mem"] == maintenance


@pytest.mark.parametrize("file", ["memory.max", "memory/memory.limit_in_bytes"])
def test_a_container_s_limit_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str) -> None:
    monkeypatch.setattr(psutil, "virtual_memory", lambda: Memory(64 * GB))
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(f"{2 * GB}\n")

    assert stack.tuning()["shared_buffers"] == "512MB"


def test_no_limit_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(psutil, "virtual_memory", lambda: Memory(2 * GB))
    (tmp_path / "memory.max").write_text("max\n")

    assert stack.usable() == 2 * GB


def test_the_operator_s_number_counts_and_postgresql_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_MEMORY", "96")
    with (
        throwaway_folder() as folder,
        running_servers(folder, tuning=stack.tuning()) as urls,
        psycopg.connect(urls.database) as connection,
    ):
        assert connection.execute("SHOW shared_buffers").fetchone() == ("96MB",)
        assert connection.execute("SHOW wal_buffers").fetchone() == ("4MB",)


def test_what_was_in_memory_is_there_again_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_MEMORY", "32")
    with throwaway_folder() as folder:
        with (
            running_servers(folder, tuning=stack.tuning()) as urls,
            psycopg.connect(urls.database) as before,
        ):
            before.execute(
                "CREATE TABLE stones AS SELECT n, repeat('x', 500) FROM generate_series(1, 5000) AS n"
            )
        with running_servers(folder, tuning=stack.tuning()) as urls, psycopg.connect(urls.database) as after:
            wait_for(lambda: "successfully prewarmed" in (folder / "postgres.log").read_text(), patience=LONG)
            rows = after.execute("EXPLAIN (ANALYZE, BUFFERS) SELECT count(*) FROM stones").fetchall()

    plan = "".join(line for (line,) in rows)
    assert "shared hit=" in plan
    assert "read=" not in plan.partition("Planning")[0]


@pytest.mark.parametrize("value", ["much", "12", "-1"])
def test_what_is_no_such_number_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DATABASE_MEMORY", value)

    with pytest.raises(CannotRunError, match=f"DATABASE_MEMORY is '?{value}'?; use"):
        stack.tuning()
