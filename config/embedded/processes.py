"""Starts programs that cannot outlive us, and finds and stops those that did."""

import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

import psutil

SET_PARENT_DEATH_SIGNAL = 1  # prctl(2)
GLANCE = 0.02
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def spawn(
    command: Sequence[str | Path],
    *,
    folder: Path,
    output: int | IO[bytes],
    environment: Mapping[str, str],
    user: pwd.struct_passwd | None = None,
    farewell: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start a program in its own process group; if we are killed, the kernel sends it `farewell`.

    Call this from the main thread: the kernel watches the thread that started the child.
    """
    return subprocess.Popen(  # noqa: S603 the commands are ours
        [str(part) for part in command],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=_dies_with_us(farewell),  # noqa: PLW1509 one system call, no lock taken
        user=user.pw_uid if user else None,
        group=user.pw_gid if user else None,
        extra_groups=[] if user else None,
    )


def _dies_with_us(farewell: signal.Signals) -> Callable[[], None] | None:
    libc = _libc
    if libc is None:
        return None
    parent = os.getpid()

    def ask() -> None:
        libc.prctl(SET_PARENT_DEATH_SIGNAL, int(farewell), 0, 0, 0)
        if os.getppid() != parent:
            os.kill(os.getpid(), farewell)

    return ask


def stop(process: subprocess.Popen[bytes], *, farewell: signal.Signals, patience: float) -> None:
    """Ask a child to end, wait, and end its whole group by force when it does not."""
    if process.poll() is None:
        process.send_signal(farewell)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    kill_group(process.pid)
    process.wait()


def kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def holders(program: str, folder: Path) -> list[psutil.Process]:
    """The running processes of a server program that work in this folder."""
    path = str(folder.resolve())
    rows = []
    for process in psutil.process_iter(["name"]):
        if process.info["name"] == program:
            with contextlib.suppress(psutil.Error):
                if process.cwd() == path:
                    rows.append(process)
    return rows


def end(processes: Sequence[psutil.Process], *, farewell: signal.Signals, patience: float) -> None:
    """Ask processes that are not our children to end, wait, and kill those that do not."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.send_signal(farewell)
    _, stubborn = psutil.wait_procs(processes, timeout=patience)
    for process in stubborn:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(stubborn, timeout=5)


def wait_until(happened: Callable[[], bool], *, patience: float) -> bool:
    """Look again and again until it is so or patience ends."""
    end = time.monotonic() + patience
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(GLANCE)
    return True
