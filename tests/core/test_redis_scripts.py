"""Scripts in Redis: what is told, and what happens when connections, scripts or the server are lost."""

from typing import Any

import pytest
from redis import Redis

from core import redis_scripts
from core.redis_scripts import Script, Scripts

TELL = Script("return {KEYS[1], ARGV[1], #ARGV[2], false}")
ONE = Script("return 1")


@pytest.fixture
def redis(settings: Any) -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=2)


def test_tells_what_the_script_returns(redis: Redis) -> None:
    scripts = Scripts(redis)

    for _ in range(2):
        found = scripts.run(TELL, keys=["a:é"], values=[12, b"\x00\r\n"])
        assert found == ["a:é".encode(), b"12", 3, None]


def test_a_script_that_redis_forgot_is_told_again(redis: Redis) -> None:
    scripts = Scripts(redis)
    scripts.run(TELL, keys=["a"], values=[1, 2])
    redis.script_flush()

    assert scripts.run(TELL, keys=["b"], values=[1, 2]) == [b"b", b"1", 1, None]
    assert redis.script_exists(TELL.digest) == [True]


def test_a_connection_that_ended_is_made_anew(redis: Redis) -> None:
    scripts = Scripts(redis)
    assert scripts.run(ONE, keys=[]) == 1
    redis.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")

    assert scripts.run(ONE, keys=[]) == 1


def test_nobody_waits_for_a_redis_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = Scripts(Redis.from_url("redis://127.0.0.1:1/0", socket_connect_timeout=0.2))
    tries = []
    asked = redis_scripts._asked
    monkeypatch.setattr(redis_scripts, "_asked", lambda *args: tries.append(1) or asked(*args))

    assert [scripts.run(TELL, keys=["a"], values=[1, 2]) for _ in range(3)] == [None] * 3
    assert len(tries) == 1
