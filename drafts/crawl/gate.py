"""Keeps the robots.txt of every host a crawl meets, and lets nothing through that one of them closes."""

import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from core.fetch import Fetcher
from drafts.crawl.robots import Robots, RobotsFile, origin_of, read_robots


class ClosedError(Exception):
    """robots.txt closes this page."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class Gate:
    """Asks each origin for its rules once. Used by several threads."""

    def __init__(
        self,
        *,
        fetcher: Fetcher,
        token: str,
        seconds: float,
        ends_at: float,
        known: Mapping[str, RobotsFile],
    ) -> None:
        self._fetcher = fetcher
        self.token = token
        self._seconds = seconds
        self._ends_at = ends_at
        self._files = dict(known)
        self._robots: dict[str, Robots] = {}
        self._lock = threading.Lock()

    @property
    def files(self) -> tuple[RobotsFile, ...]:
        """Every file that was asked for or given."""
        return tuple(robots.file for robots in self._robots.values())

    def of(self, url: str) -> Robots:
        """The rules that hold for this page."""
        origin = origin_of(url)
        with self._lock:
            if origin not in self._robots:
                self._robots[origin] = Robots(self._file(origin), token=self.token)
            return self._robots[origin]

    def check(self, url: str) -> None:
        """Raises ClosedError when the page may not be fetched."""
        if not self.of(url).allows(url):
            raise ClosedError(url)

    def _file(self, origin: str) -> RobotsFile:
        now = datetime.now(UTC)
        known = self._files.get(origin)
        if known is not None and known.is_fresh(at=now):
            return known
        seconds = min(self._seconds, self._ends_at - time.monotonic())
        return read_robots(origin, fetcher=self._fetcher, at=now, seconds=seconds)
