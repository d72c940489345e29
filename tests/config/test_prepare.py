"""`manage.py prepare` on several machines at one moment."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import call_command
from django.db import connection, connections

from config.management.commands import prepare
from tests.waiting import LONG


def test_machines_that_are_upgraded_at_one_moment_migrate_one_after_the_other(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    waits, ended = threading.Event(), threading.Event()

    def pause(_seconds: float) -> None:
        waits.set()
        ended.wait(LONG)

    def second() -> None:
        call_command("prepare")
        connections.close_all()

    monkeypatch.setattr(prepare.time, "sleep", pause)
    monkeypatch.setattr(prepare, "call_command", lambda name, **_: steps.append(name))
    with ThreadPoolExecutor(1) as pool:
        with prepare.one_at_a_time():
            done = pool.submit(second)
            has_waited = waits.wait(LONG)
            before = list(steps)
        ended.set()
        done.result(LONG)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s", [prepare.TURN]
        )
        (locks,) = cursor.fetchone()

    assert (has_waited, before, steps, locks) == (True, [], ["migrate", "collectstatic"], 0)
