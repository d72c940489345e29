"""The search functions that the database has are those of the files, with the numbers of today."""

import pytest
from django.db import connection

from core.postgresql.base import fetch_all
from directory.search import functions

BODY = "SELECT prosrc FROM pg_proc WHERE proname = %(name)s"


@pytest.mark.django_db
@pytest.mark.parametrize("name", functions.NAMES)
def test_migrated_functions_are_those_of_the_files(name: str) -> None:
    bodies = [body for (body,) in fetch_all(BODY, {"name": f"directory_search_{name}"})]
    assert bodies == [functions.source(name).split("$$")[1]], (
        f"sql/{name}.sql or a number in functions.py changed: add a migration that loads the functions again"
    )


@pytest.mark.django_db
def test_no_search_function_stands_outside_the_files() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT proname FROM pg_proc WHERE proname LIKE 'directory\\_search\\_%'")
        assert {name for (name,) in cursor.fetchall()} == {
            f"directory_search_{name}" for name in functions.NAMES
        }


def test_every_number_is_used_and_every_placeholder_known() -> None:
    texts = "".join((functions.FOLDER / f"{name}.sql").read_text() for name in functions.NAMES)
    assert set(functions.PLACEHOLDER.findall(texts)) == set(functions.NUMBERS)
    assert {path.stem for path in functions.FOLDER.glob("*.sql")} == set(functions.NAMES)
