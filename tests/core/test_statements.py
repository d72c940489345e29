"""Statements that are planned once on each connection."""

from typing import Any

import pytest
from django.db import DataError, ProgrammingError, connection
from django.test.utils import CaptureQueriesContext

from core.postgresql.base import fetch_all, fetch_row

SUM = "SELECT %(a)s::bigint + %(b)s::bigint"
KINDS = "SELECT pg_typeof(%(small)s)::text, pg_typeof(%(large)s)::text, pg_typeof(%(many)s)::text"

pytestmark = pytest.mark.django_db


def prepared() -> list[tuple[str, int]]:
    """The statements of this connection, and how often each was run."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT statement, generic_plans + custom_plans FROM pg_prepared_statements ORDER BY prepare_time"
        )
        return cursor.fetchall()


def test_gives_rows_as_django_does() -> None:
    asked = "SELECT n, %(text)s::text, '{\"a\": 1}'::jsonb, 'x%%' FROM generate_series(1, %(most)s) AS n"

    assert fetch_all(asked, {"text": "it's", "most": 2}) == [
        (1, "it's", '{"a": 1}', "x%"),
        (2, "it's", '{"a": 1}', "x%"),
    ]
    assert fetch_row(asked, {"text": "a", "most": 1}) == (1, "a", '{"a": 1}', "x%")
    assert fetch_row(asked, {"text": "a", "most": 0}) is None


def test_is_prepared_once_whatever_the_size_of_its_numbers() -> None:
    before = prepared()

    found = [fetch_all(SUM, {"a": number, "b": 1}) for number in (1, 300, 40_000, -5, 2_000_000)]

    assert found == [[(2,)], [(301,)], [(40_001,)], [(-4,)], [(2_000_001,)]]
    assert [row for row in prepared() if row not in before] == [("SELECT $1::bigint + $2::bigint", 5)]


def test_numbers_are_what_they_are_in_a_literal() -> None:
    assert fetch_row(KINDS, {"small": 1, "large": 2**40, "many": [1, 2]}) == (
        "integer",
        "bigint",
        "integer[]",
    )
    assert fetch_row("SELECT %(ids)s::bigint[]", {"ids": [1, 2**40]}) == ([1, 2**40],)
    assert fetch_row("SELECT %(ids)s::bigint[]", {"ids": []}) == ([],)


@pytest.mark.django_db(transaction=True)
def test_goes_on_after_a_fault_and_on_a_new_connection() -> None:
    assert fetch_row(SUM, {"a": 1, "b": 1}) == (2,)
    with pytest.raises(DataError):
        fetch_row("SELECT 1 / %(a)s::int", {"a": 0})
    assert fetch_row(SUM, {"a": 2, "b": 1}) == (3,)
    connection.close()
    assert fetch_row(SUM, {"a": 3, "b": 1}) == (4,)


def test_nothing_is_prepared_where_a_pooler_forbids_it(settings: Any) -> None:
    settings.PREPARED_STATEMENTS = False
    before = prepared()

    assert fetch_row("SELECT %(a)s::int * 2", {"a": 21}) == (42,)
    assert prepared() == before


def test_other_statements_are_not_prepared() -> None:
    fetch_row("SELECT %(a)s::int * 3", {"a": 1})
    before = prepared()

    for _ in range(7):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 + 1")

    assert prepared() == before


def test_is_counted_logged_and_wrapped_like_any_other() -> None:
    seen = []

    def watch(execute: Any, sql: str, params: Any, *rest: Any) -> Any:
        seen.append((sql, params))
        return execute(sql, params, *rest)

    with CaptureQueriesContext(connection) as statements, connection.execute_wrapper(watch):
        fetch_row(SUM, {"a": 1, "b": 2})

    assert [one["sql"] for one in statements.captured_queries] == [SUM]
    assert seen == [(SUM, {"a": 1, "b": 2})]


def test_a_fault_is_told_as_django_tells_it() -> None:
    with pytest.raises(ProgrammingError):
        fetch_all("SELECT nothing FROM nowhere", {})
