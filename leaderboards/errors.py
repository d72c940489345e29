"""The refusals of the leaderboards area."""

from core.errors import ApiError, InvalidRequestError


class WeekNotForBoardError(InvalidRequestError):
    """Only the weekly board takes a week."""


class WeekStillRunningError(ApiError):
    """A week is closed once it is over, not before."""

    code = "invalid_state"
    title = "The week is still running"


class RatingFileError(ApiError):
    """A file of ratings that cannot be read. Nothing of it was stored."""

    title = "The file cannot be read"
