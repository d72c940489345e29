"""What breaks beside the service stops no accepted work: the whole of it runs, and something is taken away."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx2
import psutil
import pytest

from tests.journeys.conftest import SLOW_SITES
from tests.journeys.service import Client, Service

pytestmark = pytest.mark.journey
FOUND_AGAIN = 180.0
THREADS = 16  # of the web server's two processes, each with a connection of its own
NO_THREAD = "All of us are busy. Try again soon."
IDLE = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND state = 'idle'"
CUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


@contextmanager
def held(service: Service, words: str) -> Iterator[None]:
    """A program that does nothing for a while."""
    processes = service.group(words)
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()


def test_lost_hints_are_found_after_the_database_cut_every_connection_and_without_the_other_worker(
    service: Service, client: Client
) -> None:
    service.query(CUT)
    with held(service, "worker@"):
        draft = client.submit(f"https://{SLOW_SITES[-1]}/")
        service.flush_redis()
        found = client.ended([draft], patience=FOUND_AGAIN)

    assert found[draft]["status"] == "ready"


def test_drafts_are_written_while_redis_is_stalled(service: Service, client: Client) -> None:
    with held(service, "valkey-server"):
        drafts = [client.submit(f"https://{host}/") for host in SLOW_SITES[-3:-1]]
        found = client.ended(drafts, patience=FOUND_AGAIN)

    assert {draft["status"] for draft in found.values()} == {"ready"}


@contextmanager
def slow_connections(service: Service) -> Iterator[None]:
    """Whatever is asked on a connection that is there now takes longer than anybody waits; new ones are quick."""
    backends = [psutil.Process(pid) for (pid,) in service.query(IDLE)]
    for backend in backends:
        backend.suspend()
    try:
        yield
    finally:
        for backend in backends:
            backend.resume()


def answers(service: Service, *, wave: str, number: int) -> Counter[str]:
    """What so many reads at once that nobody has asked for before come to: ok, or why they were refused."""

    def read(index: int) -> str:
        address = f"{service.site}/api/v1/listings?q={wave}{index}"
        answer = httpx2.get(address, timeout=30, verify=False, trust_env=False)
        assert answer.status_code in {200, 503}
        return "ok" if answer.status_code == 200 else str(answer.json()["detail"])

    with ThreadPoolExecutor(number) as pool:
        return Counter(pool.map(read, range(number)))


def test_statements_that_were_slow_for_a_while_turn_nobody_away_afterwards(service: Service) -> None:
    """While all threads wait for the database, who comes is refused after a second (decision 0171)."""
    answers(service, wave="warm", number=2 * THREADS)
    with slow_connections(service):
        slow = answers(service, wave="slow", number=3 * THREADS)
        after = answers(service, wave="after", number=2 * THREADS)

    by_the_database = slow.total() - slow["ok"] - slow[NO_THREAD]
    assert by_the_database <= THREADS  # each waits for its old connection once, and then has a new one
    assert after == {"ok": 2 * THREADS}
