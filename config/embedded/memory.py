"""How much memory the PostgreSQL of `make up` takes: a share of the machine's, or what DATABASE_MEMORY says."""

from collections.abc import Iterator
from pathlib import Path

import psutil

from config import environment as env
from config.embedded.paths import CannotRunError
from config.embedded.postgres_server import SERVICE

MB = 2**20
SHARE, LEAST, MOST = 4, 64, 2048  # a quarter of the machine, in MB: the web and the workers are on it, too
CGROUPS = Path("/sys/fs/cgroup")


def tuning() -> dict[str, str]:
    machine = usable() // MB
    buffers = _configured() or min(MOST, max(LEAST, machine // SHARE))
    return SERVICE | {
        "shared_preload_libraries": "pg_prewarm",  # reads after a start what was in memory before it
        "shared_buffers": f"{buffers}MB",
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
