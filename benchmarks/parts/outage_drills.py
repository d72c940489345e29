"""Drills that take servers away from the running service, or leave rows behind that nobody can run."""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil
import psycopg
import redis

from benchmarks.parts.drill import PATIENCE, Drill, Outcome, Probe
from config.embedded import paths
from tests.journeys.service import wait_for

QUEUES = ("crawl", "ai", "mail", "payments", "default")
MOST_HINTS = 500
UNKNOWN = """
    INSERT INTO core_job (id, kind, key, queue, payload, state, run_after, attempt, max_attempts, last_error,
        created_at)
    VALUES (%s, 'removed.kind', %s, 'default', '{}', 'queued', now() - interval '1 hour', %s, 5, '', now())
    RETURNING id
"""
AHEAD = """
    UPDATE core_job SET run_after = run_after + interval '3 days', created_at = created_at + interval '3 days',
        hint_until = now() + interval '3 days', lease_until = lease_until + interval '3 days'
    WHERE state IN ('queued', 'running') RETURNING id
"""
PERIODIC = "SELECT count(*) FROM core_job WHERE kind = 'directory.fold_views' AND state = 'done'"
CUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


@contextmanager
def held(drill: Drill, words: str) -> Iterator[None]:
    """A program that does nothing for a while. What ends meanwhile, as a connection of a database may, has ended."""
    processes = drill.service.group(words)
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.suspend()
    try:
        yield
    finally:
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.resume()


def hints(drill: Drill) -> int:
    """How many hints wait in Redis."""
    with redis.Redis.from_url(paths.redis_url(drill.service.folder)) as client:
        return sum(client.llen(name) for queue in QUEUES for name in (queue, f"{queue}\x06\x163"))


def unknown_kind(drill: Drill, *, rows: int, attempt: int) -> Outcome:
    """Leave rows of a kind that no worker knows, lose all hints, and submit."""
    for _ in range(rows):
        drill.service.query(UNKNOWN, [uuid.uuid4(), str(uuid.uuid4()), attempt])
    drafts = drill.submit(5)
    drill.service.flush_redis()
    seconds = drill.wait(drafts)
    words, is_whole = drill.verdict(drafts)
    dead = drill.service.query(
        "SELECT count(*) FROM core_job WHERE kind = 'removed.kind' AND state = 'dead'"
    )[0][0]
    drill.service.query("DELETE FROM core_job WHERE kind = 'removed.kind' RETURNING id")
    return Outcome(
        "12",
        f"{rows} rows of an unknown kind at attempt {attempt} of 5, all hints of 5 submissions lost",
        "all ready within 60 s, the rows are dead letters",
        f"{words} after {seconds:.0f} s, {dead} of {rows} rows dead",
        is_whole and seconds <= 60 and dead == rows,
    )


def hints_pile_up(drill: Drill, *, count: int) -> Outcome:
    """Hold the crawler while drafts wait, and count the hints."""
    with held(drill, "crawler@"):
        drafts = drill.submit(count)
        most, ends = 0, time.monotonic() + 90
        while time.monotonic() < ends:
            most = max(most, hints(drill))
            time.sleep(1)
    seconds = drill.wait(drafts)
    words, is_whole = drill.verdict(drafts)
    left = hints(drill)
    return Outcome(
        "D5",
        f"the crawler held for 90 s with {count} drafts waiting",
        f"at most {MOST_HINTS} hints, all ready",
        f"{words} after {seconds:.0f} s, at most {most} hints waited, {left} at the end",
        is_whole and most <= MOST_HINTS,
    )


def redis_full(drill: Drill, *, count: int) -> Outcome:
    """Let Redis refuse every write."""
    address = paths.redis_url(drill.service.folder)
    with redis.Redis.from_url(address) as client, Probe(drill.service.site).running() as probe:
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", 1)
        drafts = drill.submit(count)
        seconds = drill.wait(drafts)
        client.config_set("maxmemory", 128 * 2**20)
        client.config_set("maxmemory-policy", "volatile-lru")
    words, is_whole = drill.verdict(drafts)
    return Outcome(
        "D5",
        f"Redis full during {count} submissions, until they are done",
        "all ready meanwhile, no failed request",
        f"{words} after {seconds:.0f} s; {probe}",
        is_whole and probe.bad() == 0,
    )


def redis_away(drill: Drill, *, count: int) -> Outcome:
    """Kill Redis whenever it comes back, for a minute."""
    waits, drafts, ends = [], list[str](), time.monotonic() + 60
    with Probe(drill.service.site).running() as probe:
        while time.monotonic() < ends:
            drill.service.kill_group("valkey-server")
            if len(drafts) < count:
                began = time.monotonic()
                drafts += drill.submit(1)
                waits.append(time.monotonic() - began)
            time.sleep(0.2)
        seconds = drill.wait(drafts)
    words, is_whole = drill.verdict(drafts)
    return Outcome(
        "6",
        f"Redis away for 60 s during {count} submissions",
        "no write over 1.5 s, no failed request, all ready afterwards",
        f"{words} {seconds:.0f} s later, longest write {max(waits):.2f} s; {probe}",
        is_whole and max(waits) <= 1.5 and probe.bad() == 0,
    )


