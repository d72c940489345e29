"""What breaks beside the service stops no accepted work: the whole of it runs, and something is taken away."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.journeys.conftest import SLOW_SITES
from tests.journeys.service import Client, Service

pytestmark = pytest.mark.journey
FOUND_AGAIN = 180.0
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
