"""Django's PostgreSQL with bounds: a cheaper check of idle connections, an end to waiting for one that hangs."""

import random
import select
import time
from collections.abc import Generator
from typing import Any, ClassVar, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS
from django.db.backends.postgresql import base
from psycopg import IsolationLevel, errors

from core.outages import database

NOW = 0
PAUSE = 1.0  # seconds: after a server did not take a connection, so long it is not tried again
WAIT_INTERVAL = 0.1
Value = TypeVar("Value")


class PatientConnection(psycopg.Connection[Any]):
    """A connection that ends when a server does not answer within `patience` seconds.

    A server's own time limits do nothing when the server hangs, and TCP's see nothing: its kernel still answers.
    """

    patience: float | None = None

    def wait(
        self, gen: Generator[Any, Any, Value], interval: float = WAIT_INTERVAL, timeout: float | None = None
    ) -> Value:
        try:
            return super().wait(gen, interval, self.patience if timeout is None else timeout)
        except errors._WaitTimeout as error:  # noqa: SLF001 has no public name
            self.close()  # whoever asks again, if only to roll back, must not wait again
            raise errors.OperationalError(f"the server did not answer within {self.patience:g} s") from error


class DatabaseWrapper(base.DatabaseWrapper):
    """What a server says to a connection that waits is that it ends it, so only such a one needs to be asked."""

    # Of all threads, by alias: when a connection could not be made. A statement that was merely slow is not in here
    refused_at: ClassVar[dict[str, float]] = {}

    def connect(self) -> None:
        """Connect, to stay for `CONN_MAX_AGE` and up to as long again.

        A new connection plans every statement anew. Connections of one moment that all ended at one moment would
        have all readers wait for that.
        """
        super().connect()
        if self.close_at is not None:
            self.close_at += random.uniform(0, self.settings_dict["CONN_MAX_AGE"])  # noqa: S311

    def get_new_connection(self, conn_params: dict[str, Any]) -> PatientConnection:
        """Connect, unless another thread has just found that nobody can: threads that wait serve nobody."""
        if time.monotonic() - DatabaseWrapper.refused_at.get(self.alias, 0.0) < PAUSE:
            raise psycopg.OperationalError("the server took no connection a moment ago")
        self.isolation_level = (
            IsolationLevel.READ_COMMITTED
        )  # as Django does; its own way cannot choose the class
        try:
            connection = PatientConnection.connect(**conn_params)
        except psycopg.OperationalError:
            DatabaseWrapper.refused_at[self.alias] = time.monotonic()
            raise
        connection.patience = self.settings_dict.get("PATIENCE")
        if self.alias == DEFAULT_DB_ALIAS:
            database.ended()
        return connection

    def is_usable(self) -> bool:
        """Whether the connection is alive. After a fault it is asked whatever it looks like."""
        if self.connection is None or self.errors_occurred or self.connection.closed:
            return super().is_usable()
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(NOW) or super().is_usable()
