"""The whole service as `make up` runs it, in a data folder and at a port of its own."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import psutil
import psycopg
import redis

from config.embedded import paths

READY, STOP, GLANCE = 240.0, 45.0, 0.25
OURS = {"DATABASE_URL", "REDIS_URL", "DATA_DIR", "SITE_URL", "HOST", "PORT", "DJANGO_SETTINGS_MODULE"}
UNFINISHED = {"crawling", "drafting"}
Seen = TypeVar("Seen")


def wait_for(look: Callable[[], Seen], *, patience: float, every: float = GLANCE) -> Seen:
    """Look again and again until something true is seen; fails with what was seen last."""
    ends = time.monotonic() + patience
    while not (seen := look()):
        if time.monotonic() > ends:
            raise TimeoutError(f"After {patience:.0f} s still {seen!r}.")
        time.sleep(every)
    return seen


def kill_all(processes: Sequence[psutil.Process]) -> None:
    """Kill them all at once and wait until none runs; who has to bury orphans may take seconds to do so."""
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    wait_for(lambda: all(map(_has_ended, processes)), patience=STOP, every=0.01)


def _has_ended(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@dataclass
class Service:
    """A running `make up`, told apart from all others by its data folder."""

    folder: Path
    port: int
    environment: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    @property
    def site(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """What it printed."""
        return self.folder / "service.log"

    def start(self) -> None:
        """Run it and wait until web, database and Redis are there."""
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.embedded", "--with-parent"],
                cwd=paths.ROOT,
                env=self.environ(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            wait_for(self.is_ready, patience=READY)
        except TimeoutError as error:
            raise RuntimeError(self.log.read_text()[-4000:]) from error
        wait_for(lambda: self.group("crawler@"), patience=READY)

    def stop(self) -> tuple[int, list[psutil.Process]]:
        """Ask it to end as an operator's system does; gives its exit code and whoever is left."""
        assert self.process is not None
        if self.process.poll() is not None:
            return self.process.returncode, []
        family = self.family()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(STOP)
        return code, psutil.wait_procs(family, timeout=STOP)[1]

    def is_ready(self) -> bool:
        """Whether it says so itself."""
        assert self.process is not None
        if self.process.poll() is not None:
            raise RuntimeError(self.log.read_text()[-4000:])
        try:
            answer = httpx2.get(f"{self.site}/readyz", timeout=2, verify=False, trust_env=False)
        except httpx2.HTTPError:
            return False
        return answer.status_code == 200

    def command(self, *words: str) -> str:
        """What a management command prints."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=paths.ROOT,
            env=self.environ(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-4000:])
        return done.stdout.strip()

    def client(self, email: str = "maker@people.example") -> "Client":
        """The API, as a person with a key of their own sees it."""
        return Client(site=self.site, key=self.command("create_api_key", email))

    def family(self) -> list[psutil.Process]:
        """The supervisor and all below it."""
        assert self.process is not None
        own = psutil.Process(self.process.pid)
        return [own, *own.children(recursive=True)]

    def group(self, words: str) -> list[psutil.Process]:
        """The program whose command line holds these words, and its children."""
        assert self.process is not None
        for child in psutil.Process(self.process.pid).children():
            with contextlib.suppress(psutil.NoSuchProcess):  # or it has ended and is not buried yet
                if words in " ".join(child.cmdline()):
                    return [child, *child.children(recursive=True)]
        return []

    def kill_group(self, words: str) -> int:
        """Kill a program and all its children at once, without a word; gives how many they were."""
        found = self.group(words)
        kill_all(found)
        return len(found)

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Rows of its database."""
        address = paths.database_url(self.folder).replace("postgres://", "postgresql://", 1)
        with psycopg.connect(address) as connection:
            return connection.execute(sql, values).fetchall()

    def flush_redis(self) -> None:
        """Empty Redis: every hint, limit and cached answer is gone."""
        with redis.Redis.from_url(paths.redis_url(self.folder)) as client:
            client.flushall()

    def environ(self) -> dict[str, str]:
        """What its programs and commands are started with."""
        kept = {name: value for name, value in os.environ.items() if name not in OURS}
        own = {
            "DATA_DIR": str(self.folder),
            "PORT": str(self.port),
            "DEMO_DATA": "off",
            "LOG_LEVEL": "WARNING",
        }
        return kept | own | dict(self.environment)


class Client:
    """Calls the API over HTTP with one key."""

    def __init__(self, *, site: str, key: str) -> None:
        self.http = httpx2.Client(
            base_url=f"{site}/api/v1", headers={"Authorization": f"Bearer {key}"}, timeout=60, trust_env=False
        )

    def call(self, method: str, path: str, body: Any = None, *, status: int = 200) -> dict[str, Any]:
        """The body of an answer that must have this status."""
        answer = self.http.request(method, path, json=body)
        if answer.status_code != status:
            raise AssertionError(f"{method} {path}: {answer.status_code} {answer.text[:2000]}")
        found: dict[str, Any] = answer.json()
        return found

    def submit(self, url: str) -> str:
        """The id of a new draft."""
        identifier: str = self.call("POST", "/drafts", {"url": url}, status=201)["id"]
        return identifier

    def draft(self, identifier: str) -> dict[str, Any]:
        """A draft as it stands."""
        return self.call("GET", f"/drafts/{identifier}")

    def ended(
        self, identifiers: Iterable[str], *, patience: float, every: float = GLANCE
    ) -> dict[str, dict[str, Any]]:
        """Wait until every draft is ready or has failed, and give them all."""
        left, found = set(identifiers), dict[str, dict[str, Any]]()

        def look() -> bool:
            for identifier in sorted(left):
                draft = self.draft(identifier)
                if draft["status"] in UNFINISHED:
                    break
                found[identifier] = draft
                left.discard(identifier)
            return not left

        try:
            wait_for(look, patience=patience, every=every)
        except TimeoutError as error:
            raise TimeoutError(
                f"{len(left)} unfinished: {json.dumps(self.draft(min(left))['progress'])}"
            ) from error
        return found
