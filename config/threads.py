import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from django.db import connections

from core.api.handler import UnavailableError

THREADS = 8
REST_SECONDS = 60.0  # after which a thread closes its connections to the database
TICK = 0.05  # a timer may come so much too soon
# Whoever waits longer for a thread has an answer sooner elsewhere or later; half a second's work waits, and what comes
# beyond it is refused at once, so that those who are answered are answered soon. How many that are, the first tells by
# its age, however quick the machine is.
QUEUE, QUEUE_SECONDS, FULL_SECONDS = 128, 1.0, 0.4
Result = TypeVar("Result")


@dataclass(eq=False)
class RequestThread:
    """One of them, when it worked last by the loop's clock, and whether it may be connected since."""

    executor: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "request"))
    used_at: float = 0.0
    is_connected: bool = False


class Threads:
    """As many threads as may work at once, for as long as the process lives. Used on the event loop alone.

    Whoever worked last works next, so a small site uses one or two; the others rest, and close their connections.
    """

    def __init__(self, count: int = THREADS) -> None:
        self._resting = [RequestThread() for _ in range(count)]
        self._free = asyncio.Semaphore(count)
        self._turn = asyncio.Lock()  # the first of those who wait does so for a free thread
        self._waiting: deque[float] = deque()  # since when, the first one first
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, work: Callable[[], Result]) -> Result:
        """What comes of the work. Whoever gives up waiting leaves the thread busy until the work is over."""
        await self._wait()
        return await self._run(work)

    async def run_next(self, work: Callable[[], Result]) -> Result:
        """The same for a probe, which takes a thread that gets free before all who wait: many callers are no fault.

        One at a time does so.
        """
        await self._free.acquire()
        return await self._run(work)

    async def _run(self, work: Callable[[], Result]) -> Result:
        thread, loop = self._resting.pop(), asyncio.get_running_loop()
        future = thread.executor.submit(work)
        try:
            return await asyncio.wrap_future(future)
        finally:
            if future.done():
                self._release(thread)
            else:
                future.add_done_callback(partial(self._release_later, loop, thread))

    async def _wait(self) -> None:
        if not (self._waiting or self._free.locked()):
            await self._free.acquire()
            return
        busy = UnavailableError("All of us are busy. Try again soon.", headers={"Retry-After": "5"})
        now = asyncio.get_running_loop().time()
        if len(self._waiting) >= QUEUE or (self._waiting and now - self._waiting[0] > FULL_SECONDS):
            raise busy
        self._waiting.append(now)
        try:
            async with asyncio.timeout(QUEUE_SECONDS), self._turn:
                await self._free.acquire()
        except TimeoutError as error:
            raise busy from error
        finally:
            self._waiting.remove(now)

    def _release_later(
        self, loop: asyncio.AbstractEventLoop, thread: RequestThread, _future: Future[Result]
    ) -> None:
        loop.call_soon_threadsafe(self._release, thread)

    def _release(self, thread: RequestThread) -> None:
        loop = asyncio.get_running_loop()
        thread.used_at, thread.is_connected = loop.time(), True
        self._resting.append(thread)
        self._free.release()
        if self._timer is None:
            self._timer = loop.call_later(REST_SECONDS, self._let_rest)

    def _let_rest(self) -> None:
        """Have each thread close its connections that had nothing to do for so long, and come again for the others."""
        loop, self._timer = asyncio.get_running_loop(), None
        rested_at = loop.time() - REST_SECONDS + TICK
        for thread in self._resting:
            if thread.is_connected and thread.used_at <= rested_at:
                thread.executor.submit(connections.close_all)
                thread.is_connected = False
        connected = [thread.used_at for thread in self._resting if thread.is_connected]
        if connected:
            self._timer = loop.call_at(min(connected) + REST_SECONDS, self._let_rest)
