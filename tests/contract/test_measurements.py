"""What measurements import from the project is there, also in the scripts that they hand to a running service."""

import re
import subprocess
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest
from django.conf import settings

from benchmarks.parts.outage_drills import held

BENCHMARKS = Path(settings.BASE_DIR, "benchmarks")
IMPORT = re.compile(
    r"^\s*from ((?:accounts|claims|config|core|directory|drafts|leaderboards|orders|tests)[\w.]*)"
    r" import ([^(\n]+|\([^)]+\))",
    re.MULTILINE,
)
PROGRAMS = [path for path in BENCHMARKS.rglob("*.py") if IMPORT.search(path.read_text())]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.relative_to(BENCHMARKS).as_posix())
def test_what_a_measurement_imports_exists(program: Path) -> None:
    for module, names in IMPORT.findall(program.read_text()):
        for name in re.findall(r"(\w+)(?: as \w+)?", re.sub("#.*", "", names)):
            assert hasattr(import_module(module), name) or find_spec(f"{module}.{name}"), f"{module}.{name}"


def test_who_ends_while_held_leaves_nobody_else_stopped() -> None:
    every = [subprocess.Popen(["sleep", "60"]) for _ in range(3)]
    drill = Mock()
    drill.service.group.return_value = [psutil.Process(one.pid) for one in every]
    every[0].kill()
    every[0].wait()
    try:
        with held(drill, "sleep"):
            every[1].kill()
            every[1].wait()
        assert psutil.Process(every[2].pid).status() != psutil.STATUS_STOPPED
    finally:
        for one in every:
            one.kill()
            one.wait()
