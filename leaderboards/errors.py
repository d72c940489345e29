from core.api.errors import ApiError


class WeekStillRunningError(ApiError, code="invalid_state", title="The week is still running"):
    """A week is closed once it is over, not before."""


class RatingFileError(ApiError, title="The file cannot be read"):
    """A file of ratings that cannot be read. Nothing of it was stored."""


class ProgrammeClosedError(ApiError, code="programme_closed", title="Entries aren’t open"):
    """A programme that takes no entries now. Says `rule` and `current`."""


class NotEligibleError(ApiError, code="not_eligible", title="This listing can’t enter"):
    """A listing that a rule of the programme keeps out. Says `rule`."""


class ProgrammeStillRunningError(ApiError, code="invalid_state", title="Voting is still running"):
    """A programme is closed once its voting is over, not before."""
