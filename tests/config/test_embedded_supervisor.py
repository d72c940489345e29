"""The supervisor brings back what dies, stops in order, and leaves nothing behind."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from config.embedded import processes, supervisor
from config.embedded.address import Address, requested
from config.embedded.paths import CannotRunError
from config.embedded.supervisor import Program, Stage, Supervisor, clear_leftovers, pause_after
from tests.waiting import LONG

WAITS = """
import pathlib, signal, sys, time
name, diary = sys.argv[1], pathlib.Path(sys.argv[2])
def end(*_):
    with diary.open("a") as lines:
        lines.write(name + " ends\\n")
    sys.exit()
signal.signal(signal.SIGTERM, end)
print("waiting", flush=True)
time.sleep(600)
"""
WAITS_WITH_CHILD = (
    f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {WAITS!r}, *sys.argv[1:]])\n{WAITS}"
)
WAITS_FOR_EVER = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("waiting", flush=True)
time.sleep(600)
"""


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Supervisor]:
    """A supervisor whose children are gone after the test."""
    handlers = {number: signal.getsignal(number) for number in supervisor.SIGNALS}
    found = Supervisor(ledger=tmp_path / "ledger.json")
    yield found
    found.stop()
    for number, handler in handlers.items():
        signal.signal(number, handler)


def program(code: str, folder: Path, *, name: str = "sample", stage: Stage = Stage.SERVICE) -> Program:
    """A child that runs this code with its name and the diary's path."""

    def start() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", code, name, folder / "diary"]
        return processes.spawn(command, folder=folder, output=subprocess.PIPE, environment=os.environ)

    return Program(name=name, stage=stage, start=start)


def printed(capfd: pytest.CaptureFixture[str], line: str) -> Callable[[], bool]:
    """Whether a line has been printed since the last look."""
    seen: list[str] = []

    def check() -> bool:
        seen.append(capfd.readouterr().out)
        return line in "".join(seen)

    return check


def test_brings_back_what_was_killed(
    watched: Supervisor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sample = program(WAITS, tmp_path)
    watched.run(sample)
    assert sample.process is not None
    first = sample.process.pid
    os.kill(first, signal.SIGKILL)
    watched.check_until(lambda: sample.process is not None and sample.process.pid != first)

    assert sample.is_running()
    assert "sample      | ended: signal SIGKILL; starting again in 0.2 s\n" in capfd.readouterr().out


def test_pauses_longer_for_what_dies_again_and_again(
    watched: Supervisor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sample = program("raise SystemExit(3)", tmp_path)
    watched.run(sample)
    watched.check_until(lambda: sample.deaths == 2)

    out = capfd.readouterr().out
    assert "ended: exit code 3; starting again in 0.2 s\n" in out
    assert "ended: exit code 3; starting again in 0.4 s\n" in out
    assert [pause_after(deaths) for deaths in range(9)] == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0]


def test_a_killed_child_takes_its_own_children_along(
    watched: Supervisor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sample = program(WAITS_WITH_CHILD, tmp_path)
    watched.run(sample)
    watched.check_until(printed(capfd, "waiting\nsample      | waiting"))
    assert sample.process is not None
    grandchildren = psutil.Process(sample.process.pid).children()
    sample.process.kill()
    watched.check_until(lambda: sample.deaths == 1)

    assert len(grandchildren) == 1
    assert psutil.wait_procs(grandchildren, timeout=LONG)[1] == []


def test_stops_the_last_stage_first(
    watched: Supervisor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, stage in (("data", Stage.DATABASE), ("queue", Stage.BROKER), ("web", Stage.SERVICE)):
        watched.run(program(WAITS, tmp_path, name=name, stage=stage))
        watched.check_until(printed(capfd, "waiting"))
    watched.stop()

    assert (tmp_path / "diary").read_text() == "web ends\nqueue ends\ndata ends\n"
    assert not watched.ledger.exists()


def test_kills_what_does_not_end_in_time(
    watched: Supervisor, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(supervisor.STOP_PATIENCE, Stage.SERVICE, 0.1)
    sample = program(WAITS_FOR_EVER, tmp_path)
    watched.run(sample)
    watched.check_until(printed(capfd, "waiting"))
    watched.stop()

    assert sample.process is not None
    assert sample.process.returncode == -signal.SIGKILL
    assert "sample has not ended in time and is killed" in capfd.readouterr().out


def test_a_program_that_ends_by_itself_is_not_brought_back(watched: Supervisor, tmp_path: Path) -> None:
    assert watched.run_to_end(program("raise SystemExit(4)", tmp_path)) == 4
    assert watched.programs == []


def test_leftovers_of_a_killed_supervisor_are_stopped(
    watched: Supervisor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sample = program(WAITS_WITH_CHILD, tmp_path)
    sample.comes_back = False
    watched.run(sample)
    watched.check_until(printed(capfd, "waiting\nsample      | waiting"))
    clear_leftovers(watched.ledger, folder=tmp_path)

    assert not sample.is_running()
    assert "up          | stopping 2 processes that an earlier run left behind\n" in capfd.readouterr().out


def test_a_ledger_never_harms_strangers(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    ledger.write_text(json.dumps([os.getpgid(0)]))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, cwd="/") as stranger:
        clear_leftovers(ledger, folder=tmp_path)

        assert stranger.poll() is None


@pytest.mark.parametrize("content", ["", "{", None])
def test_a_torn_ledger_is_no_reason_to_fail(tmp_path: Path, content: str | None) -> None:
    ledger = tmp_path / "ledger.json"
    if content is not None:
        ledger.write_text(content)
    clear_leftovers(ledger, folder=tmp_path)


def test_a_port_in_use_is_named_with_its_user() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            CannotRunError, match=rf"Port {port} is in use by process {os.getpid()} \(.*make up PORT="
        ):
            Address(host="127.0.0.1", port=port).check_free()


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(CannotRunError, match=r"Nothing can listen on HOST=192\.0\.2\.1 PORT=18099"):
        Address(host="192.0.2.1", port=18099).check_free()


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1", "80 80"])
def test_a_port_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    monkeypatch.setenv("PORT", port)

    with pytest.raises(CannotRunError, match="PORT is"):
        requested()


def test_a_full_disk_ends_nothing_and_all_comes_back_when_there_is_room(
    watched: Supervisor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "sample.log"

    def start() -> subprocess.Popen[bytes]:
        log.write_bytes(b"starting")
        return program(WAITS, tmp_path).start()

    sample, other = (
        Program(name="sample", stage=Stage.SERVICE, start=start),
        program(WAITS, tmp_path, name="other"),
    )
    watched.run(sample)
    watched.run(other)
    assert sample.process is not None
    assert other.process is not None
    first, spared = sample.process.pid, other.process.pid
    log.unlink()
    for path in (log, watched.ledger.with_suffix(".new")):
        path.symlink_to("/dev/full")  # whose every write fails with ENOSPC

    processes.kill_group(first)
    watched.check_until(printed(capfd, "sample      | [Errno 28] No space left on device"))
    processes.kill_group(spared)
    watched.check_until(printed(capfd, "the list of processes cannot be written"))
    assert other.is_running()

    for path in (log, watched.ledger.with_suffix(".new")):
        path.unlink()
    watched.check_until(sample.is_running)
    watched.check()
    assert other.process is not None
    assert json.loads(watched.ledger.read_text()) == [sample.process.pid, other.process.pid]


def test_rests_do_not_grow_without_end() -> None:
    assert pause_after(5000) == 30.0
