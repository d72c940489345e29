"""Categories as people name them."""

import difflib

from core.api.errors import FieldError
from directory.models import Category
from directory.wording import in_a_row
from drafts import machinery
from drafts.drafting.first_draft import category_hints
from drafts.errors import CategoryUnknownError


def known_categories(given: list[str]) -> list[str]:
    """The names of categories given by name or slug. Raises CategoryUnknownError with near names."""
    rows = list(Category.objects.order_by("position", "pk").values_list("name", "slug"))
    by_word = {word.casefold(): name for name, slug in rows for word in (slug, name)}
    errors, result, suggestions = [], [], {}
    for index, word in enumerate(given):
        name = by_word.get(word.casefold())
        if name:
            result.append(name)
            continue
        near = difflib.get_close_matches(word.casefold(), by_word, n=5, cutoff=0.5)
        like = machinery.named_like(word, category_hints())
        suggestions[word] = list(dict.fromkeys([*like, *(by_word[candidate] for candidate in near)]))[:5]
        hint = f" Did you mean {in_a_row(suggestions[word], last='or')}?" if suggestions[word] else ""
        message = f"No category “{word}”.{hint}"
        errors.append(
            FieldError(code="category_unknown", pointer=f"/fields/categories/{index}", message=message)
        )
    if errors:
        raise CategoryUnknownError("Choose a category from the list.", errors=errors, suggestions=suggestions)
    return list(dict.fromkeys(result))
