"""A progress bar for commands that load very much."""

import time
from typing import TextIO

WIDTH, EVERY_SECONDS = 30, 0.5


class Progress:
    """How far a load is: a bar that moves on a terminal, a line for each tenth elsewhere."""

    def __init__(self, *, total: int, out: TextIO) -> None:
        """Begin with nothing done."""
        self.total, self.done, self.out = total, 0, out
        self.began = self.shown_at = time.monotonic()
        self.tenths = 0

    def advance(self, by: int) -> None:
        """So many more are done."""
        self.done += by
        now = time.monotonic()
        if self.out.isatty():
            if now - self.shown_at >= EVERY_SECONDS or self.done >= self.total:
                self.shown_at = now
                self.out.write(f"\r{self._line(now)}")
                self.out.flush()
        elif self.done * 10 // self.total > self.tenths:
            self.tenths = self.done * 10 // self.total
            self.out.write(f"{self._line(now)}\n")

    def finish(self) -> None:
        """End the bar's line and say what follows."""
        if self.out.isatty():
            self.out.write("\n")
        self.out.write("Counting the words for search.\n")

    def _line(self, now: float) -> str:
        filled = min(WIDTH, self.done * WIDTH // self.total)
        speed = self.done / max(now - self.began, 0.001)
        left = (self.total - self.done) / max(speed, 0.001)
        bar = "#" * filled + "." * (WIDTH - filled)
        return f"[{bar}] {self.done:,} of {self.total:,}, {speed:,.0f} a second, {left:,.0f} s left"
