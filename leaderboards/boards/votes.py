"""Boards by votes of people are counted live."""

from leaderboards.boards.base import Board, Metric


class ByVotes(Board):
    """Its rows are those of lists, with the button that votes."""

    metric = unit = "votes"
    is_counted_live = True
    rows = "leaderboards/parts/votes.html"

    def votes(self, number: int) -> Metric:
        """A listing's figure."""
        return Metric(name=self.metric, value=number, unit=self.unit)
