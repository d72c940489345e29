"""What `make up` prints in a terminal: the banner stays the last thing until something happens."""

import io
from typing import Any

import pytest

from config.embedded import output


class Terminal(io.StringIO):
    """A terminal, or a pipe, that remembers what it showed."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


JOB = "\x1b[2m17:20:05\x1b[0m [\x1b[32m\x1b[1minfo     \x1b[0m] \x1b[1mdirectory.check_badge done in 5 ms\x1b[0m"
FAULT = "17:20:05 [error    ] Redis is away"
REQUEST = "17:20:06 [info     ] GET / 200 in 5 ms"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_the_banner_stays_last_until_something_happens(
    monkeypatch: pytest.MonkeyPatch, is_terminal: Any
) -> None:
    terminal = Terminal(is_terminal=is_terminal)
    monkeypatch.setattr("sys.stdout", terminal)

    output.banner("Ready")
    for name, line in [
        ("worker", JOB),
        ("crawler", FAULT),
        ("worker", JOB),
        ("web", REQUEST),
        ("worker", JOB),
    ]:
        output.repeat(name, line)

    lines = [line.partition(" ")[0] for line in terminal.getvalue().splitlines()]
    everything = ["Ready", "worker", "crawler", "worker", "web", "worker"]
    assert lines == (["Ready", "crawler", "web", "worker"] if is_terminal else everything)
