"""The Redis of a data folder, which is a Valkey: started, made ready and stopped."""

import os
import shutil
import signal
import socket
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded import paths, processes
from config.embedded.output import log_opened, log_tail
from config.embedded.paths import CannotRunError, Places

START = 60.0
STOP = 5.0
PROGRAMS = ("valkey-server", "redis-server")  # the second ran in data folders of earlier releases
JOURNALS = ("appendonlydir/appendonly.aof.manifest", "appendonly.aof")  # the second is theirs
# Without a preamble, as the checker of journals takes Valkey's own for damage.
CONFIGURATION = """# Written anew at every start.
bind 127.0.0.1
port {port}
requirepass {password}
dir ./
appendonly yes
appendfsync everysec
aof-use-rdb-preamble no
save ""
maxmemory 128mb
maxmemory-policy volatile-lru
databases 16
loglevel notice
"""


@dataclass
class RedisServer:
    place: Places
    notes: list[str] = field(default_factory=list)
    process: subprocess.Popen[bytes] | None = None

    def claim_port(self) -> None:
        """Before the first start: take another port when somebody else listens on ours, and write it down."""
        if self._heard() and not self.answers():
            taken = self.place.redis_port
            self.place = paths.with_new_port(self.place)
            paths.save(self.place)
            self.notes.append(f"port {taken} is taken, so Redis moved to port {self.place.redis_port}")

    def start(self) -> subprocess.Popen[bytes]:
        folder = self.place.redis_dir
        folder.mkdir(mode=0o700, exist_ok=True)
        left = [process for program in PROGRAMS for process in processes.holders(program, folder)]
        if left:
            processes.end(left, farewell=signal.SIGTERM, patience=STOP)
            self.notes.append("stopped a Redis that an earlier run left behind")
        self._mend()
        configuration = folder / "redis.conf"
        configuration.unlink(missing_ok=True)
        configuration.touch(mode=0o600)
        port, password = self.place.redis_port, self.place.redis_password
        configuration.write_text(CONFIGURATION.format(port=port, password=password))
        with log_opened(self.log) as output:
            self.process = processes.spawn(
                [paths.redis_server(), configuration],
                folder=folder,
                output=output,
                environment={"LC_ALL": "C", "PATH": os.defpath},
            )
        return self.process

    @property
    def log(self) -> Path:
        return self.place.data_dir / "redis.log"

    def wait_ready(self) -> None:
        settled = processes.wait_until(lambda: self.answers() or self._is_gone(), patience=START)
        if not settled or self._is_gone():
            raise CannotRunError(
                f"Redis did not start in {self.place.redis_dir}. Its last lines:\n{log_tail(self.log)}\n"
                "Set REDIS_URL to use another server."
            )

    def answers(self) -> bool:
        """Whether our Redis, and not another one, answers at its port."""
        question = f"AUTH {self.place.redis_password}\r\nPING\r\n".encode()
        try:
            with socket.create_connection(self._address(), timeout=1) as connection:
                connection.sendall(question)
                return connection.recv(5) + connection.recv(7) == b"+OK\r\n+PONG\r\n"
        except OSError:
            return False

    def stop(self) -> None:
        """Write the append-only file out and end."""
        if self.process:
            processes.stop(self.process, farewell=signal.SIGTERM, patience=STOP)
            self.process = None

    def _mend(self) -> None:
        """Cut a damaged append-only file after its last good line; open work is in the database, not here."""
        for journal in (self.place.redis_dir / name for name in JOURNALS):
            if journal.exists() and not (_is_whole(journal) and self._could_mend(journal)):
                self._set_aside(journal)

    def _could_mend(self, journal: Path) -> bool:
        if not journal.stat().st_size:  # the checker refuses an empty one
            return True
        checked = subprocess.run(  # noqa: S603 the server is its own checker when it is called by this name
            ["valkey-check-aof", "--fix", journal],  # noqa: S607
            executable=paths.redis_server(),
            input=b"y\n",
            capture_output=True,
            check=False,
        )
        return checked.returncode == 0

    def _set_aside(self, journal: Path) -> None:
        """Keep what could not be read beside what is begun anew; only the latest of its kind."""
        name = journal.relative_to(self.place.redis_dir).parts[0]
        broken = self.place.redis_dir / f"{name}.broken"
        shutil.rmtree(broken, ignore_errors=True)
        broken.unlink(missing_ok=True)
        (self.place.redis_dir / name).rename(broken)
        self.notes.append(f"{journal} could not be read and was set aside; no work is lost by that")

    def _heard(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(self._address()) == 0

    def _address(self) -> tuple[str, int]:
        return "127.0.0.1", self.place.redis_port

    def _is_gone(self) -> bool:
        return self.process is None or self.process.poll() is not None


def _is_whole(journal: Path) -> bool:
    """Whether a manifest is one: the checker would cut another text down to nothing."""
    return journal.suffix != ".manifest" or journal.read_bytes().startswith(b"file ")
