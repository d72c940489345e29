"""Changes to rankings and awards."""

from leaderboards.boards.billboard import rank_contributions, record_contribution
from leaderboards.services.ratings import store_ratings
from leaderboards.services.weeks import close_due_weeks, close_week, correct_weeks_of, verify_week

__all__ = [
    "close_due_weeks",
    "close_week",
    "correct_weeks_of",
    "rank_contributions",
    "record_contribution",
    "store_ratings",
    "verify_week",
]
