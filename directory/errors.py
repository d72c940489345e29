from core.api.errors import ApiError, InvalidStateError, NotFoundError


class ListingNotFoundError(NotFoundError):
    """No such listing for this reader: unknown, not public, or somebody else's."""


class ListingUnknownError(ApiError, code="listing_unknown", title="No such listing"):
    """A slug or id in a query or body that names no public listing."""


class CategoryUnknownError(ApiError, code="category_unknown", title="Unknown category"):
    """A category in a query or body that does not exist."""


class ListingCannotMoveError(InvalidStateError):
    """The listing's status does not allow this move. Says `current` and `allowed`."""


class ListingRemovedError(ApiError, status=410, code="removed", title="This listing was removed"):
    """A listing that was public and that staff or its owner have taken off the site."""


class DecidedError(ApiError, code="edit_decided", title="Decided already"):
    """What somebody else has decided meanwhile, or what can no longer be decided so."""


class CannotUndoError(ApiError, code="cannot_undo", title="That stays"):
    """An act of staff that is undone already or has to stay."""


class CannotBanError(ApiError, code="cannot_ban", title="That account stays open"):
    """Somebody whom staff cannot ban."""


class CategoryCannotMoveError(ApiError, code="category_cannot_move", title="That would be no tree"):
    """A category that would be under itself, or merged into what is below it."""


class SiteNotReadyError(ApiError, status=503, code="unavailable", title="Not available right now"):
    """The installation has no site yet."""


class OwnListingError(ApiError, code="own_listing", title="Your own product"):
    """A person may not vote for a product of their own."""


class DuplicateListingError(ApiError, code="duplicate_listing", title="This product is here already"):
    """Another listing is live at the same product address, or the person has a draft of its site. Names it."""


class CategoryLimitError(ApiError, code="category_limit", title="Too many categories"):
    """More categories than a listing may have."""


class WeekOverError(ApiError, code="week_unavailable", title="This week is not available"):
    """A launch week that is over."""


class CannotReviewError(ApiError, status=403, code="cannot_review", title="You can’t review this product"):
    """A review that would not be genuine, or whose writer we can’t tell that of. Says why."""


class CannotAskError(ApiError, status=403, code="cannot_ask", title="You can’t ask this"):
    """A question that nobody could answer, of one’s own product, or one too many. Says why."""


class AnsweredError(ApiError, status=409, code="answered", title="This has an answer already"):
    """A question that was answered or dismissed, or a review that staff have decided meanwhile."""
