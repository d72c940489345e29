"""Words about edits for pages of staff."""

from collections.abc import Collection

from django import template

from directory.wording import words_of

register = template.Library()
NAMED = 3


@register.filter
def edit_labels(names: Collection[str]) -> str:
    """What an edit changed: Website, tagline, pricing."""
    labels = [words_of(name) for name in names]
    more = f" and {len(labels) - NAMED} more" if len(labels) > NAMED else ""
    return (", ".join(labels[:NAMED]).capitalize() if labels else "Nothing") + more


@register.filter
def flag_words(flag: str) -> str:
    return flag.replace("_", " ")
