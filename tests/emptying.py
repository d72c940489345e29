"""After a test that committed: the tables it filled hold again what the migrations put there.

Django empties all of the hundred, and then makes content types and permissions anew.
"""

from django.apps import apps
from django.db import connection, transaction
from django.db.models import Model
from django.test import TransactionTestCase
from psycopg import sql

KEPT = {"django_migrations", "django_content_type", "auth_permission"}  # no test writes these
TABLES = """
    SELECT relname, EXISTS (SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND NOT tgisinternal)
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    ORDER BY 2 DESC, 1
"""
MIGRATED: list[list[Model]] = []  # the rows of a fresh installation, a list a table


def remember_rows() -> None:
    """Read what the migrations put into the tables, before the first test."""
    for model in apps.get_models(include_auto_created=True):
        meta = model._meta
        is_table = meta.managed and not meta.proxy and meta.db_table not in KEPT
        if is_table and (rows := list(model._base_manager.all())):
            MIGRATED.append(rows)


def empty_tables(case: TransactionTestCase) -> None:
    """In one transaction; references are looked at when it ends. What forbids to delete is truncated, first."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(TABLES)
        is_guarded = {name: guarded for name, guarded in cursor.fetchall() if name not in KEPT}
        looks = [
            sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(sql.Literal(name), sql.Identifier(name))
            for name in is_guarded
        ]
        cursor.execute(sql.SQL(" UNION ALL ").join(looks))
        acts = [
            sql.SQL("TRUNCATE {} CASCADE" if is_guarded[name] else "DELETE FROM {}").format(
                sql.Identifier(name)
            )
            for (name,) in cursor.fetchall()
        ]
        if acts:
            cursor.execute(sql.SQL("; ").join(acts))
        for rows in MIGRATED:
            type(rows[0])._base_manager.bulk_create(rows)
