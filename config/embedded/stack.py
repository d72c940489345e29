"""What runs: servers of our own unless named, the web server and the two workers."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from config import environment as env
from config.embedded import output, paths, processes
from config.embedded.address import Address
from config.embedded.output import say
from config.embedded.paths import ROOT, CannotRunError
from config.embedded.postgres_server import SERVICE, PostgresServer
from config.embedded.redis_server import RedisServer
from config.embedded.supervisor import Program, Stage, Supervisor

MB = 2**20
SHARE, LEAST, MOST = 4, 64, 2048  # a quarter of the machine, in MB: the web and the workers are on it, too
CGROUPS = Path("/sys/fs/cgroup")
WORKER = ["config.work", "--without-gossip", "--without-mingle"]
PROGRAMS = {
    "web": ["config.serve"],
    # Strangers' websites: processes, because what hangs or swells is killed alone; none while idle.
    "crawler": [*WORKER, "--hostname", "crawler@%h", "--queues", "crawl,ai", "--autoscale", "4,0"],
    # What must not wait behind a crawl: short work that has time-outs of its own, so threads will do.
    "worker": [
        *(*WORKER, "--hostname", "worker@%h", "--queues", "payments,mail,default"),
        *("--pool", "threads", "--concurrency", "8"),
    ],
}
ENVIRONMENT = {
    "PYTHONUNBUFFERED": "1",
    "CELERY_SKIP_CHECKS": "1",  # they would load every address and page into the workers, 15 MB each
    "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",  # `make up` says so, once
}
BEHIND_WEB = ("worker", "crawler")  # they would slow the web server's start; their work waits in rows
PREPARED_FROM = ("*/migrations/*.py", "config/static/**/*", "requirements/base.lock")
PREPARED = "prepared"
TRIES_BEFORE_READY = 5
READY_PATIENCE = 180.0


@dataclass
class Stack:
    folder: Path
    address: Address
    supervisor: Supervisor

    def start(self) -> None:
        """Start everything. What only a new release needs is skipped when this one was prepared before."""
        self._check_settings()
        check_named_servers()
        self._start_servers()
        if not self._is_prepared():
            self._run_command("prepare")
            self._run_command("first_steps")
            (self.folder / PREPARED).write_text(self._origin())
        self._start_service("web")
        self._wait_ready()
        for name in BEHIND_WEB:
            self._start_service(name)
        if not output.key_works(self.folder, address=self.address):
            self._run_command("first_steps")

    def _check_settings(self) -> None:
        """Say once what no program would start with, before anything runs. Settings are large, so others read them."""
        command = [sys.executable, "-m", "config.refusals"]
        done = subprocess.run(  # noqa: S603
            command, cwd=ROOT, env=self._environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise CannotRunError(done.stderr.strip())

    def _start_servers(self) -> None:
        if not env.text("REDIS_URL"):
            redis = RedisServer(paths.places(self.folder))
            redis.claim_port()
            self.supervisor.run(Program(name="redis", stage=Stage.BROKER, start=_noting(redis)))
            redis.wait_ready()
        if not env.text("DATABASE_URL"):
            postgres = PostgresServer(paths.places(self.folder), tuning=tuning())
            self.supervisor.run(
                Program(
                    name="postgres", stage=Stage.DATABASE, start=_noting(postgres), farewell=signal.SIGINT
                )
            )
            postgres.wait_ready()

    def _start_service(self, name: str) -> None:
        self.supervisor.run(self._python(name, ["-m", *PROGRAMS[name]]))

    def _run_command(self, name: str) -> None:
        if self.supervisor.run_to_end(self._python(name, ["manage.py", name])):
            raise CannotRunError(f"`manage.py {name}` failed; its lines above say why.")

    def _is_prepared(self) -> bool:
        try:
            return (self.folder / PREPARED).read_text() == self._origin()
        except FileNotFoundError:
            return False

    def _origin(self) -> str:
        """A hash of all that preparing depends on, the database included."""
        result = hashlib.sha256((env.text("DATABASE_URL") or paths.database_url(self.folder)).encode())
        for pattern in PREPARED_FROM:
            for path in sorted(path for path in ROOT.glob(pattern) if path.is_file()):
                result.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
        return result.hexdigest()

    def _wait_ready(self) -> None:
        web = next(program for program in self.supervisor.programs if program.name == "web")
        patience_ends_at = time.monotonic() + READY_PATIENCE

        def is_ready() -> bool:
            if web.deaths >= TRIES_BEFORE_READY:
                raise CannotRunError("The web server ends again and again; its lines above say why.")
            if time.monotonic() > patience_ends_at:
                (self.folder / PREPARED).unlink(
                    missing_ok=True
                )  # if the database went back in time, this heals it
                raise CannotRunError(
                    f"After {READY_PATIENCE:.0f} s the service was not ready. Start it again."
                )
            return self.address.answers("/readyz")

        self.supervisor.check_until(is_ready)

    @property
    def _environment(self) -> dict[str, str]:
        own = {"DATA_DIR": str(self.folder), "HOST": self.address.host, "PORT": str(self.address.port)}
        if not env.text("LOG_FORMAT"):
            own["LOG_FORMAT"] = "console" if sys.stdout.isatty() else "json"
        return os.environ | ENVIRONMENT | own

    def _python(self, name: str, arguments: list[str]) -> Program:
        def start() -> subprocess.Popen[bytes]:
            command = [sys.executable, *arguments]
            return processes.spawn(
                command, folder=ROOT, output=subprocess.PIPE, environment=self._environment
            )

        return Program(name=name, stage=Stage.SERVICE, start=start)


def check_named_servers() -> None:
    """Look at what DATABASE_URL and REDIS_URL name, in a process of its own: its libraries are large."""
    if not (env.text("DATABASE_URL") or env.text("REDIS_URL")):
        return
    command = [sys.executable, "-m", "config.embedded.checks"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise CannotRunError(done.stderr.strip())


def _noting(server: PostgresServer | RedisServer) -> Callable[[], subprocess.Popen[bytes]]:
    """Start a server and print what it noted on the way."""

    def start() -> subprocess.Popen[bytes]:
        process = server.start()
        while server.notes:
            say("up", server.notes.pop(0))
        return process

    return start


def tuning() -> dict[str, str]:
    machine = usable() // MB
    buffers = _configured() or min(MOST, max(LEAST, machine // SHARE))
    return SERVICE | {
        "shared_preload_libraries": "pg_prewarm",  # reads after a start what was in memory before it
        "shared_buffers": f"{buffers}MB",
        "wal_buffers": "4MB",  # 16 by itself, which two of its processes then hold
        "effective_cache_size": f"{max(buffers, machine // 2)}MB",
        "maintenance_work_mem": f"{min(512, max(64, buffers // 4))}MB",
        "max_wal_size": f"{min(1024, max(512, buffers))}MB",
    }


def _configured() -> int:
    text = env.text("DATABASE_MEMORY")
    if text and not (text.isdecimal() and int(text) >= LEAST // 4):
        raise CannotRunError(f"DATABASE_MEMORY is {text!r}; use a whole number of MB from {LEAST // 4} up.")
    return int(text or 0)


def usable() -> int:
    """Bytes of memory: the machine's, or less where a container or a service manager allows less."""
    return min([psutil.virtual_memory().total, *_limits()])


def _limits() -> Iterator[int]:
    for file in (*_files_of_our_group(), CGROUPS / "memory" / "memory.limit_in_bytes"):
        try:
            yield int(file.read_text())
        except (OSError, ValueError):  # there is none, or it says "max"
            continue


def _files_of_our_group() -> Iterator[Path]:
    """The limits of our control group and of those around it, nearest first."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        if line.startswith("0::"):
            own = CGROUPS / line.removeprefix("0::").strip("/")
            yield from (step / "memory.max" for step in (own, *own.parents) if step.is_relative_to(CGROUPS))
