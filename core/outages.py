"""One line when a server goes away, with what follows from it, and one when it is back, in each process."""

import logging
import time
from threading import Lock

from django.db import InterfaceError, InternalError, OperationalError

logger = logging.getLogger(__name__)
READ_ONLY = "25006"  # PostgreSQL's code for a change while it takes none, as a standby does


def is_outage(error: BaseException | None) -> bool:
    """Whether a fault is the database's, not ours: away, overloaded, or taking no changes."""
    if isinstance(error, OperationalError | InterfaceError):
        return True
    return isinstance(error, InternalError) and getattr(error.__cause__, "sqlstate", None) == READ_ONLY


class Outage:
    """Whether a server is away, as this process has seen it, and what that means for whoever reads the log.

    `quiet` seconds lie between two pairs of lines, for what comes and goes, as a pooler before a database that is away.
    """

    def __init__(self, server: str, *, consequence: str, quiet: float = 0.0) -> None:
        self.server = server
        self.consequence = consequence
        self.quiet = quiet
        self._began_at: float | None = None
        self._logged_at = float("-inf")
        self._faults = 0
        self._lock = Lock()

    @property
    def is_on(self) -> bool:
        return self._began_at is not None

    def began(self, error: BaseException) -> None:
        """The server did not answer, or not as it should."""
        with self._lock:
            self._faults += 1
            if self._began_at is not None:
                return
            self._began_at = time.monotonic()
            if self._began_at - self._logged_at < self.quiet:
                return
            self._logged_at = self._began_at
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        logger.error("%s is away", self.server, extra={"consequence": self.consequence, "reason": reason})

    def ended(self) -> None:
        with self._lock:
            if self._began_at is None:
                return
            seconds, faults = round(time.monotonic() - self._began_at, 1), self._faults
            was_logged = self._logged_at == self._began_at
            self._began_at, self._faults = None, 0
        if was_logged:
            logger.warning("%s is back", self.server, extra={"seconds": seconds, "faults": faults})


database = Outage(
    "the database", consequence="What needs it is refused with 503 until it is back.", quiet=10.0
)
