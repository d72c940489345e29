"""Migrations since the former release only add: its code runs on the new schema until it is restarted."""

import json
from typing import Any

import pytest
from django.db import models
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader

from config.embedded.paths import ROOT

FORMER: dict[str, Any] = json.loads((ROOT / "docs/former-release.json").read_text())
OURS = ("accounts", "core", "directory", "drafts", "leaderboards", "orders", "claims")
TAKING = (
    operations.RemoveField,
    operations.DeleteModel,
    operations.RenameField,
    operations.RenameModel,
    operations.AlterModelTable,
)


def later_migrations() -> list[Any]:
    """Those that the former release does not have."""
    found = MigrationLoader(None).disk_migrations
    return [
        migration
        for (app, name), migration in sorted(found.items())
        if app in OURS and int(name[:4]) > FORMER["migrations"].get(app, 0)
    ]


def flaws(operation: Any) -> str | None:
    """What the former release's code would stumble over: it reads what is taken, and fills nothing new."""
    if isinstance(operation, operations.SeparateDatabaseAndState):
        return next(filter(None, map(flaws, operation.database_operations)), None)
    if isinstance(operation, TAKING):
        return type(operation).__name__
    if isinstance(operation, operations.AddField):
        field = operation.field
        is_filled = field.db_default is not models.NOT_PROVIDED or isinstance(field, models.GeneratedField)
        has_value = field.null or is_filled or field.many_to_many
        return None if has_value else f"AddField {operation.name}: neither null nor db_default"
    return None


@pytest.mark.parametrize("migration", later_migrations(), ids=str)
def test_a_migration_breaks_nothing_that_still_runs(migration: Any) -> None:
    if str(migration) in FORMER["contracted"]:
        return

    assert list(filter(None, map(flaws, migration.operations))) == []


def test_a_column_that_old_code_does_not_fill_is_found() -> None:
    bare = operations.AddField("listing", "size", models.IntegerField(default=0))
    filled = operations.AddField("listing", "size", models.IntegerField(db_default=0))
    twice = models.F("votes") * 2
    derived = models.GeneratedField(expression=twice, output_field=models.IntegerField(), db_persist=True)
    computed = operations.AddField("listing", "size", derived)

    assert (flaws(bare), flaws(filled)) == ("AddField size: neither null nor db_default", None)
    assert flaws(computed) is None  # the database fills it by itself, whoever writes the row
