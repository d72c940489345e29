"""What somebody voted for in a week, where it stands."""

from datetime import date
from typing import Any

from core.statements import fetch_all
from directory.launches.race import PUBLIC
from directory.models import Site
from directory.search.cards import CARD, of_each, summary

MOST = 5
VOTED = f"""
WITH placed AS (
    SELECT l.listing_id, l.votes, row_number() OVER (ORDER BY l.votes DESC, l.launched_at, l.listing_id) AS rank
    FROM directory_launch AS l WHERE {PUBLIC}
)
SELECT placed.rank, placed.votes, {CARD}
FROM placed JOIN directory_vote AS v ON v.listing_id = placed.listing_id {of_each("placed.listing_id")}
WHERE v.user_id = %(user)s AND v.week = %(week)s::date AND v.voided_at IS NULL AND card.body IS NOT NULL
ORDER BY placed.rank LIMIT %(most)s
"""  # noqa: S608 constants


def voted_in(*, user_id: int, site: Site, week: date) -> list[tuple[int, dict[str, Any], int]]:
    """Rank, card and votes of each, best first, in one statement."""
    rows = fetch_all(VOTED, {"user": user_id, "site": site.pk, "week": week, "most": MOST})
    return [(rank, summary(columns), votes) for rank, votes, *columns in rows]
