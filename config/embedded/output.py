"""What the operator reads: every line under the name of the program that wrote it."""

import subprocess
import sys
import threading

_printing = threading.Lock()


def say(name: str, line: str) -> None:
    """Print a line under a name; if nobody reads us any more, go on without."""
    with _printing:
        try:
            sys.stdout.write(f"{name:<11} | {line}\n")
            sys.stdout.flush()
        except (OSError, ValueError):
            return


def repeat_lines(name: str, process: subprocess.Popen[bytes]) -> None:
    """Print what a child writes, as it comes, until it closes its end."""
    if process.stdout is None:
        return
    lines = process.stdout

    def repeat() -> None:
        for line in lines:
            say(name, line.decode(errors="replace").rstrip())

    threading.Thread(target=repeat, name=f"lines of {name}", daemon=True).start()
