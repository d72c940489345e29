"""What DATABASE_URL and REDIS_URL name is looked at before anything starts, and refused in clear words."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from config.embedded import paths
from config.embedded.checks import check_database, check_facts, check_redis
from config.embedded.paths import CannotRunError
from config.embedded.postgres_server import THROWAWAY, PostgresServer
from config.embedded.servers import Urls, running_servers
from tests.servers.folders import throwaway_folder

STRANGERS = """
CREATE ROLE guest LOGIN PASSWORD 'guest';
CREATE DATABASE bare;
CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C';
"""


@pytest.fixture(scope="module")
def urls() -> Iterator[Urls]:
    """Servers with a database of another encoding, and a role that may only look."""
    with throwaway_folder() as folder, running_servers(folder, tuning=THROWAWAY) as running:
        PostgresServer(paths.places(folder)).psql(STRANGERS, variables={})
        yield running


def as_guest(urls: Urls, database: str) -> str:
    host = urls.database.partition("?host=")[2]
    return f"postgres://guest:guest@/{database}?host={host}"


def test_what_we_start_ourselves_is_accepted(urls: Urls) -> None:
    check_database(urls.database)
    check_redis(urls.redis)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite:///data.db", r"must begin with postgres://.*begins with sqlite://"),
        ("mysql://user@localhost/shop", r"must begin with postgres://.*begins with mysql://"),
        ("/var/data.db", "must begin with postgres://"),
        ("postgres://user@127.0.0.1:1/shop", "no connection to database shop.*refused.*Start that server"),
        ("postgres://user@127.0.0.1:port/shop", "DATABASE_URL"),
    ],
)
def test_addresses_that_are_no_postgres_are_refused(url: str, words: str) -> None:
    with pytest.raises(CannotRunError, match=f"(?s){words}"):
        check_database(url)


def test_a_wrong_password_is_said_and_not_repeated(urls: Urls) -> None:
    with pytest.raises(CannotRunError, match="password authentication failed") as refusal:
        check_database(as_guest(urls, "bare").replace(":guest@", f":{quote('s3cret')}@"))

    assert "s3cret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere", r'database "nowhere" does not exist.*create the database'),
        ("latin", "encoding is LATIN1, and UTF8 is needed"),
        ("bare", "CREATE EXTENSION pg_trgm;"),  # an extension that a guest cannot add
    ],
)
def test_a_database_that_cannot_serve_is_refused_by_what_it_lacks(urls: Urls, name: str, words: str) -> None:
    with pytest.raises(CannotRunError, match=words):
        check_database(as_guest(urls, name))


def test_an_old_server_is_refused() -> None:
    with pytest.raises(CannotRunError, match="the server is PostgreSQL 14, and 15 or newer is needed"):
        check_facts(version=14, encoding="UTF8")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1/", "must begin with redis://"),
        ("redis://127.0.0.1:1/0", "does not answer.*Start that server"),
    ],
)
def test_addresses_that_are_no_redis_are_refused(url: str, words: str) -> None:
    with pytest.raises(CannotRunError, match=f"REDIS_URL.*{words}"):
        check_redis(url)


def test_a_redis_that_wants_another_password_is_refused(urls: Urls) -> None:
    with pytest.raises(CannotRunError, match="REDIS_URL: Redis does not answer") as refusal:
        check_redis(urls.redis.replace("redis://:", "redis://:not"))

    assert urls.redis.partition("@")[0][len("redis://:") :] not in str(refusal.value)
