"""What is asked of a board: what it counts, who stands where, and what its page says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, ClassVar

from core.api.pagination import Page
from directory.models import Site


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A listing's figure on a board. Money is in cents, with its currency and what it was earned in."""

    name: str
    value: int
    unit: str | None
    currency: str | None = None
    period: str | None = None
    verified: bool | None = None
    as_of: date | None = None

    def __str__(self) -> str:
        """A figure that is no money, in words: `72`, `1 vote`."""
        unit = self.unit.removesuffix("s") if self.unit and self.value == 1 else self.unit
        return f"{self.value} {unit}" if unit else str(self.value)


class Board:
    """One board. Unless it says otherwise nobody pays for its places and it has no weeks."""

    code: ClassVar[str]
    position: ClassVar[int] = 0
    title: ClassVar[str]
    tab: ClassVar[str]  # among the boards
    summary: ClassVar[str]  # what it ranks by, for programs
    formula: ClassVar[str]
    metric: ClassVar[str]
    unit: ClassVar[str | None] = None
    period: ClassVar[str | None] = None
    tie_rule: ClassVar[str] = (
        "Equal figures: the listing that was launched earlier stands first, then the one that was listed earlier."
    )
    disclosure: ClassVar[str | None] = None  # what to show beside a board whose places are bought
    has_weeks: ClassVar[bool] = False
    is_counted_live: ClassVar[bool] = False
    lede: ClassVar[str] = ""  # instead of the formula, which then stands beside
    rows: ClassVar[str] = "leaderboards/parts/rows.html"

    @property
    def paid(self) -> bool:
        return self.disclosure is not None

    @property
    def heading(self) -> str:
        return self.title.removesuffix(" (paid)")

    @property
    def path(self) -> str:
        return f"/leaderboards/{self.code}"

    def view(self, *, site: Site, week: date | None, page: int, per_page: int, at: datetime) -> "BoardView":
        raise NotImplementedError

    def refresh(self, *, site: Site, at: datetime) -> None:
        """Rank it anew, unless it is counted live."""

    def first_places(self, *, site: Site, most: int) -> list[tuple[int, int, str]]:
        """Listing, value and unit of the first places, of a board that is ranked ahead of time."""
        return []

    def notes(self, *, site: Site, slugs: Sequence[str]) -> Mapping[str, Any]:
        return {}


@dataclass(frozen=True, kw_only=True)
class BoardView:
    board: Board
    week: date | None
    as_of: datetime
    page: Page


def with_listings(
    page: Page,
    *,
    cards: Sequence[dict[str, Any]],
    metrics: Sequence[Metric],
    previous: Sequence[int | None] = (),
) -> Page:
    """A page whose items are places: their rank, listing and figure."""
    first = (page.page - 1) * page.per_page + 1
    items = [
        {
            "rank": first + number,
            "previous_rank": previous[number] if previous else None,
            "listing": {**card, "rank": first + number},
            "metric": metrics[number],
        }
        for number, card in enumerate(cards)
    ]
    return replace(page, items=items)


class ByVotes(Board):
    """Its rows are those of lists, with the button that votes."""

    metric = unit = "votes"
    is_counted_live = True
    rows = "leaderboards/parts/votes.html"

    def votes(self, number: int) -> Metric:
        return Metric(name=self.metric, value=number, unit=self.unit)
