"""Lists without ranking: a site's listings in one of the orders, ids first and rows after."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.api import caching
from core.api.pagination import TOTAL_EXACT_UP_TO, Page
from core.postgresql.base import fetch_all
from directory.models import Site
from directory.search import lexemes
from directory.search.cards import CARD, CardPage, Row, of_each, rows_of
from directory.search.lexemes import SAMPLE_ENOUGH, SAMPLED, SURELY_CAPPED

# What it takes to look at one row while walking an order, and to fetch and sort one hit, in microseconds.
WALK_FILTERS, WALK_WORDS, GATHER = 3, 12, 3

LIVE_ORDERS = {
    "votes": "s.votes DESC, s.listing_id",
    "trending": "s.hot DESC, s.listing_id",
    "most_viewed": "s.views DESC, s.listing_id",
    "most_followed": "s.followers DESC, s.listing_id",
    "newest": "l.launched_at DESC, l.id DESC",
}
UPCOMING_ORDERS = {**LIVE_ORDERS, "newest": "l.created_at DESC, l.id DESC", "soonest": "l.launch_week, l.id"}
BY_STATS = (
    "SELECT s.listing_id FROM directory_listingstats AS s WHERE s.site_id = %(site)s::bigint AND s.is_live"
)
BY_LAUNCH = "SELECT l.id FROM directory_listing AS l WHERE l.site_id = %(site)s::bigint AND l.status = 'live'"
UPCOMING = """
SELECT l.id FROM directory_listing AS l JOIN directory_listingstats AS s ON s.listing_id = l.id
WHERE l.site_id = %(site)s::bigint AND l.status = 'scheduled'
"""
GATHERED = """
SELECT l.id FROM hits CROSS JOIN LATERAL (
    SELECT * FROM directory_listing WHERE id = hits.listing_id OFFSET 0
) AS l
"""
GATHERED_BY_STATS = """
SELECT s.listing_id FROM hits CROSS JOIN LATERAL (
    SELECT * FROM directory_listingstats WHERE listing_id = hits.listing_id OFFSET 0
) AS s
"""
# a scalar sub-query, because a join could be turned round to read everything first
CHECKED = "{rows} AND (SELECT {test} FROM directory_searchdocument AS d WHERE d.listing_id = {listing})"

EVERYTHING = """
SELECT coalesce((SELECT {status} FROM directory_sitecount WHERE site_id = %(site)s::bigint), 0) AS hits,
    ARRAY({rows} ORDER BY {order} {part}) AS ids, NULL::bigint[] AS beginning
"""
SOME = """
WITH about AS MATERIALIZED (
    SELECT {about} AS hits,
        coalesce((SELECT live FROM directory_sitecount WHERE site_id = %(site)s::bigint), 0) AS live
), stated AS MATERIALIZED (
    SELECT {stated} AS hits FROM about
), counted AS MATERIALIZED (
    SELECT * FROM directory_search_ids(%(queries)s::tsquery[], %(exact)s::integer + 1)
), total AS MATERIALIZED (
    SELECT {total} AS hits FROM stated
), choice AS MATERIALIZED (
    SELECT %(can_walk)s::boolean
        AND (%(offset)s::bigint + %(per_page)s::bigint) * %(walk)s::bigint * about.live
            < %(gather)s::bigint * sized.hits::bigint * sized.hits
        AS walks, stated.hits IS NULL AND total.hits <= %(exact)s::bigint AS are_counted
    FROM about, stated, total,
        greatest(1, total.hits, CASE WHEN total.hits > %(exact)s::bigint THEN about.hits END) AS sized (hits)
), hits AS (
    SELECT * FROM counted WHERE (SELECT are_counted FROM choice) UNION ALL
    SELECT * FROM directory_search_ids(%(queries)s::tsquery[], %(all)s::integer)
    WHERE NOT (SELECT are_counted FROM choice)
), sorted AS MATERIALIZED (
    SELECT CASE WHEN NOT choice.walks THEN ARRAY({gathered} ORDER BY {order} LIMIT {length}) END AS ids FROM choice
)
SELECT total.hits, CASE WHEN choice.walks
    THEN ARRAY({walked} ORDER BY {order} {part})
    ELSE sorted.ids[%(offset)s::bigint + 1 : %(offset)s::bigint + %(per_page)s::bigint]
