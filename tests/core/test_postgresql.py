"""Connections that are kept from one request to the next."""

import select
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection

from core.postgresql.base import DatabaseWrapper

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


@pytest.fixture
def refusals(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """When each server last took no connection, forgotten after the test."""
    fresh: dict[str, float] = {}
    monkeypatch.setattr(DatabaseWrapper, "refused_at", fresh)
    return fresh


def another(**changes: Any) -> Any:
    """A connection of another thread, to be."""
    own = connection.copy()
    own.settings_dict = {**own.settings_dict, **changes}
    return own


def test_a_statement_that_is_merely_slow_shuts_no_door(refusals: dict[str, float]) -> None:
    slow, other = another(PATIENCE=0.2), another(PATIENCE=5.0)
    try:
        with pytest.raises(OperationalError, match=r"did not answer within 0\.2 s"):
            ask(slow, "SELECT pg_sleep(1)")

        assert ask(other, "SELECT 'at once'") == "at once"
        slow.close()
        assert ask(slow, "SELECT 'again'") == "again"
        assert refusals == {}
    finally:
        slow.close()
        other.close()


def test_a_server_that_takes_no_connection_is_left_alone_for_a_moment(
    refusals: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody, other = another(HOST="127.0.0.1", PORT="9"), another()
    with pytest.raises(OperationalError, match="refused"):
        ask(nobody, "SELECT 1")
    with pytest.raises(OperationalError, match="took no connection a moment ago"):
        ask(other, "SELECT 1")
    monkeypatch.setattr("core.postgresql.base.PAUSE", 0.0)

    assert ask(other, "SELECT 'back'") == "back"
    other.close()
