"""The one place where every exception is caught: around work whose faults must not end whoever runs it."""

from collections.abc import Callable


def fault_of(work: Callable[[], object]) -> Exception | None:
    """Do the work; give the exception that it raised, for the caller to write down, or None."""
    try:
        work()
    except Exception as fault:  # noqa: BLE001  (whatever it raises, the caller lives on and says so)
        return fault
    return None
