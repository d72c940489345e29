"""The search row of one listing, built in the application so that edits and rebuilds can never differ."""

import math
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from django.db import connection

from core.domains import registrable
from directory.search import lexemes
from directory.search.counting import SAMPLE_OF
from directory.search.index.sources import Source, Tree
from directory.search.words import hyphenated, words_of, written_apart

NAME, TAGLINE, KEYWORDS, DESCRIPTION = 1, 2, 4, 8
SHORT = NAME | TAGLINE | KEYWORDS
POSITIONS = [
    ",".join(f"{number}{weight}" for number, weight in enumerate("ABCD", 1) if mask & (1 << (number - 1)))
    for mask in range(16)
]
SEARCH_NAME = 200
STEMS_CACHED = 400_000


class Document(NamedTuple):
    listing_id: int
    part: str
    name: str
    newest_at: datetime
    tier: int
    popularity: float
    filters: list[str]
    short: str
    words: str


STEMS = "SELECT word, coalesce((ts_lexize('english_stem', word))[1], '') FROM unnest(%s::text[]) AS word"


class Stems:
    """English stems as PostgreSQL's dictionary makes them, cached for the next text; empty for stop words."""

    def __init__(self) -> None:
        self._stems: dict[str, str] = {}

    def learn(self, words: Iterable[str]) -> None:
        """Ask for all that is not known yet, at once."""
        unknown = [word for word in words if word not in self._stems]
        if not unknown:
            return
        if len(self._stems) > STEMS_CACHED:
            self._stems.clear()
            unknown = list(words)
        with connection.cursor() as cursor:
            cursor.execute(STEMS, [unknown])
            self._stems.update(cursor.fetchall())

    def of(self, word: str) -> str:
        return self._stems[word]


def fields_of(source: Source) -> dict[str, int]:
    """The words of a listing and the fields each stands in, as a mask."""
    result: dict[str, int] = {}
    texts = (
        (NAME, source.name),
        (TAGLINE, source.tagline),
        (KEYWORDS, " ".join((*source.keywords, *source.tags))),
        (DESCRIPTION, f"{source.short_description} {source.description}"),
    )
    for field, text in texts:
        words = words_of(text)
        joined = [first + second for first, second in pairwise(words)] if field == NAME else []
        joined += written_apart(words) if field & SHORT else []
        for word in (*words, *joined, *hyphenated(text)):
            result[word] = result.get(word, 0) | field
    return {word: mask for word, mask in result.items() if mask & NAME or len(word) > 1}


def search_name(name: str) -> str:
    """A name as searches compare it: its words and nothing else."""
    return " ".join(words_of(name))[:SEARCH_NAME]


def filters_of(source: Source, *, tree: Tree) -> list[str]:
    filters = [lexemes.in_category(pk) for pk in tree.lineage(source.category_ids)]
    hosts = {source.domain, source.host, registrable(source.host)}
    filters += [lexemes.of_domain(host) for host in sorted(hosts)]
    if source.country:
        filters.append(lexemes.of_country(source.country))
    if source.stage:
        filters.append(lexemes.at_stage(source.stage))
    if source.pricing_model:
        filters.append(lexemes.with_pricing(source.pricing_model))
    return filters


def lexeme_masks(fields: dict[str, int], *, stems: Stems) -> dict[str, int]:
    """Words and the stems that differ from them, with the fields of each. Stop words stay in names only."""
    result: dict[str, int] = {}
    for word, whole_mask in fields.items():
        stem = stems.of(word)
        mask = whole_mask if stem else whole_mask & NAME
        if stem and stem != word:
            result[lexemes.STEM + stem] = result.get(lexemes.STEM + stem, 0) | mask
        if mask:
            result[lexemes.WORD + word] = mask
    return result


def document(source: Source, *, masks: dict[str, int], filters: list[str], tier: int) -> Document:
    part = lexemes.part_of(site_id=source.site_id, status=source.public_status, tier=tier)
    parts = [part]
    if source.public_status == "live" and source.id % SAMPLE_OF == 0:
        parts.append(lexemes.sample_of(site_id=source.site_id))
    short = (
        f"'{lexeme.removeprefix(lexemes.WORD)}':{POSITIONS[mask & SHORT]}"
        for lexeme, mask in masks.items()
        if mask & SHORT
    )
    words = [f"'{entry}{lexeme}':{POSITIONS[mask]}" for entry in parts for lexeme, mask in masks.items()]
    words += [lexemes.quoted(entry + mark) for entry in parts for mark in filters]
    return Document(
        listing_id=source.id,
        part=part,
        name=search_name(source.name),
        newest_at=source.launched_at or source.created_at,
        tier=tier,
        popularity=math.log((source.votes or 0) + 1),
        filters=filters,
        short=" ".join(short),
        words=" ".join(words),
    )