END AS ids, sorted.ids AS beginning FROM total, choice, sorted
"""
WITH_CARDS = """
SELECT page.hits, CASE WHEN coalesce(one.place, 1) = 1 THEN page.beginning END, one.listing_id, {card}
FROM ({page}) AS page LEFT JOIN LATERAL unnest(page.ids) WITH ORDINALITY AS one (listing_id, place) ON true
{cards} ORDER BY one.place
"""
ABOUT_WORDS = "%(about)s::bigint"
ABOUT_FILTERS = """
coalesce((
    SELECT min(documents) FROM directory_searchterm WHERE site_id = %(site)s::bigint AND term = ANY(%(filters)s::text[])
), 0)
"""
SINGLE_FILTER = f"CASE WHEN about.hits >= %(surely)s::bigint THEN about.hits ELSE {SAMPLED} END"
SHARED_TOTAL = "%(known)s::bigint"
STATED_OR_COUNTED = "coalesce(stated.hits, (SELECT count(*) FROM counted))"
FILED_TOTAL = """
coalesce((
    SELECT total_listings FROM directory_categorycount
    WHERE site_id = %(site)s::bigint AND category_id = %(category)s::bigint
), 0)
"""
ALL = 2_000_000_000
BEGINNING = 200  # ids of a list that are shared among its pages: ten pages of twenty


@dataclass(kw_only=True)
class Window:
    """Which listings are looked at, in which order, and which part of them is wanted."""

    site_id: int
    status: str
    sort: str
    page: int
    per_page: int

    @property
    def order(self) -> str:
        return (LIVE_ORDERS if self.status == "live" else UPCOMING_ORDERS)[self.sort]

    @property
    def by_stats(self) -> bool:
        return self.order.startswith("s.")

    @property
    def rows(self) -> str:
        if self.status == "upcoming":
            return UPCOMING
        return BY_STATS if self.by_stats else BY_LAUNCH

    @property
    def part(self) -> str:
        """Which of them, in SQL. That the first page is short is written as words, so that it is planned for once."""
        if self.page == 1:
            return f"LIMIT {self.per_page:d}"
        return "LIMIT %(per_page)s::bigint OFFSET %(offset)s::bigint"

    @property
    def offset(self) -> int:
        return (self.page - 1) * self.per_page

    @property
    def is_early(self) -> bool:
        """Whether the page lies in the beginning that all pages of a list share."""
        return self.offset + self.per_page <= BEGINNING

    def holding(self, cards: Mapping[int, Row], *, total: int, exact_up_to: int = TOTAL_EXACT_UP_TO) -> Page:
        return CardPage(
            items=list(cards),
            cards=cards,
            page=self.page,
            per_page=self.per_page,
            total=min(total, TOTAL_EXACT_UP_TO),
            total_is_estimate=total > exact_up_to,
        )

    def part_of(self, beginning: Sequence[int], *, total: int) -> Page:
        """The page, out of the ids that the list begins with."""
        ids = list(beginning[self.offset : self.offset + self.per_page])
        rows = rows_of(ids)
        return self.holding({pk: rows[pk] for pk in ids if pk in rows}, total=total)

    def params(self) -> dict[str, Any]:
        return {"site": self.site_id, "per_page": self.per_page, "offset": self.offset}


def browse_ids(
    *, site: Site, sort: str, category_id: int | None = None, status: str = "live", page: int, per_page: int
) -> Page:
    """One page of listing ids. `sort` is votes, newest, trending, most_viewed, most_followed or soonest."""
    window = Window(site_id=site.pk, status=status, sort=sort, page=page, per_page=per_page)
    if category_id is None:
        statement = EVERYTHING.format(status=status, rows=window.rows, order=window.order, part=window.part)
        return _page(statement, window.params(), window=window)[0]
    return with_filters([lexemes.in_category(category_id)], category_id=category_id, window=window)


def with_filters(filters: Sequence[str], *, category_id: int | None = None, window: Window) -> Page:
    """One page of the listings that pass these filters; `category_id` when a category is the only one."""
    parts = lexemes.parts_of(site_id=window.site_id, status=window.status)
    *queries, sampled = (
        lexemes.all_of([lexemes.quoted(part + entry) for entry in filters])
        for part in (*parts, lexemes.sample_of(site_id=window.site_id))
    )
    is_filed = category_id is not None and len(filters) == 1 and window.status == "live"
    params = {
        "queries": queries,
        "sampled": sampled if window.status == "live" else None,
        "filters": list(filters),
        "surely": SURELY_CAPPED,
        "category": category_id,
        "walk": WALK_FILTERS,
    }
    return _counted_once(
        params,
        about=ABOUT_FILTERS,
        stated=FILED_TOTAL if is_filed else SINGLE_FILTER if len(filters) == 1 else SAMPLED,
        test="d.filters @> %(filters)s::text[]",
        window=window,
    )


def with_words(queries: Sequence[str], *, sampled: str | None, about: float, window: Window) -> Page:
    """One page of what a query finds, in an order other than relevance; `about` is how much it may find.

    The query is given for each part of the index and for the sample.
    """
    params = {"queries": list(queries), "about": int(about), "sampled": sampled, "walk": WALK_WORDS}
    return _counted_once(
        params,
        about=ABOUT_WORDS,
        stated=SAMPLED,
        test="d.words @@ ANY(%(queries)s::tsquery[])",
        window=window,
    )


def _counted_once(params: dict[str, Any], *, about: str, stated: str, test: str, window: Window) -> Page:
    """A page; its total and its order are those of another page of the same list when one was given a moment ago.

    To count 5,000 hits costs 10 ms and to sort them as much, ten times of what a page of known listings does.
    """
    counted = tuple(params["queries"])
    in_order = (counted, window.order)
    existing = caching.shared(counted)
    beginning = caching.shared(in_order) if window.is_early else None
    if existing is not None and beginning is not None:
        return window.part_of(beginning, total=existing)
    statement = _some(
        about=about, stated=stated if existing is None else SHARED_TOTAL, test=test, window=window
    )
    page, beginning = _page(statement, {**params, "known": existing}, window=window)
    if existing is None:
        caching.share(counted, page.total + page.total_is_estimate)
    if window.is_early and beginning is not None:
        caching.share(in_order, array("q", beginning))
    return page


def _some(*, about: str, stated: str, test: str, window: Window) -> str:
    listing = "s.listing_id" if window.by_stats else "l.id"
    return SOME.format(
        about=about,
        stated=stated,
        total="stated.hits" if stated == SHARED_TOTAL else STATED_OR_COUNTED,
        order=window.order,
        part=window.part,
        length=BEGINNING if window.is_early else "%(offset)s::bigint + %(per_page)s::bigint",
        walked=CHECKED.format(rows=window.rows, test=test, listing=listing),
        gathered=GATHERED_BY_STATS if window.by_stats else GATHERED,
    )


@lru_cache(maxsize=256)
def _whole(statement: str) -> str:
    """With cards, in one line: psycopg reads a text of more than 4,096 letters anew each time."""
    return " ".join(WITH_CARDS.format(page=statement, card=CARD, cards=of_each("one.listing_id")).split())


def _page(statement: str, params: dict[str, Any], *, window: Window) -> tuple[Page, list[int] | None]:
    """The page, and the ids that its list begins with where all of them were sorted."""
    fixed = {
        "can_walk": window.status == "live",
        "gather": GATHER,
        "exact": TOTAL_EXACT_UP_TO,
        "sample_enough": SAMPLE_ENOUGH,
        "all": ALL,
    }
    rows = fetch_all(_whole(statement), {**params, **window.params(), **fixed})
    cards = {listing_id: card for _, _, listing_id, *card in rows if listing_id is not None}
    return window.holding(cards, total=rows[0][0]), rows[0][1]
