"""Runs the whole service in the foreground: `python -m config.embedded`."""

import os
import sys

from config.embedded import address, output, paths
from config.embedded.output import banner, say
from config.embedded.paths import ROOT, CannotRunError
from config.embedded.servers import folder_lock
from config.embedded.stack import Stack
from config.embedded.supervisor import StopRequested, Supervisor, clear_leftovers

WITH_PARENT = "--with-parent"


def main() -> int:
    """Start everything, look after it until a signal comes, stop everything; give the exit code."""
    parent = os.getppid() if WITH_PARENT in sys.argv else None
    try:
        folder, where = paths.data_dir(), address.requested()
        if os.geteuid() == 0:
            say("up", "running as root, the service too; on a server give it a user of its own")
        with folder_lock(folder):
            supervisor = Supervisor(ledger=folder / "processes.json")
            clear_leftovers(supervisor.ledger, folder=ROOT)
            where.check_free()
            return run(Stack(folder=folder, address=where, supervisor=supervisor), parent=parent)
    except (CannotRunError, OSError) as error:
        sys.stderr.write(f"\n{error}\n")
        return 1


def run(stack: Stack, *, parent: int | None) -> int:
    """Run until a signal comes, or until whoever started us is gone."""
    supervisor = stack.supervisor
    supervisor.listen()
    try:
        stack.start()
        banner(output.text(stack.folder, address=stack.address))
        output.forget_password(stack.folder)
        supervisor.check_until(lambda: parent is not None and os.getppid() != parent)
    except StopRequested:
        pass
    finally:
        supervisor.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
