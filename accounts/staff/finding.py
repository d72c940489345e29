"""Searches and orders of lists: each column by its own index, and what stands on another table is found there first."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Model, Q

from core.email_addresses import normal_or_blank

MOST_KEYS = 50  # so many rows of another table that fit
LOOKUPS = {"exact", "startswith", "istartswith"}  # the last for tables that stay small


def named(model: type[Model], paths: Iterable[str], term: str) -> Q:
    """The rows that one of these columns finds by a term: `slug__exact`, `owner__email`, `line__order__number__exact`.

    `email` is found however it was typed.
    """
    result = Q(pk__in=())
    if "\0" in term:
        return result
    for path in paths:
        result |= _by(model, path, term)
    return result


def _by(model: type[Model], path: str, term: str) -> Q:
    if path == "email":
        return Q(email__in={term, normal_or_blank(term)})  # as typed, for those that have no such form
    name, _, rest = path.partition("__")
    field: Any = model._meta.get_field(name)  # noqa: SLF001  (documented by Django)
    if field.is_relation and rest not in LOOKUPS:
        there = field.related_model
        keys = there._default_manager.filter(named(there, [rest], term)).values_list("pk", flat=True)  # noqa: SLF001
        return Q(**{f"{name}__in": list(keys[:MOST_KEYS])})
    try:
        return Q(**{path: field.to_python(term)})
    except ValidationError:  # no number, no UUID
        return Q(pk__in=())


def sortable(model: type[Model]) -> set[str]:
    """The columns that an index of the whole table begins with."""
    options: Any = model._meta  # noqa: SLF001
    own = {field.name for field in options.fields if field.primary_key or field.unique or field.db_index}
    several = [*options.indexes, *options.constraints]
    first = {
        rule.fields[0].removeprefix("-")
        for rule in several
        if getattr(rule, "fields", ()) and getattr(rule, "condition", None) is None
    }
    return own | first
