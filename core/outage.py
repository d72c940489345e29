"""Whether the database is away: one log line when that begins and one when it is over, in each process."""

import logging
import time
from threading import Lock

from django.db import InterfaceError, InternalError, OperationalError

logger = logging.getLogger(__name__)
QUIET = (
    10.0  # seconds between two such lines, for what comes and goes (a pooler before a database that is away)
)
READ_ONLY = "25006"  # PostgreSQL's code for a change while it takes none, as a standby does


def is_outage(error: BaseException | None) -> bool:
    """Whether a fault is the database's, not ours: away, overloaded, or taking no changes."""
    if isinstance(error, OperationalError | InterfaceError):
        return True
    return isinstance(error, InternalError) and getattr(error.__cause__, "sqlstate", None) == READ_ONLY


class Outage:
    """What this process has seen of it."""

    def __init__(self) -> None:
        self.began_at: float | None = None
        self.refused = 0
        self.logged_at = float("-inf")
        self._lock = Lock()

    @property
    def is_on(self) -> bool:
        """Whether the last that was seen of the database is a fault."""
        return self.began_at is not None

    def note(self, error: BaseException) -> None:
        """A request was refused because of it."""
        with self._lock:
            self.refused += 1
            if self.began_at is not None:
                return
            self.began_at = time.monotonic()
            if self.began_at - self.logged_at < QUIET:
                return
            self.logged_at = self.began_at
        reason = " ".join(str(error).split())[:300]
        logger.error("database away", extra={"reason": reason, "error": type(error).__name__})

    def end(self) -> None:
        """The database answers again."""
        with self._lock:
            if self.began_at is None:
                return
            facts = {"seconds": round(time.monotonic() - self.began_at, 1), "refused": self.refused}
            was_logged = self.logged_at == self.began_at
            self.began_at, self.refused = None, 0
        if not was_logged:
            return
        logger.warning("database back", extra=facts)


outage = Outage()
