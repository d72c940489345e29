"""The refusals of the leaderboards area."""

from core.api.errors import ApiError, InvalidRequestError


class WeekNotForBoardError(InvalidRequestError):
    """Only the weekly board takes a week."""


class WeekStillRunningError(ApiError, code="invalid_state", title="The week is still running"):
    """A week is closed once it is over, not before."""


class RatingFileError(ApiError, title="The file cannot be read"):
    """A file of ratings that cannot be read. Nothing of it was stored."""
