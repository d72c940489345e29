"""Windows that are counted and read in one trip, and what happens while Redis is away."""

import time
from typing import Any

import pytest
from limits import RateLimitItemPerSecond
from redis.connection import Connection

from core.api import throttling
from core.api.throttling import Limiter, SharedWindows


@pytest.fixture
def windows(settings: Any) -> SharedWindows:
    return SharedWindows(url=settings.REDIS_URL)


def test_counts_down_and_then_refuses(windows: SharedWindows) -> None:
    item = RateLimitItemPerSecond(3, 60)

    found = [windows.hit(item, "test", "net:192.0.2.1") for _ in range(5)]

    assert [(may_pass, left) for may_pass, left, *_ in found] == [
        (True, 2),
        (True, 1),
        (True, 0),
        (False, 0),
        (False, 0),
    ]
    assert all(0 < ends - time.time() <= 60 for _, _, ends, _ in found)


def test_callers_and_kinds_are_counted_apart(windows: SharedWindows) -> None:
    item = RateLimitItemPerSecond(1, 60)

    assert [windows.hit(item, kind, caller)[0] for kind in ("a", "b") for caller in ("x", "y")] == [True] * 4
    assert windows.hit(item, "a", "x")[0] is False


def test_a_window_ends_by_itself_also_when_its_end_was_lost(windows: SharedWindows) -> None:
    item = RateLimitItemPerSecond(5, 60)
    windows.hit(item, "test", "x")
    redis = windows.storage.get_connection()
    key = windows.storage.prefixed_key(item.key_for("test", "x"))
    assert 0 < redis.pttl(key) <= 60_000

    redis.persist(key)
    windows.hit(item, "test", "x")

    assert 0 < redis.pttl(key) <= 60_000


def test_asks_redis_once(windows: SharedWindows, monkeypatch: pytest.MonkeyPatch) -> None:
    windows.hit(RateLimitItemPerSecond(5, 60), "test", "x")
    asked = []
    send = Connection.send_packed_command
    monkeypatch.setattr(
        Connection,
        "send_packed_command",
        lambda self, command, **kwargs: asked.append(b"".join(command)) or send(self, command, **kwargs),
    )

    windows.hit(RateLimitItemPerSecond(5, 60), "test", "y")

    assert [one.split(b"\r\n")[2] for one in asked] == [b"EVALSHA"]


def test_each_process_counts_for_itself_while_redis_is_away(settings: Any) -> None:
    limiter = Limiter(url="redis://127.0.0.1:1/0")

    found = [limiter.hit(RateLimitItemPerSecond(2, 60), "test", "x")[:2] for _ in range(3)]

    assert found == [(True, 1), (True, 0), (False, 0)]


def test_the_end_is_told_in_whole_seconds() -> None:
    allowance = throttling.count("register", caller="net:192.0.2.9")

    assert (allowance.limit, allowance.remaining, allowance.seconds) == (10, 9, 3600)
    assert 3595 <= allowance.reset_in <= 3600


@pytest.mark.parametrize("redis", ["there", "away"])
def test_looking_counts_nothing(monkeypatch: pytest.MonkeyPatch, redis: str) -> None:
    if redis == "away":
        alone = Limiter(url="redis://127.0.0.1:1/0")
        monkeypatch.setattr(throttling, "limiter", lambda: alone)
    caller = "net:192.0.2.10"

    looked = [throttling.is_spent("register", caller=caller) for _ in range(20)]
    left = [throttling.count("register", caller=caller).remaining for _ in range(10)]

    assert looked == [False] * 20
    assert left == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert throttling.is_spent("register", caller=caller) is True
    assert throttling.is_spent("register", caller="net:192.0.2.11") is False
