"""One line when a server goes away, with what follows from it, and one when it is back."""

import logging
import time

logger = logging.getLogger(__name__)


class Outage:
    """Whether a server is away, as this process has seen it, and what that means for whoever reads the log."""

    def __init__(self, server: str, *, consequence: str) -> None:
        self.server = server
        self.consequence = consequence
        self._since: float | None = None

    @property
    def is_on(self) -> bool:
        """Whether the server was away when last tried."""
        return self._since is not None

    def began(self, error: BaseException) -> None:
        """The server did not answer."""
        if self._since is None:
            self._since = time.monotonic()
            reason = f"{type(error).__name__}: {error}".strip().splitlines()[0]
            logger.error(
                "%s is away",
                self.server,
                extra={"consequence": self.consequence, "reason": reason},
            )

    def ended(self) -> None:
        if self._since is not None:
            seconds = round(time.monotonic() - self._since, 1)
            self._since = None
            logger.warning("%s is back", self.server, extra={"seconds": seconds})
