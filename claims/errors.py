from core.api.errors import ApiError, InvalidStateError, NotFoundError


class ClaimNotFoundError(NotFoundError):
    """No such claim, or somebody else's."""


class ClaimStateError(InvalidStateError):
    """The claim's status does not allow this. Says `current` and `allowed`."""


class EmailRequiredError(ApiError, code="email_required", title="An address is needed"):
    """A claim by e-mail needs an address at the company's domain."""


class EmailNotAtDomainError(ApiError, code="email_not_at_domain", title="Not an address of the company"):
    """The address is not at the registrable domain of the listing's website."""


class AlreadyOwnerError(ApiError, code="already_owner", title="It is yours already"):
    """The listing is the caller's and the proof stands."""
