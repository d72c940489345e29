"""The sentence in which a listing has the words that were searched for."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from directory.models import Listing, Site
from directory.search.words import HYPHENS, hyphenated, words_of

SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
TOKEN = re.compile(rf"([^\W_]+(?:[{HYPHENS}][^\W_]+)*)")
MARKS = re.compile(r"[*_`#>|]+")
STEM, READ, LISTED = 5, 5000, 160
FIELDS = ("keywords", "tags", "features", "short_description", "description")
Piece = tuple[str, bool]


def reasons(
    matches: Mapping[str, Mapping[str, Any]], *, site: Site, slugs: Sequence[str], words: str
) -> dict[str, tuple[str, list[Piece]]]:
    """For each listing whose name and tagline do not show it: the field and its pieces, those that match marked."""
    stems = {word[:STEM] for word in words_of(words) if len(word) > 1}
    unclear = [
        slug
        for slug in slugs
        if stems and not {"name", "tagline"}.intersection(matches.get(slug, {}).get("fields", ("name",)))
    ]
    rows = Listing.objects.filter(site=site, slug__in=unclear).values("slug", *FIELDS)
    result = {row["slug"]: _reason(row, stems) for row in rows}
    return {slug: reason for slug, reason in result.items() if reason}


def _reason(row: Mapping[str, Any], stems: Collection[str]) -> tuple[str, list[Piece]] | None:
    for field in FIELDS:
        value = row[field]
        texts = value if isinstance(value, list) else SENTENCE.split(MARKS.sub("", value[:READ]))
        for text in texts:
            if any(_is_match(token, stems) for token in TOKEN.findall(text)):
                return field, _pieces(text.strip(), stems)
    return None


def _is_match(token: str, stems: Collection[str]) -> bool:
    return any(word[:STEM] in stems for word in (*words_of(token), *hyphenated(token)))


def _pieces(text: str, stems: Collection[str]) -> list[Piece]:
    pieces = [(part, _is_match(part, stems)) for part in TOKEN.split(text) if part]
    first = next(number for number, (_, is_match) in enumerate(pieces) if is_match)
    start = max(0, first - 16) if len(text) > LISTED else 0
    cut = pieces[start : start + 40]
    return [*([("… ", False)] if start else []), *cut, *([(" …", False)] if start + 40 < len(pieces) else [])]
