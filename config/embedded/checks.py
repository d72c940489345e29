"""Whether the servers that the environment names can carry this service; each refusal says what to do."""

import sys
from collections.abc import Callable

import psycopg
import redis
from django.core.exceptions import ImproperlyConfigured

from config import environment as env
from config.embedded.paths import CannotRunError

OLDEST_POSTGRES = 15
EXTENSIONS = ("pg_trgm", "unaccent")
PATIENCE = 5
FACTS = """
SELECT current_setting('server_version_num')::int / 10000, current_setting('server_encoding'),
       has_database_privilege(current_database(), 'CREATE')
"""
AVAILABLE_EXTENSIONS = """
SELECT name, bool_or(installed),
       bool_or(trusted OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user))
FROM pg_available_extension_versions WHERE name = ANY(%s) GROUP BY name
"""


def check_database(url: str) -> None:
    """Refuse what is not PostgreSQL 15 or newer, in UTF-8, with the extensions at hand."""
    try:
        existing = env.libpq(url)
    except ImproperlyConfigured as error:
        raise CannotRunError(str(error)) from error
    except ValueError as error:
        raise CannotRunError(f"DATABASE_URL: {error}") from error
    try:
        with psycopg.connect(**existing) as connection:
            version, encoding, may_create = connection.execute(FACTS).fetchone() or (0, "", False)
            check_facts(version=version, encoding=encoding)
            rows = connection.execute(AVAILABLE_EXTENSIONS, [list(EXTENSIONS)]).fetchall()
    except psycopg.OperationalError as error:
        raise CannotRunError(
            f"DATABASE_URL: no connection to database {existing['dbname']}: {_line(error)}."
            " Start that server, create the database, or correct the address."
        ) from error
    _check_extensions({name: (installed, may_create and allowed) for name, installed, allowed in rows})


def check_redis(url: str) -> None:
    """Refuse what does not answer a PING."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE) as client:
            client.ping()
    except ValueError as error:
        raise CannotRunError(
            "REDIS_URL must begin with redis://, rediss:// or unix://, and name a database by its number."
        ) from error
    except redis.RedisError as error:
        raise CannotRunError(
            f"REDIS_URL: Redis does not answer: {_line(error)}."
            " Start that server, or correct the address and password."
        ) from error


def _line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")


def check_facts(*, version: int, encoding: str) -> None:
    if version < OLDEST_POSTGRES:
        raise CannotRunError(
            f"DATABASE_URL: the server is PostgreSQL {version}, and {OLDEST_POSTGRES} or newer is needed."
        )
    if encoding != "UTF8":
        raise CannotRunError(
            f"DATABASE_URL: the database's encoding is {encoding}, and UTF8 is needed."
            " Create another one: createdb --encoding=UTF8 --template=template0 NAME."
        )


def _check_extensions(result: dict[str, tuple[bool, bool]]) -> None:
    for name in EXTENSIONS:
        if name not in result:
            raise CannotRunError(
                f"DATABASE_URL: the server does not have the extension {name}."
                " It is one of PostgreSQL's own: install the package postgresql-contrib."
            )
        installed, may_install = result[name]
        if not installed and not may_install:
            raise CannotRunError(
                f"DATABASE_URL: the extension {name} is not in the database, and this user may not add it."
                f" As an administrator, run in that database: CREATE EXTENSION {name};"
            )


def main() -> int:
    checks: dict[str, Callable[[str], None]] = {"DATABASE_URL": check_database, "REDIS_URL": check_redis}
    try:
        for name, check in checks.items():
            if url := env.text(name):
                check(url)
    except CannotRunError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
