"""Django's PostgreSQL, which asks a kept connection before each request whether it is alive; this one looks at it."""

import select

from django.db.backends.postgresql import base

NOW = 0


class DatabaseWrapper(base.DatabaseWrapper):
    """What a server says to a connection that waits is that it ends it, so only such a one needs to be asked."""

    def is_usable(self) -> bool:
        """Whether the connection is alive. After a fault it is asked whatever it looks like."""
        if self.connection is None or self.errors_occurred or self.connection.closed:
            return super().is_usable()
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(NOW) or super().is_usable()
