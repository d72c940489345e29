"""What a request is once its caller is known."""

from rest_framework.request import Request

from accounts.models import User
from core.api.scopes import Credential


class SignedInRequest(Request):
    """The request of an operation with a scope: there is a person and a credential. For annotations only."""

    user: User  # type: ignore[assignment]
    auth: Credential  # type: ignore[assignment]
