"""Runs programs as children: starts again what dies, and stops all of them in order."""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from types import FrameType

import psutil

from config.embedded import processes
from config.embedded.output import repeat_lines, say
from config.embedded.paths import CannotRunError

CHECK_SECONDS = 0.1
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 30.0
STEADY = 30.0  # whoever ran this long is healthy: its next death counts as the first
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stage(IntEnum):
    """Programs of a later stage need those of an earlier one: they start after them and stop before them."""

    DATABASE = 0
    BROKER = 1
    SERVICE = 2


STOP_PATIENCE = {Stage.SERVICE: 28.0, Stage.BROKER: 4.0, Stage.DATABASE: 9.0}


class StopRequested(BaseException):
    """Ctrl-C or SIGTERM came."""


@dataclass
class Program:
    """One child: how it is started, how it is asked to end, and how it has fared."""

    name: str
    stage: Stage
    start: Callable[[], subprocess.Popen[bytes]]
    farewell: signal.Signals = signal.SIGTERM
    comes_back: bool = True
    process: subprocess.Popen[bytes] | None = None
    deaths: int = 0
    started_at: float = 0.0
    start_at: float | None = None

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None


@dataclass
class Supervisor:
    """The children, and a ledger of their process groups for whoever comes after us."""

    ledger: Path
    programs: list[Program] = field(default_factory=list)
    hurried: bool = False
    is_written: bool = True

    def listen(self) -> None:
        for number in SIGNALS:
            signal.signal(number, _request_stop)

    def run(self, program: Program) -> None:
        """Start a program and look after it from now on."""
        self.programs.append(program)
        self._start(program)

    def run_to_end(self, program: Program) -> int:
        """Start a program that ends by itself, look after the others meanwhile, and give its exit code."""
        program.comes_back = False
        self.run(program)
        self.check_until(lambda: not program.is_running())
        self.programs.remove(program)
        return program.process.returncode if program.process else 1

    def check(self) -> None:
        """Notice the dead, and start them again when their pause is over."""
        if not self.is_written:
            self._write_ledger()
        for program in self.programs:
            if program.start_at is not None and time.monotonic() >= program.start_at:
                self._start_again(program)
            elif program.start_at is None and program.comes_back and not program.is_running():
                self._mourn(program)

    def check_until(self, happened: Callable[[], bool]) -> None:
        """Look after everything until something is so."""
        while not happened():
            self.check()
            time.sleep(CHECK_SECONDS)

    def stop(self) -> None:
        """Stop everything, the last stage first; another signal cuts the waiting short."""
        for number in SIGNALS:
            signal.signal(number, self._hurry)
        if self.programs:
            say("up", "stopping")
        for stage in reversed(Stage):
            self._stop_together([program for program in self.programs if program.stage == stage], stage=stage)
        self.ledger.unlink(missing_ok=True)

    def _stop_together(self, programs: list[Program], *, stage: Stage) -> None:
        for program in reversed(programs):
            if program.process and program.is_running():
                program.process.send_signal(program.farewell)
        processes.wait_until(
            lambda: (
                not any(program.is_running() for program in programs)
                or (self.hurried and stage is not Stage.DATABASE)
            ),
            patience=STOP_PATIENCE[stage],
        )
        for program in programs:
            if program.is_running():
                say("up", f"{program.name} has not ended in time and is killed; open work is taken up again")
            if program.process:
                processes.kill_group(program.process.pid)
                program.process.wait()

    def _start(self, program: Program) -> None:
        program.start_at = None
        program.process = program.start()
        program.started_at = time.monotonic()
        self._write_ledger()
        repeat_lines(program.name, program.process)

    def _start_again(self, program: Program) -> None:
        try:
            self._start(program)
        except (CannotRunError, OSError) as error:  # a full disk, say, which may have room again later
            say(program.name, str(error))
            self._pause(program, why="it could not start")

    def _mourn(self, program: Program) -> None:
        if program.process is None:
            return
        processes.kill_group(program.process.pid)  # its own children must not hold its port or its queue
        if time.monotonic() - program.started_at > STEADY:
            program.deaths = 0
        code = program.process.returncode
        self._pause(program, why=f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}")

    def _pause(self, program: Program, *, why: str) -> None:
        pause = pause_after(program.deaths)
        program.deaths += 1
        program.start_at = time.monotonic() + pause
        say(program.name, f"ended: {why}; starting again in {pause:.1f} s")

    def _hurry(self, _number: int, _frame: FrameType | None) -> None:
        self.hurried = True

    def _write_ledger(self) -> None:
        """Write the groups down; if the disk is full, at the next look. Everything runs without, too."""
        groups = [program.process.pid for program in self.programs if program.process]
        fresh = self.ledger.with_suffix(".new")
        could = self.is_written
        try:
            fresh.write_text(json.dumps(groups))
            fresh.replace(self.ledger)
        except OSError as error:
            self.is_written = False
            if could:
                say("up", f"the list of processes cannot be written, and is tried again: {error}")
        else:
            self.is_written = True


def pause_after(deaths: int) -> float:
    """How long a program rests that has died so often before: seconds that double, up to half a minute."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(deaths, 10))  # a larger power is no float for ever


def clear_leftovers(ledger: Path, *, folder: Path) -> None:
    """Stop what an earlier supervisor started in this folder and could not stop, because it was killed."""
    try:
        groups = set(json.loads(ledger.read_text()))
    except (FileNotFoundError, ValueError):
        return
    left = [process for process in psutil.process_iter() if _belongs(process, groups=groups, folder=folder)]
    if left:
        say("up", f"stopping {len(left)} processes that an earlier run left behind")
    processes.end(left, farewell=signal.SIGTERM, patience=STOP_PATIENCE[Stage.SERVICE])


def _belongs(process: psutil.Process, *, groups: set[int], folder: Path) -> bool:
    with contextlib.suppress(psutil.Error, ProcessLookupError):
        return os.getpgid(process.pid) in groups and process.cwd() == str(folder)
    return False


def _request_stop(_number: int, _frame: FrameType | None) -> None:
    raise StopRequested
