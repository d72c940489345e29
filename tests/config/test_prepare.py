"""`manage.py prepare`, on several machines at one moment, too."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from config.management.commands import prepare
from tests.waiting import LONG


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
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s", [prepare.TURN]
        )
        (locks,) = cursor.fetchone()

    assert (steps[:2], sorted(steps[2:]), locks) == (["waits", "migrate"], ["collectstatic", "second"], 0)


def test_a_database_that_does_not_answer_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://launch:secret@127.0.0.1:1/launch")

    with pytest.raises(
        CommandError, match=r"DATABASE_URL: no connection to database launch: .* refused"
    ) as refusal:
        call_command("prepare")
    assert "secret" not in str(refusal.value)
