"""Connections that are kept from one request to the next."""

import select
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept() -> Iterator[Any]:
    """A connection as a thread keeps it, at the beginning of a request."""
    own = connection.copy()
    own.settings_dict = {**own.settings_dict, "CONN_HEALTH_CHECKS": True}
    ask(own, "SELECT 'first request'")
    own.close_if_unusable_or_obsolete()
    yield own
    own.close()


def ask(own: Any, statement: str) -> Any:
    with own.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def process_of(own: Any) -> int:
    return own.connection.info.backend_pid


def last_statement(process: int) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [process])
        return cursor.fetchone()[0]


def test_a_living_connection_is_not_asked(kept: Any) -> None:
    before = process_of(kept)

    kept.close_if_health_check_failed()

    assert last_statement(before) == "SELECT 'first request'"
    assert (kept.health_check_done, process_of(kept)) == (True, before)


def test_one_that_the_server_ended_is_made_anew(kept: Any) -> None:
    before = process_of(kept)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [before])
    assert select.select([kept.connection], [], [], 5)[0]

    assert ask(kept, "SELECT 'second request'") == "second request"
    assert process_of(kept) != before


def test_after_a_fault_it_is_asked(kept: Any) -> None:
    before = process_of(kept)
    kept.errors_occurred = True

    kept.close_if_unusable_or_obsolete()

    assert last_statement(before) == "SELECT 1"
    assert (kept.errors_occurred, process_of(kept)) == (False, before)


def test_connections_of_one_moment_do_not_all_end_at_one_moment() -> None:
    ends = []
    for _ in range(5):
        own = connection.copy()
        own.settings_dict = {**own.settings_dict, "CONN_MAX_AGE": 600}
        began = time.monotonic()
        own.connect()
        ends.append(own.close_at - began)
        own.close()

    assert all(600 <= end <= 1210 for end in ends)
    assert len({round(end) for end in ends}) > 1
