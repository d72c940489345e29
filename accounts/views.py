from typing import Any

from rest_framework import serializers

from accounts import selectors
from accounts.authentication import SignedInRequest
from core.api.operations import OperationViewSet, operation
from core.api.scopes import Scope
from core.api.serializers import DictOf, ListOf, OpenWord, Shape, Str


class ApiKeyOut(Shape):
    """The API key a call came with."""

    prefix = Str("How the key begins.")
    name = Str("What its owner called it.")


class AccountOut(Shape):
    """Who is signed in, and what the credential allows."""

    id = Str("The person's id.")
    name = Str("The person's name, if they gave one.", null=True, source="user.name")
    email = serializers.EmailField(source="user.email", help_text="The address they sign in with.")
    authentication = OpenWord(
        "How this call signed in.", source="credential.kind", values=("oauth", "api_key", "session")
    )
    client = Str("The app that calls; null with a key.", null=True, source="credential.client")
    key = ApiKeyOut(allow_null=True, help_text="The key that was sent; null without one.")
    scopes = ListOf(Str(), "What the credential allows.")
    granted = ListOf(Str(), "Operations it may call.")
    missing = ListOf(Str(), "Operations it may not call.")
    counts = DictOf(serializers.IntegerField(), "How many drafts, listings and so on the person has.")

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        credential = value.credential
        key = {"prefix": credential.prefix, "name": credential.name} if credential.kind == "api_key" else None
        return cls.of(value, id=str(value.user.pk), key=key, scopes=sorted(credential.scopes))


class AccountViewSet(OperationViewSet):
    @operation(scope=Scope.ACCOUNT_READ, returns=AccountOut)
    def get_account(self, request: SignedInRequest) -> selectors.AccountView:
        """Get the signed-in account and its permissions: which operations this credential allows or lacks."""
        return selectors.account(user=request.user, credential=request.auth)
