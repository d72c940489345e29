"""The service with three more operations, which the conformance suite asks for; they become tools by themselves."""

from typing import Any

from django.urls import path
from rest_framework import serializers
from rest_framework.request import Request

from config.urls import handler404, handler500
from config.urls import urlpatterns as service
from core.api.errors import InvalidRequestError
from core.api.operations import OperationViewSet, operation
from core.api.serializers import Shape


class TextOut(Shape):
    """Some text."""

    text = serializers.CharField()


class FixtureViewSet(OperationViewSet):
    """What the suite calls."""

    @operation(returns=TextOut)
    def test_simple_text(self, request: Request) -> dict[str, Any]:
        """Return some text for the conformance suite."""
        return {"text": "This is a simple text response for testing."}

    @operation(returns=TextOut)
    def test_error_handling(self, request: Request) -> dict[str, Any]:
        """Refuse, for the conformance suite."""
        raise InvalidRequestError("This tool intentionally returns an error for testing.")

    @operation(returns=TextOut)
    def json_schema_2020_12_tool(self, request: Request) -> dict[str, Any]:
        """Have a schema with every keyword the conformance suite looks for."""
        return {"text": "ok"}


NAMES = ("test_simple_text", "test_error_handling", "json_schema_2020_12_tool")
urlpatterns = [*(path(f"api/v1/{name}", FixtureViewSet.as_view({"get": name})) for name in NAMES), *service]

__all__ = ["handler404", "handler500", "urlpatterns"]
