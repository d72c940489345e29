"""What every drill has: the running service, sites to submit, somebody who keeps asking, and an outcome."""

import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx2

from config.embedded import paths
from tests.journeys.service import Client, Service, kill_all, wait_for
from tests.journeys.sites import fill_slowly
from tests.servers.folders import throwaway_folder
from tests.servers.website import Website

ANSWER_SECONDS = 0.4
PATIENCE = 600.0
FRESH = 12
PROBED = ("/api/v1/listings", "/api/v1/site", "/", "/leaderboards", "/healthz", "/metrics", "/mcp")
SEARCH = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "search_listings", "arguments": {}},
}
MCP_HEADERS = {"Accept": "application/json, text/event-stream"}
Kept = TypeVar("Kept")
JOBS = """
    SELECT job.key, job.state, job.attempt, draft.status, draft.revision
    FROM core_job AS job JOIN drafts_draft AS draft ON job.key = draft.id::text
    WHERE job.kind = 'drafts.write_from_website' AND job.key = ANY(%s)
"""


@dataclass
class Outcome:
    """One drill: what was done, what had to hold, what was measured."""

    number: str
    fault: str
    bar: str
    measured: str
    is_passed: bool


@dataclass
class Drill:
    """The service under test, and a stock of sites that nobody has submitted yet."""

    service: Service
    client: Client
    hosts: Iterator[str]
    website: Website
    kept: ExitStack = field(default_factory=ExitStack)
    beside: dict[str, Any] = field(default_factory=dict)

    def keep(self, name: str, make: Callable[[], AbstractContextManager[Kept]]) -> Kept:
        """What a drill needs beside the service, made when it is first asked for, there until `let_go`."""
        if name not in self.beside:
            self.beside[name] = self.kept.enter_context(make())
        found: Kept = self.beside[name]
        return found

    def let_go(self) -> None:
        """End what was kept."""
        self.beside.clear()
        self.kept.close()

    def submit(self, count: int) -> list[str]:
        """So many new drafts."""
        return [self.client.submit(f"https://{next(self.hosts)}/") for _ in range(count)]

    def jobs(self, drafts: Sequence[str]) -> list[tuple[Any, ...]]:
        """Their jobs: key, state, attempt, the draft's status, how often it was written."""
        return self.service.query(JOBS, [list(drafts)])

    def unfinished(self, drafts: Sequence[str]) -> int:
        """How many are neither ready nor failed, or have a job that does not know it yet."""
        rows = self.jobs(drafts)
        return sum(row[3] in {"crawling", "drafting"} or row[1] in {"queued", "running"} for row in rows)

    def running(self, drafts: Sequence[str]) -> int:
        """How many are being worked on, as far as the table knows."""
        return sum(row[1] == "running" for row in self.jobs(drafts))

    def wait(self, drafts: Sequence[str]) -> float:
        """Wait until all have ended; gives the seconds."""
        began = time.monotonic()
        wait_for(lambda: self.unfinished(drafts) == 0, patience=PATIENCE, every=0.5)
        return time.monotonic() - began

    def verdict(self, drafts: Sequence[str]) -> tuple[str, bool]:
        """Whether every draft is ready and was written once."""
        rows = self.jobs(drafts)
        ready = sum(row[3] == "ready" for row in rows)
        once = sum(row[1:2] + row[4:5] == ("done", 1) for row in rows)
        words = f"{ready} of {len(drafts)} ready, {once} written once"
        if left := self.unfinished(drafts):
            words += f", {left} still to be written when patience ended"
        return words, ready == once == len(drafts)

    def restart_database(self) -> None:
        """What operators do most often, and what every drill begins with: connections kept from before are dead."""
        before = {process.pid for process in self.service.group("postgres")}
        self.service.kill_group("postgres")
        wait_for(
            lambda: (
                self.service.group("postgres")
                and self.service.group("postgres")[0].pid not in before
                and self.service.is_ready()
                and self.has_recovered()
            ),
            patience=PATIENCE,
        )

    def has_recovered(self) -> bool:
        """Whether each web process has the database again: new connections come to one or the other by chance."""
        http = self.client.http
        fresh = {**http.headers, "Connection": "close"}
        return all(http.get("/me", headers=fresh).status_code == 200 for _ in range(FRESH))


