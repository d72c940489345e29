"""What somebody may have meant whose words no listing has, nor any that search corrects to."""

from collections.abc import Sequence
from difflib import get_close_matches

from django.db.models import Q

from directory.models import SearchTerm
from directory.search.query.vocabulary import LAST
from directory.search.words import is_keyed

BEGINNING, TERMS, WORDS, CUTOFF = 2, 400, 3, 0.66


def respelt(typed: Sequence[str], *, site_id: int) -> str | None:
    """These words, each as the nearest one that listings have with the same beginning; None when nothing is near.

    One statement, whatever was typed.
    """
    wanted = Q()
    for word in [word for word in typed if is_keyed(word)][:WORDS]:
        wanted |= Q(term__gte=word[:BEGINNING], term__lt=word[:BEGINNING] + LAST)
    if not wanted:
        return None
    terms = SearchTerm.objects.filter(wanted, site_id=site_id, documents__gt=0)
    likely = terms.order_by("-documents", "term").values_list("term", flat=True)[:TERMS]
    near = [
        get_close_matches(word, [*likely], n=1, cutoff=CUTOFF) if is_keyed(word) else [] for word in typed
    ]
    words = [found[0] if found else word for word, found in zip(typed, near, strict=True)]
    return " ".join(words) if words != list(typed) else None
