"""The refusals of the accounts area."""

from core.errors import ApiError, NotFoundError


class KeyNotFoundError(NotFoundError):
    """No such key, or somebody else's."""


class AppNotFoundError(NotFoundError):
    """No such connected app, or somebody else's."""


class TooManyKeysError(ApiError):
    """The account holds as many keys as it may."""

    code = "key_limit"
    title = "Too many keys"


class UnknownScopeError(ApiError):
    """A key is asked for with a scope that does not exist."""

    title = "Unknown scope"


class StaffStayError(ApiError):
    """A staff account is not erased."""

    title = "Not while you are staff"


class AddressTakenError(ApiError):
    """Another account has this address."""

    title = "Address taken"


class UndoneError(ApiError):
    """What staff would take back is taken back already."""

    title = "Taken back already"


class FileRefusedError(ApiError):
    """A file that staff sent cannot be taken. Nothing of it was written."""

    title = "The file cannot be taken"


class OwnGainError(ApiError):
    """Staff give themselves nothing: a colleague does."""

    code = "own_gain"
    title = "Not for yourself"


class NotForStaffError(ApiError):
    """The account can be given no role, or none can be taken from it."""

    title = "No role for this account"


class LastAdministratorError(ApiError):
    """Nobody would be left who gives roles."""

    title = "The last administrator stays"
