"""Scripts in Redis: what is told, and what happens when connections, scripts or the server are lost."""

import select
import socket
from typing import Any

import pytest
from redis import Redis

from core.redis_scripts import Script, Scripts

TELL = Script("return {KEYS[1], ARGV[1], #ARGV[2], false}")
ONE = Script("return 1")
PUSH = Script("redis.call('RPUSH', KEYS[1], ARGV[1])")


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


def test_what_is_only_told_is_done_and_answers_stay_in_order(redis: Redis) -> None:
    scripts = Scripts(redis)
    redis.delete("told")

    for number in range(3):
        scripts.tell(PUSH, keys=["told"], values=[number])
    scripts.tell(Script("return redis.call('NOTHING')"), keys=[])

    assert scripts.run(TELL, keys=["a"], values=[1, 2]) == [b"a", b"1", 1, None]
    assert scripts.run(Script("return redis.call('LRANGE', KEYS[1], 0, -1)"), keys=["told"]) == [
        b"0",
        b"1",
        b"2",
    ]
    redis.delete("told")


def test_what_was_told_to_a_connection_that_ended_disturbs_nobody(redis: Redis) -> None:
    scripts = Scripts(redis)
    scripts.tell(PUSH, keys=["told"], values=[1])
    redis.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")

    assert scripts.run(ONE, keys=[]) == 1
    assert scripts.run(TELL, keys=["a"], values=[1, 2]) == [b"a", b"1", 1, None]
    redis.delete("told")


def calls(server: socket.socket) -> int:
    """How many connections have come in since."""
    found = 0
    while select.select([server], [], [], 0)[0]:
        server.accept()[0].close()
        found += 1
    return found


@pytest.mark.parametrize("way", ["run", "tell"])
def test_nobody_waits_for_a_redis_that_does_not_answer(way: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        ask = getattr(Scripts(Redis.from_url(address, socket_timeout=0.05)), way)

        assert ask(TELL, keys=["a"], values=[1, 2]) is None
        assert calls(server) > 0
        assert [ask(TELL, keys=["a"], values=[1, 2]) for _ in range(3)] == [None] * 3
        assert calls(server) == 0
