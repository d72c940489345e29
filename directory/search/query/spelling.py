"""What somebody may have meant whose words no listing has, nor any that search corrects to."""

from collections.abc import Sequence
from difflib import get_close_matches

from django.db.models import Q

from directory.models import SearchTerm
from directory.search.query.vocabulary import LAST
from directory.search.words import is_keyed

BEGINNING, TERMS, WORDS, CUTOFF = 2, 400, 3, 0.66


def respelt(typed: Sequence[str], *, site_id: int) -> str | None:
    """The first few words, each as the nearest one that listings have with the same beginning; None without any.

    One statement, whatever was typed; what is typed beyond the first few words stays as it is.
    """
    doubtful = [word for word in typed if is_keyed(word)][:WORDS]
    if not doubtful:
        return None
    wanted = Q()
    for word in doubtful:
        wanted |= Q(term__gte=word[:BEGINNING], term__lt=word[:BEGINNING] + LAST)
    terms = SearchTerm.objects.filter(wanted, site_id=site_id, documents__gt=0)
    likely = [*terms.order_by("-documents", "term").values_list("term", flat=True)[:TERMS]]
    near = {word: get_close_matches(word, likely, n=1, cutoff=CUTOFF) for word in doubtful}
    words = [next(iter(near.get(word, ())), word) for word in typed]
    return " ".join(words) if words != list(typed) else None
