"""The web's application on an event loop whose clock the test moves, and what a process has open."""

import asyncio
import contextlib
from collections.abc import Coroutine
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import psutil
from django.conf import settings
from django.db import connection
from redis import Redis

from config.asgi import Application
from tests.journeys.service import wait_for
from tests.waiting import LONG

Result = TypeVar("Result")
TURNS = 5
SLACK = 25  # megabytes


class MovedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock is ahead by `moved` seconds."""

    moved = 0.0

    def time(self) -> float:
        """The moment, by which timers run."""
        return super().time() + self.moved


async def pass_time(seconds: float) -> None:
    """Move the clock, and let run what is due by then."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, MovedLoop)
    loop.moved += seconds
    for _ in range(TURNS):
        await asyncio.sleep(0)


def run_moved(work: Coroutine[Any, Any, Result]) -> Result:
    """Run it on a loop whose clock can be moved."""
    with asyncio.Runner(loop_factory=MovedLoop) as runner:
        return runner.run(work)


@dataclass
class Reply:
    """What came of a request."""

    status: int
    headers: dict[str, str]
    body: bytes


async def ask(application: Application, path: str, *, method: str = "GET") -> Reply:
    """Ask the application, as its web server does."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1")],
    }
    await application(scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Reply(sent[0]["status"], headers, sent[1]["body"])


@dataclass(frozen=True)
class Open:
    """What this process has open, and its size in megabytes."""

    threads: int
    files: int
    redis: int
    database: int
    megabytes: float

    @classmethod
    def now(cls) -> "Open":
        """Count all of it."""
        process = psutil.Process()
        return cls(
            threads=process.num_threads(),
            files=process.num_fds(),
            redis=redis_clients(),
            database=len(backends()),
            megabytes=process.memory_info().rss / 2**20,
        )

    @classmethod
    def settled(cls, before: "Open") -> "Open":
        """Count until nothing has grown, for a server buries a connection some moments after it was closed."""
        with contextlib.suppress(TimeoutError):
            wait_for(lambda: not cls.now().grown_since(before), patience=LONG)
        return cls.now()

    def grown_since(self, before: "Open", *, pooled: int = 0) -> list[str]:
        """The names of what there is more of. Memory may breathe, and a pool may have grown to `pooled` connections."""
        room = {"megabytes": SLACK, "files": pooled, "redis": pooled}
        return [
            name for name, value in asdict(self).items() if value > asdict(before)[name] + room.get(name, 0)
        ]


def redis_clients() -> int:
    """How many connections Redis has to the database of this process, but the one that is asked."""
    with Redis.from_url(settings.REDIS_URL) as client:
        own = str(client.connection_pool.connection_kwargs.get("db", 0))
        return sum(row["db"] == own for row in client.client_list()) - 1


def backends() -> set[int]:
    """The processes that PostgreSQL has for who is connected to this database, but the one that is asked."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        found = {pid for (pid,) in cursor.fetchall()}
    connection.close()
    return found
