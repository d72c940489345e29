"""robots.txt as RFC 9309 has it: what a site lets us read, and how fast."""

import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

from protego import Protego

from core.fetch import Fetched, Fetcher, FetchError, join_url, split_url

MAX_BYTES = 512_000
FRESH_FOR = timedelta(hours=24)
DAY_SECONDS = 86400

_AGENT = re.compile(r"\s*user[- ]?agent\s*[:\s]\s*(.*)", re.IGNORECASE)
_RULE = re.compile(r"\s*(?:allow|diss?all?ow|diasllow|disallaw)\b", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z_-]+")


@dataclass(frozen=True, kw_only=True)
class RobotsFile:
    """What a site's robots.txt said, in a form that may be kept and used again while it is fresh.

    `open` = there is none (4xx), everything may be read. `closed` = it could not be had (5xx, 429, time-out),
    so nothing may be read; `problem` says why: a FetchError code, or the status.
    """

    origin: str
    state: Literal["rules", "open", "closed"]
    fetched_at: datetime
    text: str = ""
    problem: str = ""

    def is_fresh(self, *, at: datetime) -> bool:
        """Whether the file may still be used instead of asking again."""
        return self.state != "closed" and at - self.fetched_at < FRESH_FOR


class Robots:
    def __init__(self, file: RobotsFile, *, token: str) -> None:
        self.file = file
        self._token = token
        self._rules = Protego.parse(for_token(file.text, token=token))

    def allows(self, url: str) -> bool:
        """Whether this page may be fetched. robots.txt itself always may."""
        if self.file.state == "closed":
            return split_url(url).path == "/robots.txt"
        return self._rules.can_fetch(url, self._token)

    @property
    def delay(self) -> float:
        """The seconds the site asks us to leave between two requests."""
        rate = self._rules.request_rate(self._token)
        spread = min(rate.seconds, DAY_SECONDS) / rate.requests if rate else 0.0
        return max(self._rules.crawl_delay(self._token) or 0.0, spread)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        joined = (join_url(f"{self.file.origin}/", address) for address in self._rules.sitemaps)
        return tuple(filter(None, joined))


def origin_of(url: str) -> str:
    parts = split_url(url)
    return f"{parts.scheme}://{parts.netloc}"


def read_robots(origin: str, *, fetcher: Fetcher, at: datetime, seconds: float) -> RobotsFile:
    """Ask for the file and give the answer the meaning the RFC gives it. Raises nothing."""
    try:
        answer = fetcher.get(f"{origin}/robots.txt", max_bytes=MAX_BYTES, timeout=seconds)
    except FetchError as error:
        if error.partial is not None:
            # The RFC lets us stop reading at 500 KiB and use what we have.
            return _judge(origin, error.partial)
        if error.code == "too_many_redirects":
            return RobotsFile(origin=origin, state="open", fetched_at=at, problem=error.code)
        return RobotsFile(origin=origin, state="closed", fetched_at=at, problem=error.code)
    return _judge(origin, answer)


def _judge(origin: str, answer: Fetched) -> RobotsFile:
    status, at = answer.status, answer.fetched_at
    if status >= 500 or status == 429:
        return RobotsFile(origin=origin, state="closed", fetched_at=at, problem=str(status))
    text = answer.body[:MAX_BYTES].decode("utf-8-sig", errors="replace").replace("\0", "")
    if not 200 <= status < 300 or text.lstrip().startswith("<"):
        return RobotsFile(origin=origin, state="open", fetched_at=at, problem=str(status))
    return RobotsFile(origin=origin, state="rules", fetched_at=at, text=text)


def for_token(text: str, *, token: str) -> str:
    """The same rules with the three things put right in which Protego differs from the RFC.

    A byte-order mark hides the first line; an unknown line between two User-agent lines splits their group;
    an agent is matched as a part of our token instead of as a whole.
    """
    lines: list[str] = []
    pending: list[str] = []
    is_naming = False
    for line in text.removeprefix("\ufeff").splitlines():
        bare = line.partition("#")[0]
        if agent := _AGENT.match(bare):
            lines.append(f"User-agent: {_agent_name(agent[1], token)}")
            is_naming = True
        elif is_naming and not _RULE.match(bare):
            pending.append(bare)
        else:
            lines += [*pending, bare]
            pending, is_naming = [], False
    return "\n".join([*lines, *pending])


def _agent_name(value: str, token: str) -> str:
    if value.strip() == "*":
        return "*"
    named = _TOKEN.match(value.strip())
    return token if named and named[0].lower() == token.lower() else "another-robot"


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
