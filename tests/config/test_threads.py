"""The web process lives on: threads that come and go, quiet days and bursts, and threads that are stuck."""

import asyncio
import gc
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import pytest
from django.core.cache import cache
from django.test import Client

from config import asgi
from config.asgi import Application
from config.health import check_apart
from core.api import throttling
from directory.models import Site
from tests.journeys.service import wait_for
from tests.servers.in_loop import Open, Reply, ask, backends, pass_time, run_moved
from tests.waiting import LONG, undisturbed

LIVES, TENTH = 500, 10
HOUR = 60  # minutes
READS = ("/", "/api/v1/site", "/api/v1/listings", "/categories", "/api/v1/products", "/search?q=tide")
pytestmark = pytest.mark.django_db(transaction=True)


def test_threads_that_end_leave_nothing_behind(site: Site) -> None:
    statuses: Counter[int] = Counter()

    def live(path: str) -> None:
        statuses[Client(raise_request_exception=False).get(path).status_code] += 1
        cache.get("anything")

    for number in range(LIVES):
        if number == TENTH:
            before = Open.now()
        thread = threading.Thread(target=live, args=["/api/v1/site" if number % TENTH else "/readyz"])
        thread.start()
        thread.join()
    gc.collect()
    after = Open.settled(before)

    assert statuses == {200: LIVES}
    assert after.grown_since(before) == []


def test_a_day_of_a_small_site_leaves_nothing_behind(site: Site) -> None:
    """Probes, a burst of reads each hour, and rest between them; the clock is moved."""

    async def hour(application: Application) -> list[int]:
        statuses = []
        for minute in range(HOUR):
            probes = [
                await ask(application, path) for path in ("/healthz", "/readyz")[: 2 - bool(minute % 4)]
            ]
            burst = [] if minute else [ask(application, path) for path in READS]
            statuses += [answer.status for answer in [*probes, *await asyncio.gather(*burst)]]
            await pass_time(60)
        return statuses

    async def day() -> tuple[Counter[int], list[Open]]:
        application, statuses, counted = Application(), Counter[int](), list[Open]()
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        await asyncio.gather(*(application.threads.run(check_apart) for _ in range(asgi.THREADS)))
        for number in range(24):
            statuses.update(await hour(application))
            if number in {0, 23}:
                await pass_time(10 * 60)
                await asyncio.to_thread(wait_for, lambda: backends() <= rested, patience=LONG)
                counted.append(await asyncio.to_thread(Open.now))
        return statuses, counted

    rested = backends()
    statuses, (before, after) = run_moved(day())

    assert statuses == {200: 24 * (HOUR + HOUR // 4 + len(READS))}
    assert after.grown_since(before, pooled=asgi.THREADS) == []


def test_a_site_with_little_to_do_has_few_connections_and_a_resting_one_none() -> None:
    rested = backends()

    async def serve() -> tuple[int, int]:
        application = Application()
        await asyncio.gather(*(application.threads.run(check_apart) for _ in range(asgi.THREADS)))
        together = len(await asyncio.to_thread(backends) - rested)
        for _ in range(7):  # one after another, each ten seconds
            await pass_time(10)
            await ask(application, "/readyz")
        await asyncio.to_thread(wait_for, lambda: len(backends() - rested) == 1, patience=LONG)
        await pass_time(asgi.REST_SECONDS + 1)
        await asyncio.to_thread(wait_for, lambda: backends() <= rested, patience=LONG)
        return together, (await ask(application, "/readyz")).status

    together, status = run_moved(serve())

    assert 1 < together <= asgi.THREADS
    assert status == 200


@contextmanager
def stuck(application: Application) -> Iterator[list[asyncio.Task[bool]]]:
    """All threads wait for something that does not come."""
    never = threading.Event()
    tasks = [asyncio.create_task(application.threads.run(never.wait)) for _ in range(asgi.THREADS)]
    try:
        yield tasks
    finally:
        never.set()


def test_it_lives_but_is_not_ready_while_all_threads_are_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "QUEUE_SECONDS", 0.5)
    monkeypatch.setattr(asgi, "READY_SECONDS", 0.2)

    async def serve() -> None:
        application = Application()
        with stuck(application) as tasks, undisturbed() as clock:
            await asyncio.sleep(0)
            alive = await ask(application, "/healthz")
            head = await ask(application, "/healthz", method="HEAD")
            ready = await ask(application, "/readyz")
            refused = await ask(application, "/api/v1/site")
        assert (alive.status, alive.body, alive.headers["content-type"]) == (
            200,
            b'{"status":"ok"}',
            "application/json",
        )
        assert (head.status, head.body, head.headers["content-length"]) == (200, b"", str(len(alive.body)))
        assert (ready.status, json.loads(ready.body)) == (
            503,
            {"status": "not_ready", "checks": {"requests": "failed"}},
        )
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        assert json.loads(refused.body)["code"] == "unavailable"
        assert clock.seconds < 5
        await asyncio.gather(*tasks)
        monkeypatch.setattr(asgi, "READY_SECONDS", LONG)
        assert (await ask(application, "/readyz")).status == 200

    asyncio.run(serve())


def test_whoever_comes_beyond_the_queue_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "QUEUE", 3)
    monkeypatch.setattr(asgi, "QUEUE_SECONDS", LONG)

    async def serve() -> tuple[Reply, list[Reply]]:
        application = Application()
        with stuck(application), undisturbed() as clock:
            waiting = [asyncio.create_task(ask(application, "/api/v1/site")) for _ in range(asgi.QUEUE)]
            await asyncio.sleep(0)
            refused = await ask(application, "/api/v1/site")
        assert clock.seconds < 5
        return refused, await asyncio.gather(*waiting)

    refused, answered = asyncio.run(serve())

    assert (refused.status, refused.headers["retry-after"]) == (503, "5")
    assert [reply.status for reply in answered] == [200] * asgi.QUEUE


