"""Drills that kill, empty and stop things while drafts are written."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2

from benchmarks.parts.drill import PATIENCE, Drill, Outcome
from tests.journeys.service import wait_for

LEASE, GRACE = 60.0, 15.0
BETWEEN_KILLS = 3.0


@dataclass
class Orphans:
    """Jobs whose worker was killed, and how long each waited for the next one."""

    since: dict[tuple[str, int], float] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)

    def made(self, rows: list[tuple[Any, ...]]) -> None:
        """A kill: whoever is running now has nobody left."""
        now = time.monotonic()
        for key, state, attempt, *_ in rows:
            if state == "running":
                self.since.setdefault((key, attempt), now)

    def look(self, rows: list[tuple[Any, ...]]) -> None:
        """Note whoever was taken over."""
        attempts = {row[0]: row[2] for row in rows}
        for key, attempt in list(self.since):
            if attempts.get(key, attempt) > attempt:
                self.waits.append(time.monotonic() - self.since.pop((key, attempt)))


def kill_workers(drill: Drill, *, count: int, kills: int) -> Outcome:
    """Kill the crawler with all its children again and again, and empty Redis once, during submissions."""
    orphans, drafts, done, last = Orphans(), list[str](), 0, time.monotonic()
    ends = time.monotonic() + PATIENCE
    while (len(drafts) < count or done < kills or drill.unfinished(drafts)) and time.monotonic() < ends:
        if len(drafts) < count:
            drafts += drill.submit(min(2, count - len(drafts)))
        rows = drill.jobs(drafts)
        orphans.look(rows)
        fresh = [row for row in rows if row[1] == "running" and (row[0], row[2]) not in orphans.since]
        if done < kills and fresh and time.monotonic() - last > BETWEEN_KILLS:
            drill.service.kill_group("crawler@")
            orphans.made(drill.jobs(drafts))
            done, last = done + 1, time.monotonic()
            if done == kills // 2:
                drill.service.flush_redis()
        time.sleep(0.3)
    words, is_whole = drill.verdict(drafts)
    longest = max(orphans.waits, default=0.0)
    return Outcome(
        "3, 5",
        f"{done} times kill -9 of the whole worker, Redis emptied once, during {count} submissions",
        f"{count} ready, each written once",
        f"{words}; {len(orphans.waits)} times a job lost its worker, the longest wait {longest:.0f} s"
        " (the supervisor rests up to 30 s between kills in a row)",
        is_whole and done == kills,
    )


def kill_worker_once(drill: Drill, *, count: int) -> Outcome:
    """Kill the crawler with all its children once; its jobs must not wait much longer than their leases."""
    orphans, drafts = Orphans(), drill.submit(count)
    wait_for(lambda: drill.running(drafts) > 1, patience=PATIENCE, every=0.1)
    drill.service.kill_group("crawler@")
    orphans.made(drill.jobs(drafts))

    def are_done() -> bool:
        orphans.look(drill.jobs(drafts))
        return drill.unfinished(drafts) == 0

    wait_for(are_done, patience=PATIENCE, every=0.3)
    words, is_whole = drill.verdict(drafts)
    longest = max(orphans.waits, default=0.0)
    return Outcome(
        "3",
        f"kill -9 of the whole worker, once, with {count} drafts submitted",
        f"all ready; jobs taken up again within {LEASE + GRACE:.0f} s",
        f"{words}; {len(orphans.waits)} jobs lost their worker, the longest wait {longest:.0f} s",
        is_whole and 0 < longest <= LEASE + GRACE,
    )


def flush_redis(drill: Drill, *, count: int) -> Outcome:
    """Empty Redis again and again during submissions."""
    drafts, flushes = list[str](), 0
    while len(drafts) < count:
        drafts += drill.submit(5)
        drill.service.flush_redis()
        flushes += 1
    seconds = drill.wait(drafts)
    words, is_whole = drill.verdict(drafts)
    fault = f"{flushes} times FLUSHALL during {count} submissions"
    return Outcome("5", fault, f"{count} ready", f"{words} {seconds:.0f} s after the last one", is_whole)


def stop_clock(drill: Drill, *, count: int) -> Outcome:
    """Hold the worker that begins periodic work, lose every hint, and let the crawler find its work by itself."""
    held = drill.service.group("worker@")
    for process in held:
        process.suspend()
    drafts = drill.submit(count)
    drill.service.flush_redis()
    seconds = drill.wait(drafts)
    for process in held:
        process.resume()
    words, is_whole = drill.verdict(drafts)
    fault = f"the worker that begins periodic work held, all hints of {count} submissions lost"
    return Outcome(
        "4",
        fault,
        "all ready, found within 60 s",
        f"{words} after {seconds:.0f} s",
        is_whole and seconds <= 60,
    )


def kill_one(drill: Drill, *, words: str, number: str, limit: float, works: Callable[[], bool]) -> Outcome:
    """Kill one program and wait until what needs it works again."""
    began = time.monotonic()
    drill.service.kill_group(words)
    wait_for(works, patience=PATIENCE, every=0.1)
    seconds = time.monotonic() - began
    fault, bar = f"kill -9 of {words} with its children", f"works again within {limit:.0f} s"
    return Outcome(number, fault, bar, f"{seconds:.1f} s", seconds <= limit)


def kill_web(drill: Drill) -> Outcome:
    """Kill the web server."""
    return kill_one(drill, words="config.serve", number="2", limit=5, works=drill.service.is_ready)


def kill_redis(drill: Drill) -> Outcome:
    """Kill Redis; a new submission must reach a worker."""

    def works() -> bool:
        try:
            draft = drill.submit(1)[0]
        except httpx2.HTTPError:
            return False
        wait_for(lambda: drill.jobs([draft])[0][1] != "queued", patience=PATIENCE, every=0.1)
        return True

    return kill_one(drill, words="valkey-server", number="8", limit=10, works=works)


def stop_all(drill: Drill, *, count: int) -> Outcome:
    """Stop the whole service in the middle of drafting, and start it again."""
    drafts = drill.submit(count)
    wait_for(lambda: drill.running(drafts) > 0, patience=PATIENCE, every=0.1)
    began, open_work = time.monotonic(), drill.unfinished(drafts)
    code, left = drill.service.stop()
    stopped = time.monotonic() - began
    drill.service.start()
    seconds = drill.wait(drafts)
    words, is_whole = drill.verdict(drafts)
    return Outcome(
        "26",
        f"SIGTERM of the whole service with {open_work} of {count} drafts unfinished, then a start",
        f"{count} ready, stopped within 45 s, no process left",
        f"{words} {seconds:.0f} s after the start; stopped in {stopped:.1f} s, exit code {code},"
        f" {len(left)} processes left",
        is_whole and stopped <= 45 and code == 0 and not left,
    )
