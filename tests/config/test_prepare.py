"""`manage.py prepare`, on several machines at one moment, too."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from config.management.commands import prepare
from tests.waiting import LONG

LOCKED = """
    SELECT EXISTS (
        SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE locktype = 'advisory' AND objid = %s AND datname = current_database()
    )
"""


def is_locked() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(LOCKED, [prepare.TURN])
        return bool(cursor.fetchone()[0])


def test_machines_that_are_upgraded_at_one_moment_migrate_one_after_the_other(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    waits = threading.Event()

    def second() -> None:
        with prepare.in_turn(lambda _words: waits.set()):
            steps.append("second")
        connections.close_all()

    def migrate(name: str, **_: object) -> None:
        if name == "migrate":
            done.append(pool.submit(second))
            steps.append("waits" if waits.wait(LONG) else "does not wait")
        steps.append(name)

    monkeypatch.setattr(prepare, "call_command", migrate)
    done: list[Future[None]] = []
    with ThreadPoolExecutor(1) as pool:
        call_command("prepare")
        done[0].result(LONG)
    lasts_until = time.monotonic() + LONG
    while is_locked() and time.monotonic() < lasts_until:  # a server ends a session after its client has gone
        pass

    assert (steps[:2], sorted(steps[2:])) == (["waits", "migrate"], ["collectstatic", "second"])
    assert not is_locked()


def test_a_database_that_does_not_answer_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://launch:secret@127.0.0.1:1/launch")

    with pytest.raises(
        CommandError, match=r"DATABASE_URL: no connection to database launch: .* refused"
    ) as refusal:
        call_command("prepare")
    assert "secret" not in str(refusal.value)