def test_whoever_comes_when_others_have_waited_for_long_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asgi, "QUEUE_SECONDS", LONG)

    async def serve() -> list[int]:
        application = Application()
        with stuck(application):
            waiting = []
            for _ in range(2):
                waiting.append(asyncio.create_task(ask(application, "/api/v1/site")))
                await asyncio.sleep(0)
                await pass_time(asgi.FULL_SECONDS * 0.6)
            refused = await ask(application, "/api/v1/site")
            assert not any(task.done() for task in waiting)
        return [refused.status, *[(await task).status for task in waiting]]

    assert run_moved(serve()) == [503, 200, 200]


def test_probes_share_a_check_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[str] = []

    def check() -> tuple[int, dict[str, str]]:
        checks.append(threading.current_thread().name)
        return (200, {"status": "ready"}) if len(checks) == 1 else (503, {"status": "not_ready"})

    assert asgi.SHARED_SECONDS == 1
    monkeypatch.setattr(asgi, "SHARED_SECONDS", 100.0)  # a hundredfold, as the flood takes a while of its own
    monkeypatch.setattr(asgi, "check_apart", check)

    async def serve() -> tuple[list[Reply], Reply]:
        application = Application()
        flood = await asyncio.gather(*(ask(application, "/readyz") for _ in range(200)))
        await pass_time(90)
        flood.append(await ask(application, "/readyz"))
        await pass_time(20)
        return flood, await ask(application, "/readyz", method="HEAD")

    flood, later = run_moved(serve())

    assert {(reply.status, reply.body) for reply in flood} == {(200, b'{"status":"ready"}')}
    assert len({reply.headers["x-request-id"] for reply in flood}) == len(flood)
    assert ((later.status, later.body), len(checks)) == ((503, b""), 2)


def test_a_web_that_is_asked_more_than_it_answers_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "QUEUE_SECONDS", LONG)

    async def serve() -> tuple[Counter[int], int]:
        application, gates = (
            Application(),
            [threading.Event() for _ in range(asgi.THREADS + asgi.QUEUE)],
        )
        callers = [asyncio.create_task(application.threads.run(partial(gate.wait, LONG))) for gate in gates]
        await asyncio.sleep(0)
        refused = Counter([(await ask(application, "/api/v1/site")).status])
        probe = asyncio.create_task(ask(application, "/readyz"))
        await asyncio.sleep(0)
        for gate in gates[:2]:  # who waited first has the one thread, the probe has the other
            gate.set()
        ready = await probe
        for gate in gates:
            gate.set()
        await asyncio.gather(*callers)
        return refused, ready.status

    assert asyncio.run(serve()) == ({503: 1}, 200)


def test_a_thread_that_a_probe_gave_up_on_is_not_given_to_anybody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def serve() -> list[str]:
        used, over = asgi.Threads(2), threading.Event()

        def work() -> str:
            over.wait(LONG)
            return threading.current_thread().name

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(used.run(work), 0.1)
        names = [await used.run(lambda: threading.current_thread().name) for _ in range(3)]
        over.set()
        names.append(await used.run(work))
        return names

    names = asyncio.run(serve())

    assert len(set(names[:3])) == 1


def test_readiness_counts_and_caches_as_requests_do(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    before = client.get("/readyz")
    monkeypatch.setattr(throttling.limiter().shared.scripts, "_away_until", time.monotonic() + LONG)
    without = client.get("/readyz")

    assert (before.status_code, before.json()["checks"]["redis"]) == (200, "ok")
    assert (without.status_code, without.json()["checks"]["redis"]) == (200, "degraded")
