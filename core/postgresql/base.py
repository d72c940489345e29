"""Django's PostgreSQL with bounds: a cheaper check of idle connections, an end to waiting for one that hangs.

And reads whose text never changes, planned once on each connection: planning takes longer than running a large one.
"""

import random
import select
import time
from collections.abc import Generator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorDebugWrapper, CursorWrapper
from django.db.models import BigIntegerField, Model, Subquery
from psycopg import Cursor, IsolationLevel, errors
from psycopg.adapt import Dumper, PyFormat
from psycopg.types.numeric import Int4, Int4Dumper, Int8, Int8Dumper

from core.outages import database

NOW = 0
PAUSE = 1.0  # seconds: after a server did not take a connection, so long it is not tried again
WAIT_INTERVAL = 0.1
INT4 = range(-(2**31), 2**31)
# joins texts that a read parts by `string_to_array(%(name)s, chr(31))`: to write lists is a tenth of a search's Python
SEPARATOR = "\x1f"
Row = tuple[Any, ...]
Value = TypeVar("Value")


class PatientConnection(psycopg.Connection[Any]):
    """A connection that ends when a server does not answer within `patience` seconds.

    A server's own time limits do nothing when the server hangs, and TCP's see nothing: its kernel still answers.
    """

    patience: float | None = None
    reads: "PreparedCursor | None" = None  # to make one takes as long as to bind a small statement

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


class Counted(Subquery):
    """How many rows a queryset has, as a column of another."""

    template = "(SELECT count(*) FROM (%(subquery)s) counted)"
    output_field = BigIntegerField()


class WholeNumberDumper(Int4Dumper):
    """Sends integers as int4 if they fit, as in a literal; psycopg's int2 would make a statement of each size."""

    _large = Int8Dumper(Int8)

    def get_key(self, obj: int, format: PyFormat) -> type:
        return Int4 if obj in INT4 else Int8

    def upgrade(self, obj: int, format: PyFormat) -> Dumper:
        return self if obj in INT4 else self._large


class PreparedCursor(Cursor[Row]):
    """Binds values on the server, which Django's cursor does not, and has the statement prepared."""

    def __init__(self, connection: Any) -> None:
        super().__init__(connection)
        self.adapters.register_dumper(int, WholeNumberDumper)

    def execute(self, query: Any, params: Any = None, **_options: Any) -> "PreparedCursor":
        """Run a statement. Only now may the connection prepare: it would keep the text of all others as well."""
        self.connection.prepare_threshold = 1 if settings.PREPARED_STATEMENTS else None
        try:
            return super().execute(query, params, prepare=True)
        finally:
            self.connection.prepare_threshold = None


class LoggingWrapper(CursorDebugWrapper):
    """Logs the statement without its values, which are not in the text that was sent."""

    def execute(self, sql: Any, params: Any = None) -> Any:
        with self.debug_sql(sql, params):
            return CursorWrapper.execute(self, sql, params)


def fetch_all(statement: str, parameters: Mapping[str, Any]) -> list[Row]:
    """The rows of a read. `statement` has `%(name)s` where a value goes, with a cast where its type is open.

    After five runs PostgreSQL may plan for any value: `LIKE %(text)s` and `LIMIT %(most)s` are then guesses.
    """
    own = connections[DEFAULT_DB_ALIAS]  # looked up once; `django.db.connection` does so for each attribute
    own.close_if_health_check_failed()
    own.ensure_connection()
    wrap = LoggingWrapper if own.queries_logged else CursorWrapper
    own.connection.reads = own.connection.reads or PreparedCursor(own.connection)
    cursor = wrap(own.connection.reads, own)
    cursor.execute(statement, parameters)
    return cursor.fetchall()


def fetch_row(statement: str, parameters: Mapping[str, Any]) -> Row | None:
    return next(iter(fetch_all(statement, parameters)), None)


def columns_of(model: type[Model], *, of: str) -> str:
    """All columns of a model, of the table that a statement calls so."""
    return ", ".join(f'{of}."{field.column}"' for field in _fields(model))


def objects_of(row: Row, models: Sequence[type[Model]]) -> list[Any]:
    """What a row of `columns_of` these models holds; None for one that an outer join left empty."""
    values = iter(row)
    return [_object_of(model, [next(values) for _ in _fields(model)]) for model in models]


def _object_of(model: type[Model], values: Sequence[Any]) -> Model | None:
    fields = _fields(model)
    if all(value is None for value in values):
        return None
    read = [
        field.from_db_value(value, None, connection) if hasattr(field, "from_db_value") else value
        for field, value in zip(fields, values, strict=True)
    ]
    return model.from_db(DEFAULT_DB_ALIAS, [field.attname for field in fields], read)


def _fields(model: type[Model]) -> Sequence[Any]:
    return model._meta.concrete_fields  # noqa: SLF001 Django documents it
