"""HTTP doors of the accounts area."""

from typing import Any

from rest_framework import serializers

from accounts import selectors
from accounts.authentication import SignedInRequest
from core.api.operations import OperationViewSet, operation
from core.api.scopes import Scope
from core.api.serializers import OpenWord, Shape


class ApiKeyOut(Shape):
    """The API key a call came with."""

    prefix = serializers.CharField(help_text="How the key begins.")
    name = serializers.CharField(help_text="What its owner called it.")


class AccountOut(Shape):
    """Who is signed in, and what the credential allows."""

    id = serializers.CharField(help_text="The person's id.")
    name = serializers.CharField(
        source="user.name", allow_null=True, help_text="The person's name, if they gave one."
    )
    email = serializers.EmailField(source="user.email", help_text="The address they sign in with.")
    authentication = OpenWord(
        source="credential.kind", values=("oauth", "api_key", "session"), help_text="How this call signed in."
    )
    client = serializers.CharField(
        source="credential.client", allow_null=True, help_text="The app that calls; null with a key."
    )
    key = ApiKeyOut(allow_null=True, help_text="The key that was sent; null without one.")
    scopes = serializers.ListField(child=serializers.CharField(), help_text="What the credential allows.")
    granted = serializers.ListField(child=serializers.CharField(), help_text="Operations it may call.")
    missing = serializers.ListField(child=serializers.CharField(), help_text="Operations it may not call.")
    counts = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many drafts, listings and so on the person has."
    )

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
