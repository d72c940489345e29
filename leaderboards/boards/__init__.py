"""The boards, which are never mixed: one file a kind. `BOARDS` has them by code, in the interface's order."""

from datetime import datetime

from core.parts import load
from directory.models import Site
from leaderboards.boards.base import Board, BoardView, Metric

BOARDS: dict[str, Board] = {code: board() for code, board in load(__name__, Board).items()}


def refresh_boards(*, at: datetime) -> None:
    """Rank every board of every site anew that is not counted live."""
    for site in Site.objects.order_by("pk"):
        for board in BOARDS.values():
            board.refresh(site=site, at=at)
