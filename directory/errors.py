"""The refusals of the directory."""

from core.errors import InvalidStateError, NotFoundError


class ListingNotFoundError(NotFoundError):
    """No such listing, or one that is not for this caller."""


class ListingCannotMoveError(InvalidStateError):
    """The listing is not in a state that allows this."""
