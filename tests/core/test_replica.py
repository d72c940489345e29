"""How far a replica is behind, and which cached answers may be made from it. How it is used: tests/journeys."""

import time
from typing import Any

import pytest
from django.db import OperationalError

from core import replica
from core.cache import changed


class Servers:
    """What both servers say of how far they are."""

    def __init__(self) -> None:
        self.written: int | None = 0
        self.replayed: int | None = 0

    def __call__(self, alias: str, _statement: str) -> int:
        found = self.replayed if alias == replica.ALIAS else self.written
        if found is None:
            raise OperationalError("away")
        return found


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Servers:
    settings.DATABASE_REPLICA_LAG = 10
    asked = Servers()
    monkeypatch.setattr(replica, "_position", asked)
    return asked


def look(follower: replica.Follower, monkeypatch: pytest.MonkeyPatch, *, at: float) -> bool:
    monkeypatch.setattr(replica.time, "monotonic", lambda: at)
    return follower.is_close()


def test_it_is_as_late_as_what_it_has_passed(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    follower = replica.Follower()
    found = []
    for second in range(30):
        servers.written = 100 * second
        servers.replayed = 100 * min(second, 5)  # it stands still after the fifth second
        found.append((look(follower, monkeypatch, at=1000.0 + second), follower.lag))

    assert found[5] == (True, 0.0)
    assert found[15] == (True, 10.0)
    assert found[16] == (False, 11.0)


def test_it_falls_no_further_behind_while_nothing_is_written(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    follower = replica.Follower()
    assert look(follower, monkeypatch, at=1000.0)
    assert not follower.is_alone
    servers.written = None

    assert look(follower, monkeypatch, at=1100.0)
    assert (follower.lag, follower.is_alone) == (0.0, True)


def test_one_that_fails_is_left_alone_for_a_while(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    follower = replica.Follower()
    servers.replayed = None
    assert not look(follower, monkeypatch, at=1000.0)
    servers.replayed = 0

    assert not look(follower, monkeypatch, at=1004.0)
    assert look(follower, monkeypatch, at=1006.0)


def test_what_has_just_changed_is_not_read_there(
    settings: Any, django_capture_on_commit_callbacks: Any, db: None
) -> None:
    settings.DATABASE_REPLICA_LAG = 10
    with django_capture_on_commit_callbacks(execute=True):
        changed("listings")
    now = int(time.time() * 1_000_000)

    assert replica.has_seen(None)
    assert replica.has_seen(b",-,%d" % (now - 11_000_000))
    assert not replica.has_seen(b",%d,%d" % (now - 11_000_000, now - 9_000_000))
