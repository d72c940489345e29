from core.api.errors import ApiError


class TooManyKeysError(ApiError, code="key_limit", title="Too many keys"):
    """The account holds as many keys as it may."""


class UnknownScopeError(ApiError, title="Unknown scope"):
    """A key is asked for with a scope that does not exist."""


class StaffStayError(ApiError, title="Not while you are staff"):
    """A staff account is not erased."""


class AddressTakenError(ApiError, title="Address taken"):
    """Another account has this address."""


class UndoneError(ApiError, title="Taken back already"):
    """What staff would take back is taken back already."""


class FileRefusedError(ApiError, title="The file cannot be taken"):
    """A file that staff sent cannot be taken. Nothing of it was written."""


class OwnGainError(ApiError, code="own_gain", title="Not for yourself"):
    """Staff give themselves nothing: a colleague does."""


class NotForStaffError(ApiError, title="No role for this account"):
    """The account can be given no role, or none can be taken from it."""


class LastAdministratorError(ApiError, title="The last administrator stays"):
    """Nobody would be left who gives roles."""


class EndpointRefusedError(ApiError, code="invalid_url", title="Not an address that events are sent to"):
    """Not https, one too many, or switched off."""
