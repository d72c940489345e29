"""What runs: servers of our own unless named, the web server, the worker and the clock of periodic work."""

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from config import environment as env
from config.embedded import paths, processes
from config.embedded.address import Address
from config.embedded.errors import CannotRunError
from config.embedded.output import say
from config.embedded.paths import ROOT
from config.embedded.postgres_server import PostgresServer
from config.embedded.redis_server import RedisServer
from config.embedded.supervisor import Program, Stage, Supervisor

THREADS = 8
WEB = [
    *("granian", "--interface", "wsgi", "--http", "1", "--no-ws", "--log-level", "warning"),
    *("--workers", "2", "--respawn-failed-workers", "--workers-kill-timeout", "20"),
    *("--blocking-threads", str(THREADS), "--backpressure", str(THREADS * 4)),
]
CELERY = ["celery", "-A", "config"]
WORKER = [
    *(*CELERY, "worker", "--hostname", "worker@%h", "--without-gossip", "--without-mingle"),
    *("--queues", "crawl,ai,mail,payments,default", "--autoscale", "4,1"),
]
BEAT = [*CELERY, "beat", "--pidfile", ""]
PREPARED_FROM = ("*/migrations/*.py", "config/static/**/*", "requirements/base.lock")
TRIES_BEFORE_READY = 5


@dataclass
class Stack:
    """Everything of one data folder, at one address."""

    folder: Path
    address: Address
    supervisor: Supervisor

    def start(self) -> None:
        """Start everything; the service waits for the preparation only when this release is new here."""
        check_named_servers()
        self._start_servers()
        if self._is_prepared():
            self._start_service()
            self._run_command("first_steps")
        else:
            self._run_command("prepare")
            (self.folder / "prepared").write_text(self._origin())
            self._start_service()
        self.supervisor.look_until(self._is_ready)

    def _start_servers(self) -> None:
        place = paths.places(self.folder)
        if not env.text("REDIS_URL"):
            redis = RedisServer(place)
            redis.claim_port()
            self.supervisor.run(Program(name="redis", stage=Stage.BROKER, start=_noting(redis)))
            redis.wait_ready()
        if not env.text("DATABASE_URL"):
            postgres = PostgresServer(place)
            self.supervisor.run(
                Program(
                    name="postgres", stage=Stage.DATABASE, start=_noting(postgres), farewell=signal.SIGINT
                )
            )
            postgres.wait_ready()

    def _start_service(self) -> None:
        host, port = self.address.host, str(self.address.port)
        web = [*WEB, "--host", host, "--port", port, "config.wsgi:application"]
        for name, command in (("web", web), ("worker", WORKER), ("beat", BEAT)):
            self.supervisor.run(self._python(name, ["-m", *command]))

    def _run_command(self, name: str) -> None:
        if self.supervisor.run_to_end(self._python(name, ["manage.py", name])):
            raise CannotRunError(f"`manage.py {name}` failed; its lines above say why.")

    def _is_prepared(self) -> bool:
        try:
            return (self.folder / "prepared").read_text() == self._origin()
        except FileNotFoundError:
            return False

    def _origin(self) -> str:
        """A hash of all that preparing depends on, the database included."""
        found = hashlib.sha256((env.text("DATABASE_URL") or paths.database_url(self.folder)).encode())
        for pattern in PREPARED_FROM:
            for path in sorted(path for path in ROOT.glob(pattern) if path.is_file()):
                found.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
        return found.hexdigest()

    def _is_ready(self) -> bool:
        web = next(program for program in self.supervisor.programs if program.name == "web")
        if web.deaths >= TRIES_BEFORE_READY:
            raise CannotRunError("The web server ends again and again; its lines above say why.")
        return self.address.is_ready()

    def _python(self, name: str, arguments: list[str]) -> Program:
        environment = os.environ | {"DATA_DIR": str(self.folder), "PYTHONUNBUFFERED": "1"}

        def start() -> subprocess.Popen[bytes]:
            command = [sys.executable, *arguments]
            return processes.spawn(command, folder=ROOT, output=subprocess.PIPE, environment=environment)

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
