"""The five boards, which are never mixed: what each counts, whether it is paid, and how ties are broken."""

from dataclasses import dataclass
from enum import StrEnum

DISCLOSURE = (
    "This board is paid. Companies pay for these places. Ranked by money contributed, never by votes; "
    "it has no influence on any other board, on search or on awards."
)
BY_VOTES = (
    "Equal votes: the listing that was launched earlier stands first, then the one that was listed earlier."
)
BY_ALL_VOTES = "Equal votes: the listing that was listed earlier stands first."
BY_VALUE = (
    "Equal figures: the listing that was launched earlier stands first, then the one that was listed earlier."
)


class BoardName(StrEnum):
    """The interface's words."""

    COMMUNITY_WEEKLY = "community-weekly"
    COMMUNITY_ALL_TIME = "community-all-time"
    BILLBOARD = "billboard"
    DOMAIN_RATING = "domain-rating"
    REVENUE = "revenue"


@dataclass(frozen=True, kw_only=True)
class Board:
    """One board. `standing` boards are kept in `Standing` and refreshed; the others are counted live.

    Money is counted in cents, `period` is what it was earned in.
    """

    name: BoardName
    title: str
    metric: str
    unit: str | None
    formula: str
    tie_rule: str
    paid: bool = False
    disclosure: str | None = None
    is_standing: bool = False
    is_money: bool = False
    period: str | None = None


BOARDS = {
    board.name: board
    for board in (
        Board(
            name=BoardName.COMMUNITY_WEEKLY,
            title="Launches of the week",
            metric="votes",
            unit="votes",
            formula="Votes cast by people from Monday 00:00 to Sunday 24:00 UTC for the launches of that week.",
            tie_rule=BY_VOTES,
        ),
        Board(
            name=BoardName.COMMUNITY_ALL_TIME,
            title="Most voted of all time",
            metric="votes",
            unit="votes",
            formula="All votes ever cast by people on the site, one a person and listing.",
            tie_rule=BY_ALL_VOTES,
        ),
        Board(
            name=BoardName.BILLBOARD,
            title="Billboard (paid)",
            metric="contributed",
            unit="cents",
            is_money=True,
            formula="Money contributed by each company for its place, in cents, refunds taken off.",
            tie_rule=BY_VALUE,
            paid=True,
            disclosure=DISCLOSURE,
            is_standing=True,
        ),
        Board(
            name=BoardName.DOMAIN_RATING,
            title="Domain Rating",
            metric="domain_rating",
            unit=None,
            formula="Latest rating of each website, 0 to 100.",
            tie_rule=BY_VALUE,
            is_standing=True,
        ),
        Board(
            name=BoardName.REVENUE,
            title="Revenue",
            metric="monthly_revenue",
            unit="cents",
            is_money=True,
            period="month",
            formula="The newest monthly revenue, in cents. Every verified figure stands above every self-reported one.",
            tie_rule=BY_VALUE,
            is_standing=True,
        ),
    )
}
