"""Keeps the robots.txt of every host a crawl meets, and lets nothing through that one of them closes."""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.fetch import Fetcher
from drafts.crawl.robots import Robots, RobotsFile, origin_of, read_robots


class ClosedError(Exception):
    """robots.txt closes the page of this address."""


@dataclass(kw_only=True)
class Gate:
    """Asks each origin for its rules once; `known` are files from before. Used by several threads."""

    fetcher: Fetcher
    token: str
    seconds: float
    ends_at: float
    robots_files: Mapping[str, RobotsFile]
    _robots: dict[str, Robots] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    @property
    def files(self) -> tuple[RobotsFile, ...]:
        """Every file that was asked for or given."""
        return tuple(robots.file for robots in self._robots.values())

    def of(self, url: str) -> Robots:
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
        existing = self.robots_files.get(origin)
        if existing is not None and existing.is_fresh(at=now):
            return existing
        seconds = min(self.seconds, self.ends_at - time.monotonic())
        return read_robots(origin, fetcher=self.fetcher, at=now, seconds=seconds)
