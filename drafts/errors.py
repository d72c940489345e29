"""The refusals of the drafts area."""

from core.errors import ApiError, NotFoundError


class DraftNotFoundError(NotFoundError):
    """No such draft, or somebody else's."""


class DraftNotReadyError(ApiError):
    """The draft is still being written, has failed, or lacks what a listing needs."""

    code = "draft_not_ready"
    title = "The draft is not ready"


class FieldLockedError(ApiError):
    """A locked field cannot be written again."""

    code = "field_locked"
    title = "The field is locked"


class RegenerateLimitError(ApiError):
    """The draft has been rewritten as often as a day allows."""

    code = "regenerate_limit"
    title = "Too many rewrites"


class CategoryUnknownError(ApiError):
    """A category that is not in the tree. Suggests near ones."""

    code = "category_unknown"
    title = "Unknown category"


class InviteLimitError(ApiError):
    """The draft has as many invitations as it may have in its life."""

    code = "invite_limit"
    title = "No invitations left"


class InviteNotFoundError(NotFoundError):
    """A link that we never made."""


class InviteClosedError(ApiError):
    """A link that is used, has expired, or leads to a draft without room."""

    code = "invalid_state"
    title = "This invitation can’t be used"