def answered(answer: httpx2.Response) -> str:
    """Its status; a 503 that does not say when to come back is no 503 here."""
    lacks = answer.status_code == 503 and "retry-after" not in answer.headers
    return f"{answer.status_code}{' without Retry-After' if lacks else ''}"


def asked_of_a_tool(http: httpx2.Client) -> str:
    """The status of a call of a tool, which stands in its result."""
    answer = http.post("/mcp", json=SEARCH, headers=MCP_HEADERS)
    if answer.status_code != 200:
        return answered(answer)
    return str(answer.json()["result"]["structuredContent"].get("status", 200))


@dataclass
class Probe:
    """Somebody who asks for answers, pages, a tool and metrics, each every so many seconds, and notes how that goes."""

    site: str
    every: float = 1.0
    headers: dict[str, str] = field(default_factory=dict)
    statuses: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0
    slowest: str = ""

    def ask(self, http: httpx2.Client, path: str) -> None:
        """One request."""
        began = time.monotonic()
        try:
            status = asked_of_a_tool(http) if path == "/mcp" else answered(http.get(path))
        except httpx2.HTTPError as error:
            status = type(error).__name__
        seconds = time.monotonic() - began
        with self._lock:
            self.statuses[status] += 1
            if seconds > self.longest:
                self.longest, self.slowest = seconds, path

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def running(self) -> Iterator["Probe"]:
        """Ask until the block ends, for each path in a thread of its own."""
        ends = threading.Event()

        def ask_on(path: str) -> None:
            with httpx2.Client(base_url=self.site, headers=self.headers, timeout=60, trust_env=False) as http:
                while not ends.wait(self.every):
                    self.ask(http, path)

        threads = [threading.Thread(target=ask_on, args=(path,)) for path in PROBED]
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            ends.set()
            for thread in threads:
                thread.join()

    def bad(self, *allowed: str) -> int:
        """How many answers were neither what was asked for, nor the way there, nor one of these."""
        good = {"200", "302", *allowed}
        return sum(number for status, number in self.statuses.items() if status not in good)

    def __str__(self) -> str:
        found = ", ".join(f"{number} x {status}" for status, number in sorted(self.statuses.items()))
        return f"{found}, longest {self.longest:.1f} s ({self.slowest})"


@contextmanager
def disturbed(*, sites: int) -> Iterator[Drill]:
    """A service of its own, and sites that take their time."""
    hosts = [f"t{number}.test" for number in range(sites)]
    with throwaway_folder() as folder, Website() as website:
        fill_slowly(website, seconds=ANSWER_SECONDS)
        resolve = ",".join(f"{host}={address}:{at}" for host, (address, at) in website.at(*hosts).items())
        environment = {"CRAWL_RESOLVE": resolve, "RATE_LIMIT_FACTOR": "100"}
        service = Service(folder, paths.free_port(), environment)
        with running(service):
            drill = Drill(service, service.client(), iter(hosts), website)
            try:
                yield drill
            finally:
                drill.let_go()


@contextmanager
def running(service: Service) -> Iterator[None]:
    """Start a service; it has ended afterwards."""
    try:
        service.start()
        yield
    finally:
        try:
            service.stop()
        except subprocess.TimeoutExpired:  # the drill's outcome says what went wrong; nobody may stay
            kill_all(service.family())


@contextmanager
def second_service(drill: Drill, *, folder: Path | None = None, **environment: str) -> Iterator[Drill]:
    """Another service for the same sites, in a data folder of its own, for what would harm the first one."""
    with ExitStack() as stack:
        place = folder or stack.enter_context(throwaway_folder())
        service = Service(place, paths.free_port(), {**drill.service.environment, **environment})
        stack.enter_context(running(service))
        yield Drill(service, service.client(), drill.hosts, drill.website)
