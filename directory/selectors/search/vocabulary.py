"""What is known of the typed words: how common each is, what it may begin or be a misspelling of."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from core.statements import fetch_all
from directory.selectors.search.words import (
    TWO_EDITS_FROM,
    WORD,
    delete_keys,
    distance,
    edits_allowed,
    edits_between,
)

WORDS = 8
PREFIX_LETTERS, PREFIX_UP_TO, PREFIX_TERMS = 3, 10, 30
# as many corrections of a word are looked for; long lists of listings take time, so fewer that many listings have
CORRECTIONS, COMMON_CORRECTIONS, COMMON = 24, 6, 200
LAST = "\U0010ffff"

# a range is written out, so that no plan can lose the index that a LIKE would need
LOOK_UP = """
WITH asked AS MATERIALIZED (
    SELECT word, coalesce((ts_lexize('english_stem', word))[1], '') AS stem
    FROM unnest(%(words)s::text[]) AS word
)
SELECT 'word', a.word, a.stem, coalesce(w.documents, 0), coalesce(w.in_names, false),
    coalesce(p.documents, 0) + coalesce(s.documents, 0)
FROM asked AS a
LEFT JOIN directory_searchterm AS w ON w.site_id = %(site)s AND w.term = a.word
LEFT JOIN directory_searchterm AS p ON p.site_id = %(site)s AND p.term = a.stem AND a.stem <> a.word
LEFT JOIN directory_searchterm AS s ON s.site_id = %(site)s AND s.term = '~' || a.stem
UNION ALL
SELECT 'filter', term, '', documents, false, 0 FROM directory_searchterm
WHERE site_id = %(site)s AND term = ANY(%(filters)s::text[])
UNION ALL
SELECT 'category', '#c' || c.id, c.id::text, coalesce(t.documents, 0), false, 0 FROM directory_category AS c
LEFT JOIN directory_searchterm AS t ON t.site_id = %(site)s AND t.term = '#c' || c.id
WHERE c.slug = %(category)s::text
UNION ALL
(
    SELECT 'prefix', term, '', documents, in_names, 0 FROM directory_searchterm
    WHERE site_id = %(site)s AND term > %(prefix)s::text AND term < %(prefix_end)s::text AND %(prefix)s::text <> ''
    AND NOT EXISTS (
        SELECT FROM directory_searchterm AS w
        WHERE w.site_id = %(site)s AND w.term = %(prefix)s::text AND w.documents > %(rare)s::integer
    )
    ORDER BY documents DESC, term LIMIT %(prefix_terms)s::integer
)
UNION ALL
SELECT 'site', '', '', greatest(live + upcoming, 1), false, 0 FROM directory_sitecount
WHERE site_id = %(site)s
"""
# A swap of neighbours counts as two edits here and as one in `distance`, so words with more edits than are allowed are
# looked at as well, if they have the letters for it: the same ones, or all but one when a second edit is allowed.
NEAR = """
SELECT a.word, t.term, coalesce((ts_lexize('english_stem', t.term))[1], t.term), t.documents, t.in_names, e.edits
FROM unnest(%(words)s::text[], %(keys)s::text[]) AS a (word, keys)
JOIN directory_searchterm AS t ON t.deletes && a.keys::integer[],
LATERAL (
    SELECT CASE WHEN greatest(length(t.term), length(a.word)) < %(two_from)s::integer THEN 1 ELSE 2 END AS most
) AS allowed,
LATERAL (SELECT levenshtein_less_equal(t.term, a.word, 2 * allowed.most) AS edits) AS e
WHERE t.site_id = %(site)s AND t.documents > 0 AND t.term <> a.word
AND abs(length(t.term) - length(a.word)) <= allowed.most AND (
    e.edits <= allowed.most
    OR e.edits <= 2 * allowed.most AND length(translate(t.term, a.word, '')) < allowed.most
    AND length(translate(a.word, t.term, '')) < allowed.most
)
"""


class Near(NamedTuple):
    """A term that a typed word may be a misspelling of."""

    term: str
    stem: str
    documents: int


@dataclass(kw_only=True)
class Word:
    """One typed word. `documents` is how many listings have it, `stem_documents` how many have its stem."""

    text: str
    stem: str = ""
    documents: int = 0
    in_names: bool = False
    stem_documents: int = 0
    longer: list[tuple[str, int]] = field(default_factory=list)
    near: list["Near"] = field(default_factory=list)

    @property
    def is_known(self) -> bool:
        """Whether any listing has it, in some inflection."""
        return bool(self.documents or self.stem_documents)

    @property
    def is_needed(self) -> bool:
        """Whether a listing must have it: stop words and single letters say nothing."""
        return bool(self.stem) and len(self.text) > 1


@dataclass(kw_only=True)
class Vocabulary:
    """The typed words in their order, without repetitions, and what is known of them and of the filters."""

    words: list[Word]
    joined: dict[str, Word]
    filters: dict[str, int]
    category_id: int | None
    listings: int


def typed_words(words: Sequence[str]) -> list[str]:
    """The words that are searched for: each once, and not more than make sense."""
    return list(dict.fromkeys(words))[:WORDS]


def look_up(
    words: Sequence[str], *, site_id: int, filters: Collection[str], category: str | None
) -> Vocabulary:
    """Ask for everything at once. The last word may be unfinished: a rare one brings what it begins."""
    joined = [first + second for first, second in pairwise(words) if len(first + second) <= WORD]
    prefix = words[-1] if words and len(words[-1]) >= PREFIX_LETTERS else ""
    asked: dict[str, Any] = {
        "site": site_id,
        "words": [*dict.fromkeys([*words, *joined])],
        "filters": list(filters),
        "category": category or "",
        "prefix": prefix,
        "prefix_end": prefix + LAST,
        "prefix_terms": PREFIX_TERMS,
        "rare": PREFIX_UP_TO,
    }
    rows = fetch_all(LOOK_UP, asked)
    found = {
        text: Word(text=text, stem=stem, documents=documents, in_names=in_names, stem_documents=stems)
        for kind, text, stem, documents, in_names, stems in rows
        if kind == "word"
    }
    if prefix:
        found[prefix].longer = [
            (term, documents) for kind, term, _, documents, *_ in rows if kind == "prefix"
        ]
    return Vocabulary(
        words=[found[word] for word in words],
        joined={word: found[word] for word in joined if found[word].in_names},
        filters={term: documents for kind, term, _, documents, *_ in rows if kind in {"filter", "category"}},
        category_id=next((int(pk) for kind, _, pk, *_ in rows if kind == "category"), None),
        listings=next((documents for kind, _, _, documents, *_ in rows if kind == "site"), 1),
    )


def add_near(words: Sequence[Word], *, site_id: int) -> None:
    """Note for each of these words the terms it may be a misspelling of: the nearest, likeliest first."""
    open_words = [word for word in words if edits_allowed(word.text)]
    if not open_words:
        return
    asked: dict[str, Any] = {
        "site": site_id,
        "words": [word.text for word in open_words],
        "two_from": TWO_EDITS_FROM,
        "keys": [
            "{" + ",".join(map(str, delete_keys(word.text, site_id=site_id))) + "}" for word in open_words
        ],
    }
    rows = fetch_all(NEAR, asked)
    for word in open_words:
        word.near = _nearest(word.text, [row[1:] for row in rows if row[0] == word.text])


def _nearest(text: str, terms: Sequence[tuple[str, str, int, bool, int]]) -> list[Near]:
    # without swaps the edits are the distance; a swap can only be among more of them
    most = 1 if any(edits <= 1 for *_, edits in terms) else 2
    far = {
        term: edits if edits <= 1 else distance(text, term, at_most=edits_between(text, term))
        for term, *_, edits in terms
        if edits <= 2 * most
    }
    far = {term: apart for term, apart in far.items() if apart <= edits_between(text, term)}
    nearest = min(far.values(), default=None)
    ranked = sorted(
        (term[0] != text[0], not in_names, -documents, term, stem)
        for term, stem, documents, in_names, _ in terms
        if far.get(term, -1) == nearest
    )
    found = [Near(term=term, stem=stem, documents=-documents) for *_, documents, term, stem in ranked]
    common = [one for one in found if one.documents > COMMON][COMMON_CORRECTIONS:]
    return [one for one in found if one not in common][:CORRECTIONS]
