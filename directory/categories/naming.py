"""Categories as people name them."""

import difflib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from django.db.models import Value
from django.db.models.functions import Coalesce

from core.api.errors import FieldError
from core.parts import Several
from directory.errors import CategoryUnknownError
from directory.models import Category
from directory.wording import in_a_row


def categories_named(
    words: Sequence[str], *, like: Callable[[str], Sequence[str]] = lambda _: ()
) -> dict[str, str]:
    """Slugs of categories given by name or slug, by name. Raises CategoryUnknownError with near names.

    `like` gives the names of categories that a word may mean, the likest first.
    """
    rows = list(Category.objects.order_by("position", "pk").values_list("name", "slug"))
    by_word = {word.casefold(): (name, slug) for name, slug in rows for word in (slug, name)}
    errors, result, suggestions = [], {}, {}
    for index, word in enumerate(words):
        if existing := by_word.get(word.casefold()):
            result[existing[0]] = existing[1]
            continue
        near = difflib.get_close_matches(word.casefold(), by_word, n=5, cutoff=0.5)
        names = dict.fromkeys([*like(word), *(by_word[candidate][0] for candidate in near)])
        suggestions[word] = list(names)[:5]
        hint = f" Did you mean {in_a_row(suggestions[word], last='or')}?" if suggestions[word] else ""
        message = f"No category “{word}”.{hint}"
        errors.append(
            FieldError(code="category_unknown", pointer=f"/fields/categories/{index}", message=message)
        )
    if errors:
        raise CategoryUnknownError("Choose a category from the list.", errors=errors, suggestions=suggestions)
    return result


follows_names = Several[Callable[[Mapping[str, str]], None]]()  # who keeps categories by their names


def tell_renamed(names: Mapping[str, str], *, renamed: Collection[int]) -> None:
    """Categories have other names now, or are part of one: the new name by the former one, all at once.

    Not told of a former name that another category keeps, one that is not among the `renamed` (or the new).
    """
    taken = set(
        Category.objects.filter(name__in=names).exclude(pk__in=renamed).values_list("name", flat=True)
    )
    if changes := {
        before: after for before, after in names.items() if before != after and before not in taken
    }:
        for follow in follows_names:
            follow(changes)


def all_names() -> dict[str, str]:
    """What there is to choose from, in the tree's order: each name with the one above it."""
    roots = Coalesce("parent__position", "position"), Coalesce("parent_id", "pk")
    rows = Category.objects.filter(parent__parent=None, parent__merged_into=None)
    rows = rows.order_by(*roots, "-parent_id", "position", "pk")  # which puts a root before its own
    return dict(rows.values_list("name", Coalesce("parent__name", Value(""))))


def refuse_unknown(_request: Any, *, body: Mapping[str, Any]) -> None:
    """Look at the categories among the fields of a body. Raises CategoryUnknownError."""
    words = (body.get("fields") or {}).get("categories") or []
    if None not in words:
        categories_named(words)