def redis_stalled(drill: Drill, *, count: int) -> Outcome:
    """Hold Redis until what was submitted meanwhile is done."""
    with held(drill, "valkey-server"), Probe(drill.service.site).running() as probe:
        waits, drafts = [], list[str]()
        for _ in range(count):
            began = time.monotonic()
            drafts += drill.submit(1)
            waits.append(time.monotonic() - began)
        seconds = drill.wait(drafts)
    words, is_whole = drill.verdict(drafts)
    return Outcome(
        "7, D11",
        f"Redis stalled during {count} submissions, until they are done",
        "no write over 1.5 s, all ready meanwhile, no failed request",
        f"{words} after {seconds:.0f} s, longest write {max(waits):.2f} s; {probe}",
        is_whole and max(waits) <= 1.5 and probe.bad() == 0,
    )


def database_stalled(drill: Drill, *, count: int) -> Outcome:
    """Hold PostgreSQL for half a minute."""
    drafts = drill.submit(count)
    with Probe(drill.service.site).running() as probe:
        with held(drill, "postgres"):
            time.sleep(30)
        wait_for(drill.service.is_ready, patience=PATIENCE)
    seconds = drill.wait(drafts)
    words, is_whole = drill.verdict(drafts)
    return Outcome(
        "10, D12",
        f"PostgreSQL stalled for 30 s with {count} drafts on the way",
        "200 or 503 within 6 s, all ready afterwards",
        f"{words} {seconds:.0f} s later; {probe}",
        is_whole and probe.bad("503") == 0 and probe.longest < 6,
    )


def database_away(drill: Drill, *, count: int) -> Outcome:
    """Kill PostgreSQL whenever it comes back, for 20 s."""
    drafts, ends = drill.submit(count), time.monotonic() + 20
    with Probe(drill.service.site).running() as probe:
        while time.monotonic() < ends:
            drill.service.kill_group("postgres")
            time.sleep(0.2)
        wait_for(drill.service.is_ready, patience=PATIENCE)
    seconds = drill.wait(drafts)
    words, is_whole = drill.verdict(drafts)
    return Outcome(
        "9, D10",
        f"PostgreSQL away for 20 s with {count} drafts on the way",
        "200 or 503 alone, pages too; all ready afterwards",
        f"{words} {seconds:.0f} s later; {probe}",
        is_whole and probe.bad("503") == 0,
    )


def database_read_only(drill: Drill, *, count: int) -> Outcome:
    """Let PostgreSQL refuse every write for 20 s, as after a failover."""
    drafts, statuses = drill.submit(count), set[int]()
    with Probe(drill.service.site).running() as probe:
        read_only(drill, "on")
        for _ in range(20):
            statuses.add(drill.client.http.get("/me").status_code)
            statuses.add(
                drill.client.http.post("/drafts", json={"url": f"https://{next(drill.hosts)}/"}).status_code
            )
            time.sleep(0.5)
        read_only(drill, "off")
    seconds = drill.wait(drafts)
    words, is_whole = drill.verdict(drafts)
    return Outcome(
        "D13",
        f"PostgreSQL read-only for 20 s with {count} drafts on the way",
        "reads with a key 200, writes 503, all ready afterwards",
        f"{words} {seconds:.0f} s later; with a key {sorted(statuses)}; {probe}",
        is_whole and statuses <= {200, 503} and probe.bad("503") == 0,
    )


def read_only(drill: Drill, value: str) -> None:
    """Switch it for every session, and end those that there are."""
    address = paths.database_url(drill.service.folder).replace("postgres://", "postgresql://", 1)
    with psycopg.connect(
        address, autocommit=True, options="-c default_transaction_read_only=off"
    ) as connection:
        connection.execute(f"ALTER ROLE CURRENT_USER SET default_transaction_read_only = {value}")  # type: ignore[call-overload]
        connection.execute(CUT)


def clock_was_ahead(drill: Drill, *, count: int) -> Outcome:
    """What a clock leaves behind that was three days ahead and is right again."""
    with held(drill, "crawler@"), held(drill, "worker@"):
        drafts = drill.submit(count)
        drill.service.flush_redis()
        drill.service.query(AHEAD)
    before = drill.service.query(PERIODIC)[0][0]
    seconds = drill.wait(drafts)
    wait_for(lambda: drill.service.query(PERIODIC)[0][0] > before, patience=120)
    words, is_whole = drill.verdict(drafts)
    return Outcome(
        "16, 5b",
        f"rows as a clock leaves them that was three days ahead, {count} drafts waiting",
        "periodic work within two minutes, all ready",
        f"{words} after {seconds:.0f} s, periodic work goes on",
        is_whole,
    )
