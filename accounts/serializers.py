"""Shapes of the accounts area."""

from typing import Any

from rest_framework import serializers

from core.serializers import Shape


class ApiKeyOut(Shape):
    """The API key a call came with."""

    prefix = serializers.CharField()
    name = serializers.CharField()


class AccountOut(Shape):
    """Who is signed in, and what the credential allows."""

    id = serializers.CharField()
    name = serializers.CharField(allow_null=True)
    email = serializers.EmailField()
    authentication = serializers.ChoiceField(choices=["oauth", "api_key", "session"])
    client = serializers.CharField(required=False, allow_null=True)
    key = ApiKeyOut(required=False, allow_null=True)
    scopes = serializers.ListField(child=serializers.CharField())
    granted = serializers.ListField(child=serializers.CharField())
    missing = serializers.ListField(child=serializers.CharField())
    counts = serializers.DictField(child=serializers.IntegerField())

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        """From an `AccountView`."""
        user, credential = value.user, value.credential
        key = {"prefix": credential.prefix, "name": credential.name} if credential.kind == "api_key" else None
        return {
            "id": str(user.pk),
            "name": user.name or None,
            "email": user.email,
            "authentication": credential.kind,
            "client": credential.client or None,
            "key": key,
            "scopes": sorted(credential.scopes),
            "granted": value.granted,
            "missing": value.missing,
            "counts": value.counts,
        }
