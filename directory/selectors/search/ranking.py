"""Ranks what a query finds, in one statement of stages: one runs when those before it found too little."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from directory.selectors.search import lexemes
from directory.selectors.search.counting import COUNTED, count_of
from directory.selectors.search.planning import NO_NAMES, Plan

RANKED_UP_TO = 3000
TIER_UP_TO = 20_000
FIELDS = {"A": "name", "B": "tagline", "C": "keywords", "D": "description"}
# shares of a word in the description, keywords, tagline and name
WEIGHTS = "{0,0.2,0.4,1}"

STAGE = """
stage_{number} AS MATERIALIZED (
    SELECT {number} AS stage, h.*, h.rank * %(scale_{number})s AS relevance
    FROM directory_search_ranked(
        %(asked_{number})s::tsquery, %(ranked_{number})s::tsquery, %(weights)s::real[], %(part)s,
        %(name_from_{number})s, %(name_to_{number})s, %(filters)s::text[], %(names_{number})s::text[],
        CASE WHEN {before} < %(below_{number})s THEN %(most_{number})s ELSE 0 END
    ) AS h
    {unseen}
)"""
SO_FAR = "(SELECT count(*) FROM {})"
UNSEEN = "NOT EXISTS (SELECT FROM {0} WHERE {0}.listing_id = h.listing_id)"
RESULT = """
, hits AS MATERIALIZED (
    SELECT listing_id, stage, is_named, newest_at,
        relevance + 0.02 * popularity + CASE WHEN is_named THEN 2 WHEN begins THEN 0.5 ELSE 0 END AS score
    FROM ({stages}) AS staged
), page AS MATERIALIZED (
    SELECT hits.*, row_number() OVER (ORDER BY {order}) AS place FROM hits {join}
    ORDER BY {order} LIMIT %(per_page)s OFFSET %(offset)s
)
SELECT found.total, found.first, found.named, page.listing_id, ARRAY(
    SELECT u.lexeme || ' ' || array_to_string(u.weights, '')
    FROM directory_searchdocument AS d, unnest(d.words) AS u
    WHERE d.listing_id = page.listing_id AND u.lexeme = ANY(%(lexemes)s)
)
FROM (
    SELECT {total} AS total, count(*) FILTER (WHERE stage = 0) AS first, bool_or(is_named) AS named FROM hits
) AS found LEFT JOIN page ON true ORDER BY page.place
"""
STATS = "JOIN directory_listingstats AS s USING (listing_id)"
ORDERS = {
    "relevance": ("stage, is_named DESC, score DESC, listing_id", ""),
    "newest": ("newest_at DESC, listing_id DESC", ""),
    "votes": ("s.votes DESC, listing_id", STATS),
    "trending": ("s.hot DESC, listing_id", STATS),
    "most_viewed": ("s.views DESC, listing_id", STATS),
    "most_followed": ("s.followers DESC, listing_id", STATS),
}
MATCHED = """
SELECT d.listing_id, ARRAY(
    SELECT u.lexeme || ' ' || array_to_string(u.weights, '') FROM unnest(d.words) AS u
    WHERE u.lexeme = ANY(%(lexemes)s)
)
FROM directory_searchdocument AS d WHERE d.listing_id = ANY(%(ids)s)
"""


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A query of a stage. It runs when the stages before found less than `below`, and ranks `most` hits."""

    asked: str
    plan: Plan
    names: tuple[str, str]
    below: int = 1
    most: int = RANKED_UP_TO + 1


@dataclass(frozen=True, kw_only=True)
class Count:
    """A query to count, and about how much it may find."""

    query: str
    about: float


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """A page of hits, each with its lexemes and their fields. `first` is what the first stage found."""

    total: int
    first: int
    has_named: bool
    hits: dict[int, dict[str, str]]


def by_tier(whole: Plan, *, below: int) -> list[Stage]:
    """A stage for each tier of popularity, exact names in the first, for queries that find very much."""
    popular, known = (lexemes.quoted(whole.part + lexemes.of_tier(tier)) for tier in (0, 1))
    named, nobody = (whole.typed, whole.typed), NO_NAMES
    return [
        Stage(asked=f"{whole.asked}&{restriction}", plan=whole, names=names, below=below, most=TIER_UP_TO)
        for restriction, names in ((popular, named), (known, nobody), (f"!({popular}|{known})", nobody))
    ]


def ranked_page(
    stages: Sequence[Stage], *, sort: str, page: int, per_page: int, counted: Count | None = None
) -> Ranked:
    """One page of what the stages find. `counted` says how to count where stages end early."""
    first = stages[0].plan
    asked: dict[str, Any] = {
        "weights": WEIGHTS,
        "part": first.part,
        "filters": list(first.filters),
        "lexemes": [
            first.part + one for one in dict.fromkeys(one for stage in stages for one in stage.plan.ranking)
        ],
        "per_page": per_page,
        "offset": (page - 1) * per_page,
        **(count_of(counted.query, part=first.part) | {"about": int(counted.about)} if counted else {}),
    }
    for number, stage in enumerate(stages):
        own = {
            "asked": stage.asked,
            "ranked": stage.plan.ranked,
            "scale": stage.plan.scale,
            "names": stage.plan.names,
            "name_from": stage.names[0],
            "name_to": stage.names[1],
            "below": stage.below,
            "most": stage.most,
        }
        asked |= {f"{name}_{number}": value for name, value in own.items()}
    with connection.cursor() as cursor:
        cursor.execute(_statement(len(stages), sort=sort, counted=counted), asked)
        rows = cursor.fetchall()
    total, found_first, has_named = rows[0][:3]
    hits = {listing_id: _fields(matched, part=first.part) for *_, listing_id, matched in rows if listing_id}
    return Ranked(total=total, first=found_first, has_named=bool(has_named), hits=hits)


def matched(listing_ids: Sequence[int], *, whole: Plan) -> dict[int, dict[str, str]]:
    """Which of a query's lexemes these hits have, and in which fields, in the order of the ids."""
    asked: dict[str, Any] = {"ids": list(listing_ids), "lexemes": [whole.part + one for one in whole.ranking]}
    with connection.cursor() as cursor:
        cursor.execute(MATCHED, asked)
        found = dict(cursor.fetchall())
    return {pk: _fields(found.get(pk, []), part=whole.part) for pk in listing_ids}


def _statement(stages: int, *, sort: str, counted: Count | None) -> str:
    order, join = ORDERS[sort]
    parts = []
    for number in range(stages):
        before = [f"stage_{earlier}" for earlier in range(number)]
        parts.append(
            STAGE.format(
                number=number,
                before=" + ".join(SO_FAR.format(one) for one in before) or "0",
                unseen="WHERE " + " AND ".join(UNSEEN.format(one) for one in before) if before else "",
            )
        )
    union = " UNION ALL ".join(f"TABLE stage_{number}" for number in range(stages))
    result = RESULT.format(
        stages=union,
        order=order,
        join=join,
        total=COUNTED.format(about="%(about)s") if counted else "count(*)",
    )
    return "WITH" + ",".join(parts) + result


def _fields(rows: Sequence[str], *, part: str) -> dict[str, str]:
    pairs = (row.rsplit(" ", 1) for row in rows)
    return {lexeme.removeprefix(part): weights for lexeme, weights in pairs}
