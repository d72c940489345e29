"""Ranks what a query finds: one call of `directory_search_page`, whose stages run while too little is found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from core.postgresql.base import SEPARATOR, fetch_all
from directory.search.cards import CARD, Row, of_each
from directory.search.query.browsing import Window
from directory.search.query.planning import Plan

# how many hits of what was typed are ranked, and of what it may have meant; beyond, popular ones come first. Of 1,000
# hits, up to which totals are exact, the sample would hold as many as of 2,500 once in a million queries.
RANKED_UP_TO, GUESSED_UP_TO = 2500, 1000
FIELDS = {"A": "name", "B": "tagline", "C": "keywords", "D": "description"}

RANKED = """
SELECT hit.total, hit.has_named, hit.listing_id, hit.matched, {card} FROM directory_search_page(
    %(stages)s::jsonb, string_to_array(%(parts)s, chr(31)), string_to_array(%(filters)s, chr(31)),
    string_to_array(%(lexemes)s, chr(31)), %(sort)s::text,
    %(skip)s::integer, %(take)s::integer, %(is_many)s::boolean, %(total)s::bigint, %(sampled)s::tsquery
) WITH ORDINALITY AS hit (total, has_named, listing_id, matched, place)
{cards} ORDER BY hit.place
"""
PAGE = RANKED.format(card=CARD, cards=of_each("hit.listing_id"))
MATCHED = """
SELECT listing_id, directory_search_matched(listing_id, string_to_array(%(lexemes)s, chr(31)))
FROM unnest(%(ids)s::bigint[]) AS listing_id
"""


@dataclass(kw_only=True)
class Stage:
    """A query, for each part of the site's listings, and the range of names that are hits as well.

    It runs when the stages before found less than `below`, and ranks `most` hits. With `only_if_none`, it and all
    after it are for when those before found nothing.
    """

    queries: Sequence[str]
    plan: Plan
    names: tuple[str, str]
    below: int
    most: int
    only_if_none: bool = False


@dataclass(kw_only=True)
class Ranked:
    """A page of hits, each with its lexemes and their fields, and its card. `total` is None: too many to sort."""

    total: int | None
    has_named: bool
    hits: dict[int, dict[str, str]]
    cards: dict[int, Row]


def ranked_page(
    stages: Sequence[Stage], *, window: Window, about: float, at_most: float, total: int | None
) -> Ranked:
    """The page of what the stages find: `about` so many, `at_most` so many, surely `total` if that is known."""
    first = stages[0].plan
    params: dict[str, Any] = {
        "stages": orjson.dumps([_as_row(number, stage) for number, stage in enumerate(stages)]).decode(),
        "parts": SEPARATOR.join(first.parts),
        "filters": SEPARATOR.join(first.filters),
        "lexemes": SEPARATOR.join(dict.fromkeys(entry for stage in stages for entry in stage.plan.ranking)),
        "sort": window.sort,
        "skip": window.offset,
        "take": window.per_page,
        "is_many": about > RANKED_UP_TO,
        "total": total,
        "sampled": first.sampled if at_most > RANKED_UP_TO and total is None else None,
    }
    rows = fetch_all(PAGE, params)
    hits = [row for row in rows if row[2]]
    return Ranked(
        total=rows[0][0],
        has_named=bool(rows[0][1]),
        hits={row[2]: _fields(row[3]) for row in hits},
        cards={row[2]: row[4:] for row in hits},
    )


def matched(listing_ids: Sequence[int], *, whole: Plan) -> dict[int, dict[str, str]]:
    """Which of a query's lexemes these hits have, and in which fields, in the order of the ids."""
    result: dict[int, list[str]] = dict(
        fetch_all(MATCHED, {"ids": list(listing_ids), "lexemes": SEPARATOR.join(whole.ranking)})
    )
    return {pk: _fields(result[pk]) for pk in listing_ids}


def _as_row(number: int, stage: Stage) -> dict[str, Any]:
    plan = stage.plan
    return {
        "number": number,
        "asked": stage.queries,
        "ranked": plan.ranked,
        "scale": plan.scale,
        "names": plan.names,
        "name_from": stage.names[0],
        "name_to": stage.names[1],
        "below": stage.below,
        "most": stage.most,
        "only_if_none": stage.only_if_none,
    }


def _fields(rows: Sequence[str]) -> dict[str, str]:
    return dict(row.rsplit(" ", 1) for row in rows)
