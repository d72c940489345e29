"""Why staff decided something: said in words that the person it is about reads."""

from core.api.errors import FieldError, InvalidRequestError
from directory import limits


def refuse_without_reason(reason: str) -> None:
    """Raise InvalidRequestError where no reason is given, or one too long to be kept whole."""
    if not 0 < len(reason.strip()) <= limits.STAFF_REASON:
        message = f"Give a reason of at most {limits.STAFF_REASON} characters; the owner reads it."
        error = FieldError(code="required", pointer="/reason", message=message, limit=limits.STAFF_REASON)
        raise InvalidRequestError(message, errors=[error])
