"""One PostgreSQL cluster of a data folder: made, started, made ready and stopped."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from config.embedded import paths, processes
from config.embedded.output import log_opened, log_tail
from config.embedded.paths import DATABASE, ROLE, CannotRunError, Places

START = 600.0  # a recovery after a crash may take this long
STOP = 10.0
ADMIN = "postgres"
SOCKET_LOCK = ".s.PGSQL.5432.lock"
ENVIRONMENT = {"LC_ALL": "C", "PATH": os.defpath}
SERVICE = {
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "effective_cache_size": "512MB",
    "max_wal_size": "512MB",
    "huge_pages": "off",
    "io_method": "sync",
    "jit": "off",
    "max_parallel_workers_per_gather": "1",
    "max_logical_replication_workers": "0",
    "log_checkpoints": "off",
    "log_timezone": "UTC",
    "timezone": "UTC",
}
THROWAWAY = SERVICE | {
    "max_connections": "300",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}
ACCESS = f"""# Written anew at every start.
# The operating system vouches for the administrator; everybody else needs the password.
local all,replication {ADMIN} peer map=owner
local all all scram-sha-256
"""
MAKE_READY = f"""
SELECT 'CREATE ROLE {ROLE} LOGIN CREATEDB'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{ROLE}') \\gexec
ALTER ROLE {ROLE} PASSWORD :'password';
SELECT 'CREATE DATABASE {DATABASE} OWNER {ROLE}'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '{DATABASE}') \\gexec
"""  # noqa: S608 constants


@dataclass
class PostgresServer:
    place: Places
    tuning: dict[str, str] = field(default_factory=lambda: dict(SERVICE))
    user: pwd.struct_passwd | None = None
    notes: list[str] = field(default_factory=list)
    process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Make what is missing: the cluster, the socket's folder, the rules of access."""
        self.user = self._user()
        self._explain_user()
        self._clear_leftovers()
        if not self.place.cluster.exists():
            self._make_cluster()
        self._check_version()
        self._write("pg_hba.conf", ACCESS)
        owner = self.user.pw_name if self.user else pwd.getpwuid(os.geteuid()).pw_name
        self._write("pg_ident.conf", f"owner {owner} {ADMIN}\nowner root {ADMIN}\n")
        self._private_folder(self.place.run)

    def start(self) -> subprocess.Popen[bytes]:
        """Start the server as our own child, so that its death is known at once and our death ends it."""
        self.prepare()
        run = str(self.place.run).replace('"', '""')
        settings = self.tuning | {"unix_socket_directories": f'"{run}"', "unix_socket_permissions": "0700"}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        program = paths.postgres_programs(self.place, user=self.user) / "postgres"
        with log_opened(self.log) as output:
            self.process = processes.spawn(
                [program, "-D", self.place.cluster, *options],
                folder=self.place.cluster,
                output=output,
                environment=ENVIRONMENT,
                user=self.user,
                farewell=signal.SIGINT,
            )
        return self.process

    @property
    def log(self) -> Path:
        return self.place.data_dir / "postgres.log"

    def wait_ready(self) -> None:
        """Wait for the server to accept connections, then see to the role, its password and the database."""
        if (
            not processes.wait_until(lambda: self._is_up() or self._is_gone(), patience=START)
            or self._is_gone()
        ):
            raise CannotRunError(
                f"PostgreSQL did not start in {self.place.cluster}. Its last lines:\n{log_tail(self.log)}\n"
                "Set DATABASE_URL to use another server."
            )
        self.psql(MAKE_READY, variables={"password": self.place.password})

    def psql(self, script: str, *, variables: dict[str, str], database: str = "postgres") -> str:
        """Run a script as the administrator; values travel by standard input, not by the command line."""
        settings = "".join(f"\\set {name} '{value}'\n" for name, value in variables.items())
        done = subprocess.run(  # noqa: S603
            [
                paths.client_programs() / "psql",
                *("-XqAt", "-v", "ON_ERROR_STOP=1", "-h", self.place.run, "-U", ADMIN, "-d", database),
            ],
            input=settings + script,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise CannotRunError(
                f"PostgreSQL in {self.place.cluster} refused its administrator: {done.stderr.strip()}"
            )
        return done.stdout.strip()

    def stop(self) -> None:
        if self.process:
            processes.stop(self.process, farewell=signal.SIGINT, patience=STOP)
            self.process = None

    def _user(self) -> pwd.struct_passwd | None:
        """Whoever owns the cluster; for a new one, whom `paths` chooses."""
        cluster = self.place.cluster
        if not os.access(self.place.home, os.X_OK) or not cluster.exists():
            return self._existing_person(paths.server_user(self.place.home))
        owner = cluster.stat().st_uid
        if owner == os.geteuid():
            return self._existing_person(None)
        if os.geteuid() != 0:
            raise CannotRunError(
                f"{cluster} belongs to user {owner}, because it was made as root."
                " Run this as root again, or give another DATA_DIR."
            )
        return pwd.getpwuid(owner)

    def _explain_user(self) -> None:
        if not self.user:
            return
        note = f"PostgreSQL refuses root, so it runs as {self.user.pw_name}"
        if self.place.outside:
            note += (
                f"; that user cannot reach {self.place.data_dir}, so its files are in {self.place.outside}"
            )
        self.notes.append(note)

    def _existing_person(self, user: pwd.struct_passwd | None) -> pwd.struct_passwd | None:
        if user is None:
            try:
                pwd.getpwuid(os.geteuid())
            except KeyError as error:
                raise CannotRunError(
                    f"The user id {os.geteuid()} has no name on this system, and PostgreSQL wants one."
                    " Run this as a user of the system, or set DATABASE_URL."
                ) from error
        return user

    def _clear_leftovers(self) -> None:
        """Stop a server without a supervisor, then remove its pid file and the lock of its socket.

        The pid in them may be another program's by now, and a torn file keeps PostgreSQL from starting. Nobody
        works in the folder any more and we hold the lock, so their absence misleads nobody.
        """
        left = processes.holders("postgres", self.place.cluster)
        masters = [process for process in left if _is_master(process)]
        if masters:
            processes.end(masters, farewell=signal.SIGINT, patience=30)
            self.notes.append(f"stopped a PostgreSQL that an earlier run left behind ({masters[0].pid})")
        processes.end(left, farewell=signal.SIGQUIT, patience=5)
        locks = [self.place.cluster / "postmaster.pid", self.place.run / SOCKET_LOCK]
        if any(lock.exists() for lock in locks):
            self.notes.append("PostgreSQL was not stopped in order last time; it recovers by itself")
        for lock in locks:
            lock.unlink(missing_ok=True)

    def _make_cluster(self) -> None:
        """Make the cluster aside and move it into place: an interrupted start leaves no half of one."""
        fresh = self.place.home / "postgres.new"
        self.place.home.mkdir(parents=True, exist_ok=True)
        if self.user and self.place.outside:
            self.place.home.chmod(0o711)
        shutil.rmtree(fresh, ignore_errors=True)
        self._private_folder(fresh)
        done = subprocess.run(  # noqa: S603
            [
                paths.postgres_programs(self.place, user=self.user) / "initdb",
                *("-D", fresh, "-U", ADMIN, "-A", "peer", "--encoding=UTF8", "--locale=C", "--no-sync"),
                *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-instructions"),
            ],
            cwd=self.place.home,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            user=self.user.pw_uid if self.user else None,
            group=self.user.pw_gid if self.user else None,
            extra_groups=[] if self.user else None,
            check=False,
        )
        if done.returncode:
            raise CannotRunError(f"PostgreSQL could not make its data folder: {done.stderr.strip()}")
        fresh.rename(self.place.cluster)

    def _check_version(self) -> None:
        made_by = (self.place.cluster / "PG_VERSION").read_text().strip()
        if made_by != paths.postgres_major():
            raise CannotRunError(
                f"{self.place.cluster} was made by PostgreSQL {made_by}, and this release brings"
                f" {paths.postgres_major()}. Dump it with the release that made it, move the folder away,"
                " start this one and restore the dump."
            )

    def _private_folder(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        if self.user and folder.stat().st_uid == os.geteuid():
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        result, owner_id = folder.stat(), self.user.pw_uid if self.user else os.geteuid()
        if folder.is_symlink() or result.st_uid != owner_id:
            raise CannotRunError(
                f"{folder} belongs to user {result.st_uid}. Remove it, or give another DATA_DIR."
            )
        folder.chmod(0o700)

    def _write(self, name: str, content: str) -> None:
        path = self.place.cluster / name
        path.write_text(content)
        if self.user:
            os.chown(path, self.user.pw_uid, self.user.pw_gid)

    def _is_up(self) -> bool:
        """PostgreSQL says so itself, in the eighth line of its pid file."""
        try:
            lines = (self.place.cluster / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[7].strip() == "ready"

    def _is_gone(self) -> bool:
        return self.process is None or self.process.poll() is not None


def _is_master(process: psutil.Process) -> bool:
    """Whether this is the server itself: its children call themselves `postgres: <what they do>`."""
    with contextlib.suppress(psutil.Error):
        return not " ".join(process.cmdline()).startswith("postgres:")
    return False
