from core.api.errors import ApiError


class DraftNotReadyError(ApiError, code="draft_not_ready", title="The draft is not ready"):
    """The draft is still being written, has failed, or lacks what a listing needs."""


class FieldLockedError(ApiError, code="field_locked", title="The field is locked"):
    """A locked field cannot be written again."""


class RegenerateLimitError(ApiError, code="regenerate_limit", title="Too many rewrites"):
    """The draft has been rewritten as often as a day allows."""


class InviteLimitError(ApiError, code="invite_limit", title="No invitations left"):
    """The draft has as many invitations as it may have in its life."""


class InviteClosedError(ApiError, code="invalid_state", title="This invitation can’t be used"):
    """A link that is used, has expired, or leads to a draft without room."""
