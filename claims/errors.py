"""The refusals of the claims area."""

from core.errors import ApiError, InvalidStateError, NotFoundError


class ClaimNotFoundError(NotFoundError):
    """No such claim, or somebody else's."""


class ClaimStateError(InvalidStateError):
    """The claim's status does not allow this. Says `current` and `allowed`."""


class EmailRequiredError(ApiError):
    """A claim by e-mail needs an address at the company's domain."""

    code = "email_required"
    title = "An address is needed"


class EmailNotAtDomainError(ApiError):
    """The address is not at the registrable domain of the listing's website."""

    code = "email_not_at_domain"
    title = "Not an address of the company"


class AlreadyOwnerError(ApiError):
    """The listing is the caller's and the proof stands."""

    code = "already_owner"
    title = "It is yours already"
