"""`make up`, started for real: ready soon, back after every kill, gone when told to go."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import psutil
import pytest

from config.embedded import paths, processes
from config.serve import WORKERS, listening
from tests.servers.folders import throwaway_folder
from tests.waiting import LONG

pytestmark = pytest.mark.journey
REFUSAL, STOP, COME_BACK = 60, 45, 60  # seconds, on a machine that runs other tests beside this one


@dataclass
class Service:
    """A running `make up`, and what it printed so far."""

    folder: Path
    port: int
    process: subprocess.Popen[str]
    printed: list[str] = field(default_factory=list)

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def wait_ready(self) -> None:
        """Read until the last line of the welcome."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed.append(line)
            if line.startswith("Everything is kept in"):
                return
        pytest.fail("".join(self.printed))

    def find(self, pattern: str) -> str:
        """Something that was printed."""
        found = re.search(pattern, "".join(self.printed))
        assert found, "".join(self.printed)
        return found.group(1)

    def child(self, words: str) -> psutil.Process:
        """The direct child whose command line holds these words."""
        return next(self._children(words))

    def has_child(self, words: str) -> bool:
        """Whether such a child runs."""
        return any(self._children(words))

    def _children(self, words: str) -> Iterator[psutil.Process]:
        for child in psutil.Process(self.process.pid).children():
            with contextlib.suppress(psutil.Error):  # of one that was killed and is not buried yet
                if words in " ".join(child.cmdline()):
                    yield child

    def family(self) -> list[psutil.Process]:
        """The supervisor and all below it."""
        own = psutil.Process(self.process.pid)
        return [own, *own.children(recursive=True)]

    def web_processes(self) -> list[psutil.Process]:
        """Those that take requests."""
        return listening(self.child("config.serve").pid, port=self.port)

    def checks(self) -> dict[str, str]:
        """What it says of its parts; nothing while it is not ready."""
        try:
            answer = httpx2.get(f"{self.site}/readyz", timeout=10, verify=False)
        except httpx2.HTTPError:
            return {}
        return answer.json()["checks"] if answer.status_code == 200 else {}

    def is_ready(self) -> bool:
        """Whether database, Redis and web are there."""
        return self.checks().get("redis") == "ok"


def start(folder: Path, port: int) -> Service:
    """Run what `make up` runs."""
    named = {"DATABASE_URL", "REDIS_URL", "DATA_DIR", "SITE_URL", "HOST", "DJANGO_SETTINGS_MODULE"}
    environment = {name: value for name, value in os.environ.items() if name not in named}
    process = subprocess.Popen(
        [sys.executable, "-m", "config.embedded", "--with-parent"],
        cwd=paths.ROOT,
        env=environment | {"DATA_DIR": str(folder), "PORT": str(port), "DEMO_DATA": "off"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return Service(folder=folder, port=port, process=process)


def stop(service: Service) -> list[psutil.Process]:
    """Stop it as Ctrl-C does; gives whoever is still there."""
    family = service.family()
    service.process.send_signal(signal.SIGINT)
    service.process.communicate(timeout=STOP)
    return psutil.wait_procs(family, timeout=LONG)[1]  # orphans wait for whoever buries them


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with throwaway_folder() as made:
        yield made


@pytest.fixture(scope="module")
def first(folder: Path) -> Service:
    """The first start of a data folder, stopped again: what it printed is what a newcomer reads."""
    service = start(folder, paths.free_port())
    try:
        service.wait_ready()
        # what was shown is forgotten right after; whoever stops it in between is shown the password once more
        kept = folder / "first-steps.json"
        assert processes.wait_until(lambda: '"password"' not in kept.read_text(), patience=COME_BACK)
    finally:
        left = stop(service)
    assert (service.process.returncode, left) == (0, [])
    return service


@pytest.fixture(scope="module")
def service(folder: Path, first: Service) -> Iterator[Service]:
    """The second start, for all tests."""
    running = start(folder, first.port)
    try:
        running.wait_ready()
        yield running
    finally:
        if running.process.poll() is None:
            stop(running)


def comes_back(happened: Callable[[], bool]) -> bool:
    """Whether something is so before patience ends."""
    return processes.wait_until(happened, patience=COME_BACK)


def test_what_is_printed_opens_the_site(first: Service, service: Service) -> None:
    key = service.find(r"API key +(plk_\S+)")
    account = httpx2.get(
        f"{service.site}/api/v1/me", headers={"Authorization": f"Bearer {key}"}, timeout=30
    ).json()

    assert account["email"] == service.find(r"Admin +\S+/admin/ +(\S+@\S+)")
    assert key == first.find(r"API key +(plk_\S+)")
    password = first.find(r"Admin +\S+/admin/ +\S+@\S+ +(\S+)\n")
    assert len(password) == 16
    assert service.find(r"Admin +\S+/admin/ +\S+@\S+ +(\S+) ") == "(password"
    assert password not in (service.folder / "first-steps.json").read_text()
    assert (service.folder / "first-steps.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("words", ["config.serve", "valkey-server", "postgres", "worker@"])
def test_what_is_killed_comes_back(service: Service, words: str) -> None:
    killed = service.child(words)
    killed.kill()
    psutil.wait_procs([killed], timeout=LONG)

    assert comes_back(lambda: service.is_ready() and service.has_child(words))


def test_a_killed_web_worker_is_replaced_while_the_other_answers(service: Service) -> None:
    server = service.child("config.serve")
    # both: what was killed before this came back for one, and the other tells what it saw for a second
    assert comes_back(lambda: len(service.web_processes()) == WORKERS)
    assert comes_back(lambda: all(service.checks() for _ in range(20)))
    service.web_processes()[0].kill()
    # ready, with Redis or without: after an outage a process asks it again only some seconds later
    answers = [bool(service.checks()) for _ in range(20)]

    assert comes_back(lambda: len(service.web_processes()) == WORKERS)
    assert answers.count(True) >= 18
    assert server.is_running()


def test_a_second_start_is_told_that_one_is_running(service: Service) -> None:
    second = start(service.folder, paths.free_port())
    out, _ = second.process.communicate(timeout=REFUSAL)

    assert second.process.returncode == 1
    assert f"is in use by process {service.process.pid}." in out


def test_a_killed_supervisor_hinders_nobody_and_sigterm_stops_all(service: Service) -> None:
    killed = service.family()
    service.process.kill()
    service.process.wait()
    successor = start(service.folder, service.port)
    successor.wait_ready()
    family = successor.family()
    was_ready = comes_back(successor.is_ready)
    successor.process.terminate()
    successor.process.communicate(timeout=STOP)

    assert was_ready
    assert successor.process.returncode == 0
    assert psutil.wait_procs([*killed, *family], timeout=LONG)[1] == []
    assert not (service.folder / "postgres" / "postmaster.pid").exists()
