"""The refusals of the directory area."""

from core.errors import ApiError, InvalidStateError, NotFoundError


class ListingNotFoundError(NotFoundError):
    """No such listing for this reader: unknown, not public, or somebody else's."""


class CategoryNotFoundError(NotFoundError):
    """No such category."""


class FounderNotFoundError(NotFoundError):
    """No such founder with a public listing."""


class PostNotFoundError(NotFoundError):
    """No such published post."""


class LinkNotFoundError(NotFoundError):
    """A mailed link that we never made, or whose reader is gone."""


class ListingUnknownError(ApiError):
    """A slug or id in a query or body that names no public listing."""

    code = "listing_unknown"
    title = "No such listing"


class CategoryUnknownError(ApiError):
    """A category in a query or body that does not exist."""

    code = "category_unknown"
    title = "No such category"


class ListingCannotMoveError(InvalidStateError):
    """The listing's status does not allow this move. Says `current` and `allowed`."""


class ListingOffSiteError(InvalidStateError):
    """A listing that was taken off the site, so that it has no news to tell."""


class ListingRemovedError(ApiError):
    """A listing that was public and that staff or its owner have taken off the site."""

    status = 410
    code = "removed"
    title = "This listing was removed"


class EditDecidedError(ApiError):
    """An edit that somebody else has decided, or that can no longer be decided so."""

    code = "edit_decided"
    title = "Decided already"


class CannotUndoError(ApiError):
    """An act of staff that is undone already or has to stay."""

    code = "cannot_undo"
    title = "That stays"


class CannotBanError(ApiError):
    """Somebody whom staff cannot ban."""

    code = "cannot_ban"
    title = "That account stays open"


class CategoryCannotMoveError(ApiError):
    """A category that would be under itself, or merged into what is below it."""

    code = "category_cannot_move"
    title = "That would be no tree"


class UpdateNotFoundError(NotFoundError):
    """The listing has no such update."""


class MilestoneNotFoundError(NotFoundError):
    """The listing has no such milestone."""


class SiteNotReadyError(ApiError):
    """The installation has no site yet."""

    status = 503
    code = "unavailable"
    title = "Not available right now"


class OwnListingError(ApiError):
    """A person may not vote for a product of their own."""

    code = "own_listing"
    title = "Your own product"


class DuplicateListingError(ApiError):
    """Another listing is live at the same product address, or the person has a draft of its site. Names it."""

    code = "duplicate_listing"
    title = "This product is here already"


class CategoryLimitError(ApiError):
    """More categories than a listing may have."""

    code = "category_limit"
    title = "Too many categories"


class WeekOverError(ApiError):
    """A launch week that is over."""

    code = "week_unavailable"
    title = "This week is not available"
