"""The launches of a week; the running one has a page of its own."""

from datetime import date, datetime

from core.api.pagination import TOTAL_EXACT_UP_TO, Page, capped
from core.postgresql.base import fetch_all
from directory import weeks
from directory.models import Site
from directory.search.cards import COLUMNS, summary
from leaderboards.boards.base import BoardView, ByVotes, with_listings

LAUNCHED = """
directory_launch AS l
WHERE l.site_id = %(site)s AND l.week = %(week)s::date AND NOT l.is_hidden AND l.launched_at IS NOT NULL
"""
WEEKLY = f"""
WITH about AS MATERIALIZED (
    SELECT (
        SELECT closed_at FROM leaderboards_weekclose WHERE site_id = %(site)s AND week = %(week)s::date
    ) AS closed_at, (
        SELECT count(*) FROM (SELECT FROM {LAUNCHED} LIMIT {TOTAL_EXACT_UP_TO + 1}) AS counted
    ) AS listings
)
SELECT about.closed_at, about.listings, l.votes, {COLUMNS}
FROM about LEFT JOIN (
    (
        SELECT l.listing_id, l.votes, l.launched_at FROM {LAUNCHED}
        ORDER BY l.votes DESC, l.launched_at, l.listing_id OFFSET %(offset)s LIMIT %(per_page)s
    ) AS l
    JOIN directory_listingcard AS c ON c.listing_id = l.listing_id
    JOIN directory_listingstats AS s ON s.listing_id = l.listing_id
) ON true
ORDER BY l.votes DESC, l.launched_at, l.listing_id
"""  # noqa: S608 constants


class Weekly(ByVotes):
    """Final once its week is closed."""

    code, position, tab, path = "community-weekly", 10, "This week", "/weeks/this"
    title, summary = "Launches of the week", "votes of a week"
    formula = "Votes cast by people from Monday 00:00 to Sunday 24:00 UTC for the launches of that week."
    tie_rule = "Equal votes: the listing that was launched earlier stands first, then the one that was listed earlier."
    has_weeks = True

    def view(self, *, site: Site, week: date | None, page: int, per_page: int, at: datetime) -> BoardView:
        week = week or weeks.week_of(at)
        params = {"site": site.pk, "week": week, "offset": (page - 1) * per_page, "per_page": per_page}
        rows = fetch_all(WEEKLY, params)
        closed_at, listings = rows[0][:2]
        places = [row[2:] for row in rows if row[2] is not None]
        total, is_estimate = capped(listings)
        places_page = with_listings(
            Page(items=[], page=page, per_page=per_page, total=total, total_is_estimate=is_estimate),
            cards=[summary(columns) for _, *columns in places],
            metrics=[self.votes(votes) for votes, *_ in places],
        )
        return BoardView(board=self, week=week, as_of=closed_at or at, page=places_page)
