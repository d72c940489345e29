"""The refusals of reviews and questions."""

from core.api.errors import ApiError


class CannotReviewError(ApiError, status=403, code="cannot_review", title="You can’t review this product"):
    """A review that would not be genuine, or whose writer we can’t tell that of. Says why."""


class CannotAskError(ApiError, status=403, code="cannot_ask", title="You can’t ask this"):
    """A question that nobody could answer, of one’s own product, or one too many. Says why."""


class AnsweredError(ApiError, status=409, code="answered", title="This has an answer already"):
    """A question that was answered or dismissed, or a review that staff have decided meanwhile."""
