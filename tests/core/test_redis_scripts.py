"""Scripts in Redis: what is told, and what happens when connections, scripts or the server are lost."""

import os
import select
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from redis import Redis

from core.cache import Script, Scripts, client_of
from tests.waiting import LONG

TELL = Script("return {KEYS[1], ARGV[1], #ARGV[2], false}")
ONE = Script("return 1")
TWO = Script("return 2")


@pytest.fixture
def redis(settings: Any) -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=LONG, single_connection_client=True)


def test_tells_what_the_script_returns(redis: Redis) -> None:
    scripts = Scripts(lambda: redis)

    for _ in range(2):
        found = scripts.run(TELL, keys=["a:é"], values=[12, b"\x00\r\n"])
        assert found == ["a:é".encode(), b"12", 3, None]


def test_a_script_that_redis_forgot_is_told_again(redis: Redis) -> None:
    scripts = Scripts(lambda: redis)
    scripts.run(TELL, keys=["a"], values=[1, 2])
    redis.script_flush()

    assert scripts.run(TELL, keys=["b"], values=[1, 2]) == [b"b", b"1", 1, None]
    assert redis.script_exists(TELL.digest) == [True]


def test_a_connection_that_ended_is_made_anew(redis: Redis, settings: Any) -> None:
    settings.REDIS_TIMEOUT = LONG
    with ThreadPoolExecutor(1) as thread:
        client = thread.submit(client_of, f"{settings.REDIS_URL}?client_name=made-anew").result()
    scripts = Scripts(lambda: client)
    assert scripts.run(ONE, keys=[]) == 1
    mine = [client["id"] for client in redis.client_list() if client["name"] == "made-anew"]
    assert [redis.client_kill_filter(_id=one) for one in mine] == [1]

    assert scripts.run(ONE, keys=[]) == 1


def test_an_answer_that_came_too_late_is_not_taken_for_the_next(settings: Any) -> None:
    client = Redis.from_url(settings.REDIS_URL, socket_timeout=0.2, single_connection_client=True)
    scripts = Scripts(lambda: client)
    assert once_it_answers(scripts) == 1
    holding = Redis.from_url(settings.REDIS_URL)
    holding.execute_command("CLIENT PAUSE", 60_000, "WRITE")  # scripts wait, and who asks to go on does not
    try:
        assert scripts.run(TWO, keys=[]) is None
    finally:
        holding.client_unpause()

    assert once_it_answers(scripts) == 1


def once_it_answers(scripts: Scripts) -> Any:
    """What the script says that returns 1, however late a busy machine comes to it."""
    ends = time.monotonic() + LONG
    while (found := scripts.run(ONE, keys=[])) is None and time.monotonic() < ends:
        scripts._away_until = 0
    return found


def calls(server: socket.socket) -> int:
    """How many connections have come in since."""
    found = 0
    while select.select([server], [], [], 0)[0]:
        server.accept()[0].close()
        found += 1
    return found


def test_nobody_waits_for_a_redis_that_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        ask = Scripts(
            partial(Redis.from_url, address, socket_timeout=0.05, single_connection_client=True)
        ).run

        assert ask(TELL, keys=["a"], values=[1, 2]) is None
        assert calls(server) > 0
        assert [ask(TELL, keys=["a"], values=[1, 2]) for _ in range(3)] == [None] * 3
        assert calls(server) == 0


def test_each_thread_and_each_process_has_a_connection_of_its_own(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = settings.REDIS_URL
    with ThreadPoolExecutor(1) as thread:
        mine, other = client_of(url), thread.submit(client_of, url).result()
    assert client_of(url) is mine

    monkeypatch.setattr(os, "getpid", lambda: -1)  # as after a fork
    forked = client_of(url)

    assert len({id(client.connection) for client in (mine, other, forked)}) == 3
